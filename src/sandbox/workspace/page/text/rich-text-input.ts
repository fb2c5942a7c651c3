import type { RichText } from '../../block-kit/rich-text.ts';

/** Plain lines as the rich text that the input then holds. */
export function asRichText(text: string): RichText {
  return {
    type: 'rich_text',
    elements: text
      .split('\n')
      .map((line) => ({ type: 'rich_text_section', elements: line === '' ? [] : [{ type: 'text', text: line }] })),
  };
}

export function richTextOf(block: RichText | undefined): string {
  const lines = (block?.elements ?? []).map((part) =>
    part.type === 'rich_text_list' ? part.elements.flatMap((item) => item.elements) : part.elements,
  );
  return lines.map((line) => line.map((inline) => (inline.type === 'text' ? inline.text : '')).join('')).join('\n');
}
