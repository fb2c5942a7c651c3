import { globSync } from 'node:fs';
import { read } from './project-files.ts';

/** What people read of the project, apart from the sentences of the bot. */
export const documents = globSync(['*.md', 'docs/*.md', 'docs/reference/*.md', 'src/sandbox/*/README.md']).toSorted();

/** The text without its blocks of code. */
const proseOf = (text: string): string => text.replaceAll(/^( *)```.*?^\1```$/gms, '');

/** The anchors that GitHub gives the headings of a file. */
export function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(read(path)).matchAll(/^#+ (.+)$/gm)) {
    const anchor = withoutLinks(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let number = 0;
    while (anchors.has(numbered(anchor, number))) number += 1;
    anchors.add(numbered(anchor, number));
  }
  return anchors;
}

const numbered = (anchor: string, number: number): string => (number === 0 ? anchor : `${anchor}-${number}`);

/** Links and pictures of a text, without those to other sites. */
export const linksOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link!);

/** Paragraphs, list items and rows of tables, and the sentences of the first two, as they read without markup. */
function passagesOf(text: string): string[] {
  return proseOf(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^#|^\|[-:|]+\|$/.test(line))
    .map((line) => line.trim().replace(/^(?:[-*]|\d+\.) /, ''))
    .flatMap((line) => (line.startsWith('|') ? [line] : [...new Set([line, ...line.split(/(?<=[.!?:;]) /)])]))
    .map(withoutMarkup);
}

/** The passages over 60 characters that stand in two of the texts, or twice in one. */
export function repeatedPassages(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  const long = texts.flatMap(passagesOf).filter((passage) => passage.length > 60);
  return long.filter((passage) => seen.has(passage) || !seen.add(passage));
}

function withoutMarkup(passage: string): string {
  return withoutLinks(passage)
    .replaceAll(/[`*|]/g, '')
    .replaceAll('’', "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

const withoutLinks = (text: string): string => text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
