import type { KnownBlock, ModalView } from '@slack/types';
import type { Operation, Right } from '../../operations/operation.ts';
import { inputBlock, type Entered } from './inputs.ts';
import type { Message } from './message.ts';
import { plain } from './mrkdwn.ts';
import { sentenceMessage } from './sentence.ts';

/** The form of an operation. `notice` stands above the fields, `entered` is put back into them. */
export function formView(operation: Operation, rights: ReadonlySet<Right>, entered: Entered = {}, notice?: string): ModalView {
  return {
    type: 'modal',
    callback_id: operation.name,
    title: plain(formTitle(operation), 24),
    submit: plain(operation.submit, 24),
    close: plain('Cancel', 24),
    blocks: [
      ...(notice === undefined ? [] : sentenceMessage('⚠️', notice).blocks),
      ...Object.entries(operation.fields).flatMap(([name, field]) => inputBlock(name, field, entered[name], rights)),
    ],
  };
}

/** A modal that only tells: what became of a form, or why there is none. */
export function messageView(operation: Operation, message: Message): ModalView {
  return modal(operation, message.plain ?? message.blocks);
}

/** Shown while the quiz service is asked. */
export function waitingView(operation: Operation): ModalView {
  return modal(operation, sentenceMessage('⏳', 'Asking the quiz service…').blocks);
}

function modal(operation: Operation, blocks: KnownBlock[]): ModalView {
  return { type: 'modal', title: plain(formTitle(operation), 24), close: plain('Close', 24), blocks };
}

/** `close-quiz` as “Close quiz”. */
function formTitle(operation: Operation): string {
  const words = operation.name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
