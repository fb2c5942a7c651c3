import type { Button } from '@slack/types';
import type { Operation, TextInput } from '../../operations/operation.ts';
import { choiceActionId } from './choice.ts';
import { plain } from './mrkdwn.ts';

/**
 * What a click does: runs the operation and shows its answer in place of what was clicked on, or beside
 * it; or opens the operation's form. The action id of the button begins with it.
 */
export const buttonActionIds = { replace: choiceActionId, beside: 'ask', form: 'form' } as const;
export type ButtonDoing = keyof typeof buttonActionIds;

/** Slack says of every click on a link, too; there is nothing to do. */
export const linkActionId = 'link';

/** Slack's limits for a button. */
const longestValue = 2_000;
const longestUrl = 3_000;
const longestText = 75;

export interface OperationButton {
  text: string;
  doing: ButtonDoing;
  operation: Operation;
  raw: TextInput;
  style?: 'primary' | 'danger';
}

/** A button that runs an operation, or opens its form; `name` tells it from others in its block. None where its value would not fit. */
export function operationButton(name: string, { text, doing, operation, raw, style }: OperationButton): Button[] {
  const value = JSON.stringify({ operation: operation.name, raw });
  if (value.length > longestValue) return [];
  return [{ type: 'button', action_id: `${buttonActionIds[doing]}:${name}`, text: plain(text, longestText), value, ...(style && { style }) }];
}

/** A button that opens a page. None where there is no such page. */
export function linkButton(name: string, text: string, url: string | null): Button[] {
  if (url === null || url.length > longestUrl) return [];
  return [{ type: 'button', action_id: `${linkActionId}:${name}`, text: plain(text, longestText), url }];
}
