import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import type { Field, Operation } from '../../operations/operation.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { Message } from './message.ts';
import { plain, shortName } from './mrkdwn.ts';
import { sentenceMessage } from './outcome.ts';
import { statusWords } from './quizzes.ts';

/** The action id of every input; the block id is the field's name, so an error finds its field. */
export const inputActionId = 'value';

/** What a person entered so far, by field name: an option they chose, or what they typed. */
export type Entered = Readonly<Record<string, PlainTextOption | string>>;

/** The form of an operation. `notice` stands above the fields, `entered` is put back into them. */
export function formView(operation: Operation, entered: Entered = {}, notice?: string): ModalView {
  return {
    type: 'modal',
    callback_id: operation.name,
    title: plain(formTitle(operation), 24),
    submit: plain(operation.submit, 24),
    close: plain('Cancel', 24),
    blocks: [
      ...(notice === undefined ? [] : sentenceMessage('⚠️', notice).blocks),
      ...Object.entries(operation.fields).map(([name, field]) => inputBlock(name, field, entered[name])),
    ],
  };
}

/** A modal that only tells: what became of a form, or why there is none. */
export function messageView(operation: Operation, message: Message): ModalView {
  return modal(operation, message.blocks);
}

/** Shown while the quiz service is asked. */
export function waitingView(operation: Operation): ModalView {
  return modal(operation, sentenceMessage('⏳', 'Asking the quiz service…').blocks);
}

/** A quiz in a picker. */
export function quizOption(quiz: Quiz): PlainTextOption {
  return {
    text: plain(shortName(quiz.name), 75),
    value: quiz.quiz_id,
    description: plain(statusWords[quiz.status].word, 75),
  };
}

function modal(operation: Operation, blocks: KnownBlock[]): ModalView {
  return { type: 'modal', title: plain(formTitle(operation), 24), close: plain('Close', 24), blocks };
}

/** `close-quiz` as “Close quiz”. */
function formTitle(operation: Operation): string {
  const words = operation.name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function inputBlock(name: string, field: Field, entered: PlainTextOption | string | undefined): InputBlock {
  return {
    type: 'input',
    block_id: name,
    label: plain(field.label, 2_000),
    optional: field.optional ?? false,
    element: element(field, entered),
    ...(field.hint && { hint: plain(field.hint, 2_000) }),
  };
}

function element(field: Field, entered: PlainTextOption | string | undefined): InputBlock['element'] {
  switch (field.kind) {
    case 'quiz':
      return {
        type: 'external_select',
        action_id: inputActionId,
        placeholder: plain('Type a part of its name', 150),
        min_query_length: 0,
        ...(typeof entered === 'object' && { initial_option: entered }),
      };
    case 'text':
      return {
        type: 'plain_text_input',
        action_id: inputActionId,
        max_length: field.maxLength,
        ...(typeof entered === 'string' && { initial_value: entered }),
      };
  }
}
