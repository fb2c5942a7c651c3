import type { RichText, RichTextInline } from './block-kit/rich-text.ts';
import type { Cell } from './block-kit/tables.ts';

/** Plain lines as the rich text that an input then holds. */
export function asRichText(text: string): RichText {
  return {
    type: 'rich_text',
    elements: text
      .split('\n')
      .map((line) => ({ type: 'rich_text_section', elements: line === '' ? [] : [{ type: 'text', text: line }] })),
  };
}

/** The lines of a rich text, without what is no text. */
export const plainTextOf = (block: RichText): string =>
  partsOf(block)
    .map((part) => part.map((inline) => (inline.type === 'text' ? inline.text : '')).join(''))
    .join('\n');

/** What a cell of a table reads, links included. */
export const cellText = (cell: Cell): string =>
  cell.type === 'rich_text'
    ? partsOf(cell)
        .flat()
        .map((inline) => ('text' in inline ? (inline.text ?? '') : ''))
        .join('')
    : cell.text;

const partsOf = (block: RichText): RichTextInline[][] =>
  block.elements.map((part) =>
    part.type === 'rich_text_list' ? part.elements.flatMap((item) => item.elements) : part.elements,
  );
