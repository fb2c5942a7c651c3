import type { ActionsBlockElement, Button, KnownBlock } from '@slack/types';
import type { DoneResult } from '../../../operations/operation-result.ts';
import { buttonRow, stepButtons } from './item-actions.ts';
import { context } from './mrkdwn.ts';

/** A button as a press names it: others of a message can have the same action ID. */
type Pressed = Pick<Button, 'action_id' | 'value'>;

/** The blocks of a message in which a note takes the place of a pressed button or of its row, with the buttons that go on from there. */
export function afterPress(
  blocks: readonly KnownBlock[],
  pressed: Pressed,
  { message, next = [] }: Pick<DoneResult, 'message' | 'next'>,
  opens: 'row' | 'button',
): KnownBlock[] {
  const isPressed = (element: ActionsBlockElement) =>
    element.type === 'button' && element.action_id === pressed.action_id && element.value === pressed.value;
  const buttons = stepButtons(next);
  return blocks.flatMap((block): KnownBlock[] => {
    if (opens === 'button' && block.block_id === noteBlockId) return [];
    if (block.type !== 'actions' || !block.elements.some(isPressed)) return [block];
    if (opens === 'row') return [context(message), ...buttonRow(buttons)];
    const elements = block.elements.flatMap((element) => (isPressed(element) ? buttons : [element]));
    return [...buttonRow(elements), { ...context(message), block_id: noteBlockId }];
  });
}

/** Of the note of a button that is pressed on and off. Rows have new IDs, since Slack keeps the state of a block that keeps its ID. */
const noteBlockId = 'messages-turned';
