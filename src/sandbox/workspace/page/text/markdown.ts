import { type Inline, parseInline } from './mrkdwn.ts';

/** The parts of a `markdown` block: https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
export type MarkdownPart =
  | { kind: 'heading'; inlines: Inline[] }
  | { kind: 'paragraph' | 'quote'; lines: Inline[][] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'preformatted'; text: string }
  | { kind: 'rule' };

/** Parses the subset of Markdown that the `markdown` block supports. */
export function parseMarkdown(text: string): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('```')) {
      const end = lines.findIndex((other, index) => index > at && other.startsWith('```'));
      parts.push({ kind: 'preformatted', text: lines.slice(at + 1, end < 0 ? undefined : end).join('\n') });
      at = end < 0 ? lines.length : end;
    } else addLine(parts, line, (lines[at - 1] ?? '') === '');
  }
  return parts;
}

function addLine(parts: MarkdownPart[], line: string, startsAnew: boolean): void {
  const last = startsAnew ? undefined : parts.at(-1);
  const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
  const item = /^\s*(?:([-*+])|(\d+)\.)\s+(?:\[( |x)\]\s+)?(.*)$/.exec(line);
  const quote = /^>\s?(.*)$/.exec(line)?.[1];
  if (line.trim() === '') return;
  if (/^(-{3,}|\*{3,}|_{3,})$/.test(line.trim())) parts.push({ kind: 'rule' });
  else if (heading !== undefined) parts.push({ kind: 'heading', inlines: inline(heading) });
  else if (item !== null) addItem(parts, item);
  else if (quote !== undefined && last?.kind === 'quote') last.lines.push(inline(quote));
  else if (quote !== undefined) parts.push({ kind: 'quote', lines: [inline(quote)] });
  else if (last?.kind === 'paragraph') last.lines.push(inline(line));
  else parts.push({ kind: 'paragraph', lines: [inline(line)] });
}

function addItem(parts: MarkdownPart[], item: RegExpExecArray): void {
  const isOrdered = item[2] !== undefined;
  const box = item[3] === undefined ? '' : item[3] === 'x' ? '☑ ' : '☐ ';
  const content = inline(box + (item[4] ?? ''));
  const last = parts.at(-1);
  if (last?.kind === 'list' && last.isOrdered === isOrdered) last.items.push(content);
  else parts.push({ kind: 'list', isOrdered, items: [content] });
}

/** Converts inline Markdown to mrkdwn, then parses that. */
function inline(text: string): Inline[] {
  const mrkdwn = text
    .replaceAll(/&(?!amp;|lt;|gt;)/g, '&amp;')
    .replaceAll(/!?\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '<$2|$1>')
    .replaceAll(/(?<!\*)\*(?!\*)([^*\n]+)(?<!\*)\*(?!\*)/g, '_$1_')
    .replaceAll(/\*\*([^*\n]+)\*\*|__([^_\n]+)__/g, (_whole, stars?: string, dashes?: string) => `*${stars ?? dashes}*`)
    .replaceAll(/~~([^~\n]+)~~/g, '~$1~');
  return parseInline(mrkdwn);
}
