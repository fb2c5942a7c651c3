import type { OperationContext } from '../../src/operations/context.ts';
import { runStep } from '../../src/operations/page.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { TextInput } from '../../src/operations/text-input.ts';
import { stepButtons, type Message, afterPress } from '../../src/slack/views/blocks/message.ts';

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
