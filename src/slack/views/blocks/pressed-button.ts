import type { ActionsBlock, ActionsBlockElement, Button, KnownBlock } from '@slack/types';

/** A button as a press names it: others of a message can have the same action ID. */
export type Pressed = Pick<Button, 'action_id' | 'value'>;

export function isPressed(element: ActionsBlockElement, { action_id: actionId, value }: Pressed): boolean {
  return element.type === 'button' && element.action_id === actionId && element.value === value;
}

/** Whether a block is the row of buttons in which one was pressed. */
export function isRowOf(block: KnownBlock, pressed: Pressed): block is ActionsBlock {
  return block.type === 'actions' && block.elements.some((element) => isPressed(element, pressed));
}
