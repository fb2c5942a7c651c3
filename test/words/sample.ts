import type { HomeView, ModalView } from '@slack/types';
import { type Message, stepButtons, afterPress } from '../../src/slack/views/blocks/message.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { runStep } from '../../src/operations/page.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { TextInput } from '../../src/operations/text-input.ts';

/** A message after its reader pressed a button that takes the place of itself or of its row. */
export async function messageAfter(
  message: Message,
  { operation, input, opens }: { operation: Operation; input: TextInput; opens: 'row' | 'button' },
  context: Partial<OperationContext>,
): Promise<Message> {
  const values = Object.fromEntries(Object.entries(input).map(([name, [text = '']]) => [name, text]));
  const result = await operation.run(context as OperationContext, values);
  const [pressed] = stepButtons([{ ...runStep('', operation, input), opens }]);
  if (result.kind !== 'done' || result.isNoChange || !pressed) throw new Error('the answer was refused');
  return { ...message, blocks: afterPress(message.blocks, pressed, result, opens) };
}

/** Something the bot shows, for `sentences.md`, in which a person reads all of it in a row. */
export interface Sample {
  /** The situation, as a noun phrase or a short clause: “A trainer closes a quiz”. */
  when: string;
  /** A sentence alone is in the form of `domain/said.ts`. */
  shown: Message | ModalView | HomeView | string;
}
