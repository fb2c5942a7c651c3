import type { Block } from './block-kit/blocks.ts';
import type { InteractiveElement } from './block-kit/elements.ts';

/** The elements of a block that a person can act on. */
export function elementsOf(block: Block): InteractiveElement[] {
  switch (block.type) {
    case 'section':
      return block.accessory === undefined || block.accessory.type === 'image' ? [] : [block.accessory];
    case 'actions':
      return block.elements;
    case 'input':
      return [block.element];
    case 'card':
      return block.actions ?? [];
    case 'carousel':
      return block.elements.flatMap((card) => card.actions ?? []);
    default:
      return [];
  }
}

export const actionIdOf = (element: InteractiveElement): string =>
  'action_id' in element ? (element.action_id ?? '') : '';
