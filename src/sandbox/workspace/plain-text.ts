import type { RichText, RichTextInline } from './block-kit/rich-text.ts';
import type { Cell } from './block-kit/tables.ts';

/** Converts plain lines to the rich text that an input holds. */
export function asRichText(text: string): RichText {
  return {
    type: 'rich_text',
    elements: text
      .split('\n')
      .map((line) => ({ type: 'rich_text_section', elements: line === '' ? [] : [{ type: 'text', text: line }] })),
  };
}

/** Extracts the text of each line, without mentions, links and emoji. */
export const plainTextOf = (block: RichText): string =>
  partsOf(block)
    .map((part) => part.map((inline) => (inline.type === 'text' ? inline.text : '')).join(''))
    .join('\n');

/** The text of a table cell, link labels included. */
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
