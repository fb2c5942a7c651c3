import type { TextInput } from '../../operations/text-input.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';
import { filterParts, type FilterPart } from './filter.ts';

/** Each reading is looked up in the directory. */
const readingsAtMost = 20;

/** What people type between a quiz and the people. */
const betweenNames: ReadonlySet<string> = new Set(['for', 'of', 'in', 'by', 'from']);

type Other = Extract<FilterPart, { kind: 'other' }>;

/**
 * Reads `food passed since 7d kitchen` as a quiz and a filter, in every way that is possible, the likeliest first. Only names
 * are in doubt: the more of their words belong to the quiz, the likelier. “for”, “of” or “in” parts the quiz from the rest; before a word of
 * the filter or a quoted text, it surely does. A quoted text at the beginning is the whole name of the quiz.
 */
export function parseResultsLine(line: string): [TextInput, ...TextInput[]] {
  const parts = filterParts(line);
  const names = parts.filter((part) => part.kind === 'other');
  const keywords = parts.filter((part) => part.kind !== 'other').map(({ start, end }) => line.slice(start, end));

  const read = (quiz: readonly Other[], rest: readonly Other[]): TextInput => {
    const filter = [...keywords, ...rest.map(({ start, end }) => line.slice(start, end))].join(' ');
    return {
      quiz: [quiz.map(({ token }) => (token.kind === 'mention' ? mentionsInWords(token.text) : token.text)).join(' ')],
      ...(filter !== '' && { filter: [filter] }),
    };
  };

  const wordOf = ({ token }: Other) => (token.kind === 'word' ? token.text.toLowerCase() : '');
  const isBetween = (part: Other) => betweenNames.has(wordOf(part)) || meansOneOf(wordOf(part), [...betweenNames]);
  const isSurely = (part: Other) => {
    const next = parts[parts.indexOf(part) + 1];
    return (
      (wordOf(part) === 'for' || meansOneOf(wordOf(part), ['for'])) &&
      next !== undefined &&
      (next.kind !== 'other' || next.token.kind === 'quoted')
    );
  };
  const fors = [...names.entries()]
    .filter(([index, part]) => index > 0 && isBetween(part))
    .slice(-readingsAtMost)
    .toReversed();
  const { sure = [], perhaps = [] } = Object.groupBy(fors, ([, part]) => (isSurely(part) ? 'sure' : 'perhaps'));
  const readAt = ([index]: [number, Other]) => read(names.slice(0, index), names.slice(index + 1));
  const longest = names[0]?.token.kind === 'quoted' ? 1 : names.length;
  const ends = Array.from({ length: Math.min(longest, readingsAtMost) }, (_, index) => longest - index);
  const [likeliest, ...others] = [
    ...sure.map(readAt),
    ...ends.slice(0, 1).map((end) => read(names.slice(0, end), names.slice(end))),
    ...perhaps.map(readAt),
    ...ends.slice(1).map((end) => read(names.slice(0, end), names.slice(end))),
  ];
  return [likeliest ?? read([], []), ...others.slice(0, readingsAtMost - 1)];
}
