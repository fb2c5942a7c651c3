import { withoutIsolates } from '../../../domain/direction.ts';
import { inEnglish } from '../../../domain/said.ts';

/**
 * The texts of blocks as plain lines, without Slack’s markup and without buttons: what a model reads, in English. Names lose their bold
 * marks and isolates with the rest.
 */
export function plainLines(blocks: readonly unknown[]): string[] {
  return blocks
    .flatMap((block) => linesOf(block as Part))
    .map((line) => inEnglish(line).trim())
    .filter((line) => line !== '');
}

interface Part {
  type?: string;
  text?: string | Part;
  title?: string | Part;
  fields?: readonly Part[];
  elements?: readonly Part[];
  rows?: readonly (readonly Part[])[];
  caption?: string;
}

function linesOf({ type, text, title, fields = [], elements = [], rows = [], caption }: Part): string[] {
  if (type === 'actions' || type === 'input' || type === 'divider') return [];
  if (type === 'context') return elements.map(textIn);
  return [
    ...textOf(title).split('\n'),
    ...textOf(text).split('\n'),
    ...fields.map((field) => textOf(field).replace(/\n/, ': ').replaceAll('\n', ' ')),
    ...(caption === undefined ? [] : [withoutIsolates(caption)]),
    ...rows.map((cells) => cells.map(textIn).join(' | ')),
  ];
}

/** All text within an element, such as a cell of a table. */
function textIn(part: Part): string {
  return part.elements ? part.elements.map(textIn).join('') : textOf(part);
}

function textOf(part: string | Part | undefined): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return withoutIsolates(part);
  if (part.type === 'mrkdwn') return withoutMarkup(typeof part.text === 'string' ? part.text : '');
  return textOf(part.text);
}

function withoutMarkup(mrkdwn: string): string {
  return withoutIsolates(mrkdwn)
    .replaceAll(/<!date\^[^>|]*\|([^>]*)>/g, '$1')
    .replaceAll(/<[@#!]([^>|]*)(?:\|[^>]*)?>/g, '$1')
    .replaceAll(/<([^>|]*)(?:\|([^>]*))?>/g, (_, address: string, label?: string) => label ?? address)
    .replaceAll(/[*`]/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
