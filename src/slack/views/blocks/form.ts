import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { say, asSaid } from '../../../domain/said.ts';
import { reasonFor } from '../../../governance/rights/policy.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { Field, Fields } from '../../../operations/fields/fields.ts';
import { confirmationField, reasonField } from '../../../operations/text-input.ts';
import type { Right } from '../../../operations/context.ts';
import type { TextField } from '../../../operations/fields/text.ts';
import { inputActionId, inputBlock, type FormState } from './inputs.ts';
import { textMessage, type Message } from './message.ts';
import { plain } from './mrkdwn.ts';

/** The field of a reason. */
export const reasonInputField: TextField = {
  kind: 'text',
  label: 'Why do you want this?',
  hint: 'This needs approval. The reviewers see your reason.',
  maxLength: 1_000,
};

/** What can go wrong, and the confirmation that a person sends to run the operation all the same. */
export interface Warning {
  /** A sentence as in `domain/sentence.ts`. */
  message: string;
  confirmation: string;
}

/** The form of an operation. `notice` is shown above the fields, `formState` is put into them. */
export function formView(
  operation: Operation,
  rights: ReadonlySet<Right>,
  formState: FormState = {},
  notice?: string,
  warning?: Warning,
): ModalView {
  const asking = reasonFor(operation, rights);
  return {
    type: 'modal',
    callback_id: operation.name,
    title: plain(asSaid(formTitle(operation))),
    submit: plain(asSaid(asking === 'required' ? say`Request approval` : operation.submit)),
    close: plain(say`Cancel`),
    blocks: [
      ...(notice === undefined ? [] : textMessage('⚠️', notice).blocks),
      ...shownFields(operation.fields, formState).flatMap(([name, field]) =>
        inputBlock(name, field, { state: formState[name], rights, changesForm: isChooser(name, operation.fields) }),
      ),
      ...(asking === 'none' ? [] : reasonInput(asking === 'required', formState[reasonField])),
      ...(warning === undefined ? [] : warningBlocks(warning)),
    ],
  };
}

/** The fields that have an input while the form holds this, as the form calls them. */
export function shownFields(fields: Fields, formState: FormState): [name: string, field: Field][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    const { typedOnly, shownWhen, labelWhen = {} } = field;
    if (typedOnly) return [];
    if (shownWhen === undefined) return [[name, field]];
    const chooser = fields[shownWhen.field];
    const usual = chooser?.kind === 'choice' && chooser.usual !== undefined ? [chooser.usual] : [];
    const chosen = (formState[shownWhen.field]?.texts ?? usual).find((text) => shownWhen.is.includes(text));
    return chosen === undefined ? [] : [[name, { ...field, ...labelWhen[chosen] }]];
  });
}

/** Whether other fields apply or not by what this one holds. */
function isChooser(name: string, fields: Fields): boolean {
  return Object.values(fields).some(({ shownWhen }) => shownWhen?.field === name);
}

function reasonInput(isRequired: boolean, formState: FormState[string] | undefined): InputBlock[] {
  const field: TextField = isRequired
    ? reasonInputField
    : { ...reasonInputField, hint: 'Required if this needs approval. The reviewers see your reason.', optional: true };
  return inputBlock(reasonField, field, { state: formState });
}

/** The input is optional: a person can choose something else instead. */
function warningBlocks({ message, confirmation }: Warning): KnownBlock[] {
  return [
    ...textMessage('⚠️', message).blocks,
    {
      type: 'input',
      // Another warning is another input, in which nothing is ticked yet.
      block_id: `${confirmationField} ${confirmation}`,
      label: plain(say`Go on?`),
      optional: true,
      element: {
        type: 'checkboxes',
        action_id: inputActionId,
        options: [{ text: plain(say`Do it all the same`), value: confirmation }],
      },
    },
  ];
}

/** A modal without a form: the answer to one, or why there is none. */
export function messageView(operation: Operation, message: Message): ModalView {
  return modal(operation, message.plain ?? message.blocks);
}

/** Said to a person who has waited for two seconds where others read large results first. */
export const othersFirst = say`Others are reading large results; yours comes next.`;

/** Shown until the quiz service answers. @param isQueued whether others read large results first */
export function waitingView(operation: Operation, isQueued = false): ModalView {
  return modal(operation, textMessage('⏳', isQueued ? othersFirst : say`Asking the quiz service…`).blocks);
}

function modal(operation: Operation, blocks: KnownBlock[]): ModalView {
  return { type: 'modal', title: plain(asSaid(formTitle(operation))), close: plain(say`Close`), blocks };
}

/** `close-quiz` as “Close quiz”, unless the operation has a title of its own. */
export function formTitle({ name, title }: Operation): string {
  const words = name.replaceAll('-', ' ');
  return title ?? words.charAt(0).toUpperCase() + words.slice(1);
}
