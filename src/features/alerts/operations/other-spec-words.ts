import { meaningAmong } from '../../../operations/other-words/meanings.ts';
import type { TypedWord } from '../../../operations/other-words/other-words.ts';
import { tokenize, type Token } from '../../../operations/typed-text.ts';

/** The words of a subscription that are understood in other languages. */
const specWords: readonly TypedWord[] = [
  'passed',
  'failed',
  'ungraded',
  'only',
  'below',
  'percent',
  'grade',
  'each',
  'thread',
  'digest hourly',
  'digest daily',
  'weekly',
  'names off',
  'at',
];
/** At the beginning: elsewhere they belong to the quiz’s name. */
const firstWords: readonly TypedWord[] = ['all', 'to', 'for'];

const inSpecs: Readonly<Partial<Record<TypedWord, string>>> = { percent: '%', to: '', for: '', at: 'at' };

/** A line such as `Brandschutz nur unter 60 %` with the English words of subscriptions; undefined where it has none of another language. */
export function specInEnglish(line: string): string | undefined {
  const tokens = tokenize(line).map((token) => ({ ...token, text: withoutComma(token) }));
  const texts: string[] = [];
  let isChanged = false;
  for (let at = 0; at < tokens.length;) {
    const meaning = wordMeantAt(tokens, at);
    const time = meaning ? undefined : timeOfDayAt(tokens, at, texts.at(-1) === 'at');
    if (meaning) texts.push(inSpecs[meaning.english] ?? meaning.english);
    else texts.push(time?.text ?? line.slice(tokens[at]!.start, tokens[at]!.end));
    isChanged ||= meaning !== undefined;
    at += meaning?.length ?? time?.length ?? 1;
  }
  return isChanged ? texts.filter((text) => text !== '').join(' ') : undefined;
}

/** A list in words has commas, as in “failed only, an hourly digest”. */
export function withoutComma({ kind, text }: Token): string {
  return kind === 'word' ? text.replace(/(?<=.),$/, '') : text;
}

function wordMeantAt(tokens: readonly Token[], at: number): ReturnType<typeof meaningAmong> {
  const meaning = meaningAmong(tokens, at, at === 0 ? [...firstWords, ...specWords] : specWords);
  if (meaning === undefined) return undefined;
  const next = tokens[at + meaning.length]?.text ?? '';
  const before = tokens[at - 1]?.text ?? '';
  const isMeant =
    (meaning.english !== 'at' || /^\d/.test(next)) &&
    (meaning.english !== 'below' || /^\d/.test(next)) &&
    (meaning.english !== 'percent' || /^\d/.test(before));
  return isMeant ? meaning : undefined;
}

/** `8 Uhr`, `8h30`, `8.30 uur`, and a bare `8` after “at”. */
export function timeOfDayAt(
  tokens: readonly Token[],
  at: number,
  isAfterAt: boolean,
): { text: string; length: number } | undefined {
  for (const length of [3, 2, 1]) {
    const some = tokens.slice(at, at + length);
    if (some.length < length || some.some(({ kind }) => kind !== 'word')) continue;
    const typed = some.map(({ text }) => text.toLowerCase()).join(' ');
    const [, hour, unit, minutes = '00'] =
      /^(\d{1,2})(?: ?(h|u|hs|uhr|uur)\.?)(?: ?(\d\d))?$/.exec(typed) ??
      /^(\d{1,2})()[:.](\d\d) ?(?:h|u|hs|uhr|uur)\.?$/.exec(typed) ??
      (isAfterAt ? /^(\d{1,2})()$/.exec(typed) : null) ??
      [];
    if (hour !== undefined && unit !== undefined) return { text: `${hour}:${minutes}`, length };
  }
  return undefined;
}
