import { asSaid } from '../../../domain/said.ts';
import type { Button } from '@slack/types';
import type { Operation } from '../../../operations/operation.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { choiceActionId } from './choice.ts';
import { plain } from './mrkdwn.ts';

/**
 * What a click does. `replace` runs the operation and replaces the clicked message with the answer, `row` and `button` put it
 * in the place of the row or the button, `beside` posts it separately, `modal` opens it in a modal, `form` opens the
 * operation's form. The button's action ID begins with the value.
 */
export const buttonActionIds = {
  replace: choiceActionId,
  row: 'row',
  button: 'button',
  beside: 'ask',
  modal: 'modal',
  form: 'form',
} as const;
export type ButtonDoing = keyof typeof buttonActionIds;

/** Slack also sends clicks on link buttons. The bot acknowledges them and does nothing. */
export const linkActionId = 'link';

/** Slack's limits for a button. */
const longestValue = 2_000;
const longestUrl = 3_000;

export interface OperationButton {
  text: string;
  doing: ButtonDoing;
  operation: Pick<Operation, 'name'>;
  raw: TextInput;
  style?: 'primary' | 'danger';
}

/** A button that runs an operation or opens its form. `name` is unique within the block. Empty if the value is longer than Slack allows. */
export function operationButton(name: string, { text, doing, operation, raw, style }: OperationButton): Button[] {
  const value = JSON.stringify({ operation: operation.name, raw });
  if (value.length > longestValue) return [];
  return [
    {
      type: 'button',
      action_id: `${buttonActionIds[doing]}:${name}`,
      text: plain(asSaid(text)),
      value,
      ...(style && { style }),
    },
  ];
}

/** A button that opens a page. Empty if there is no page. */
export function linkButton(name: string, text: string, url: string | null): Button[] {
  if (url === null || url.length > longestUrl) return [];
  return [{ type: 'button', action_id: `${linkActionId}:${name}`, text: plain(asSaid(text)), url }];
}
