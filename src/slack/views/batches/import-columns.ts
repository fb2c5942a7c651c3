import { shortName } from '../../../domain/short-name.ts';
import type { InputBlock, ModalView } from '@slack/types';
import { say, asSaid } from '../../../domain/said.ts';
import { importUsers } from '../../../features/imports/import-users.ts';
import type { AskedColumn, OperationResult } from '../../../operations/operation-result.ts';
import { operationButton } from '../blocks/buttons.ts';
import { inputActionId } from '../blocks/inputs.ts';
import { textMessage, type Message } from '../blocks/message.ts';
import { plain, section } from '../blocks/mrkdwn.ts';

export type AskedColumns = Extract<OperationResult, { kind: 'columns' }>;

const sourceLength = 80;

/** The form in which a person says what each column of a file holds, with some of its cells. */
export function columnsView({ source, question, columns }: AskedColumns): ModalView {
  return {
    type: 'modal',
    callback_id: importUsers.name,
    title: plain(say`Columns`),
    submit: plain(asSaid(importUsers.submit)),
    close: plain(say`Cancel`),
    blocks: [
      section(say`❓ ${question} What do the columns of *${shortName(source, sourceLength)}* hold?`),
      ...columns.map(columnInput),
    ],
  };
}

function columnInput({ place, title, samples, guess, options }: AskedColumn): InputBlock {
  const offered = options.map(({ value, label }) => ({ value, text: plain(asSaid(label)) }));
  const initial = offered.find(({ value }) => value === guess);
  return {
    type: 'input',
    block_id: `columns ${place}`,
    label: plain(shortName(title, 100)),
    hint: plain(say`Such as ${samples.join(' · ')}`),
    element: {
      type: 'static_select',
      action_id: inputActionId,
      options: offered,
      ...(initial && { initial_option: initial }),
    },
  };
}

/** The question where no form can open: with a button that opens one. */
export function columnsMessage({ question, entered }: AskedColumns): Message {
  const message = textMessage('❓', `${question} ${say`Say what the columns hold: press *Preview* in the form.`}`);
  const button = operationButton('columns', {
    text: say`Open the form…`,
    doing: 'form',
    operation: importUsers,
    raw: entered,
    style: 'primary',
  });
  return { ...message, blocks: [...message.blocks, { type: 'actions', elements: button }] };
}
