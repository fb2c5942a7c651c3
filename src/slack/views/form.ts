import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { reasonFor } from '../../governance/policy.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonField } from '../../operations/text-input.ts';
import type { Right } from '../../operations/context.ts';
import type { TextField } from '../../operations/fields/text.ts';
import { inputBlock, type FormState } from './inputs.ts';
import { textMessage, type Message } from './message.ts';
import { plain } from './mrkdwn.ts';

/** The field of a reason. */
export const reasonInputField: TextField = {
  kind: 'text',
  label: 'Why?',
  hint: 'Somebody else has to approve this; they read your reason.',
  maxLength: 1_000,
};

/** The form of an operation. `notice` is shown above the fields, `formState` is put into them. */
export function formView(operation: Operation, rights: ReadonlySet<Right>, formState: FormState = {}, notice?: string): ModalView {
  const asking = reasonFor(operation, rights);
  return {
    type: 'modal',
    callback_id: operation.name,
    title: plain(formTitle(operation), 24),
    submit: plain(asking === 'required' ? 'Ask for approval' : operation.submit, 24),
    close: plain('Cancel', 24),
    blocks: [
      ...(notice === undefined ? [] : textMessage('⚠️', notice).blocks),
      ...Object.entries(operation.fields).flatMap(([name, field]) => inputBlock(name, field, formState[name], rights)),
      ...(asking === 'none' ? [] : reasonInput(asking === 'required', formState[reasonField])),
    ],
  };
}

function reasonInput(isRequired: boolean, formState: FormState[string] | undefined): InputBlock[] {
  const field: TextField = isRequired ? reasonInputField : { ...reasonInputField, hint: 'Needed where somebody else has to approve this.', optional: true };
  return inputBlock(reasonField, field, formState, new Set());
}

/** A modal without a form: the answer to one, or why there is none. */
export function messageView(operation: Operation, message: Message): ModalView {
  return modal(operation, message.plain ?? message.blocks);
}

/** Shown until the quiz service answers. */
export function waitingView(operation: Operation): ModalView {
  return modal(operation, textMessage('⏳', 'Asking the quiz service…').blocks);
}

function modal(operation: Operation, blocks: KnownBlock[]): ModalView {
  return { type: 'modal', title: plain(formTitle(operation), 24), close: plain('Close', 24), blocks };
}

/** `close-quiz` as “Close quiz”. */
function formTitle(operation: Operation): string {
  const words = operation.name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
