import type { TextInput } from '../../../operations/text-input.ts';
import { parseTime } from '../../../operations/dates/time-expression.ts';
import { partsOf, splitPeople, unquote, type Token } from '../../../operations/typed-text.ts';

/** Each reading is looked up in the directory. */
const readingsAtMost = 20;

/**
 * Reads `fire safety @rosa, Kim until 1 feb because on leave` as a campaign, people, a time and a reason, in every way that is possible, the
 * likeliest first. “from” comes between people and a campaign: `Rosa from fire safety because on leave`.
 */
export function parseExcuseLine(line: string): [TextInput, ...TextInput[]] {
  const parts = partsOf(line);
  const because = parts.findIndex(
    ({ kind, text }, index) => index > 0 && kind === 'word' && /^(?:because|reason:?)$/i.test(text),
  );
  const reason = because === -1 ? '' : unquote(line.slice(parts[because]?.end));
  const { time, end } = untilIn(line, parts, because === -1 ? parts.length : because);
  const read = (campaign: string, people: string): TextInput => ({
    ...(campaign.trim() !== '' && { campaign: [unquote(campaign)] }),
    ...(people.trim() !== '' && { people: splitPeople(people) }),
    ...(time !== undefined && { until: [time] }),
    ...(reason !== '' && { because: [reason] }),
  });
  const textBetween = (from: number, to: number) =>
    line.slice(parts[from]?.start ?? line.length, parts[to]?.start).replace(/[\s,;]+$/, '');
  const fromWords = [...parts.keys()]
    .filter((index) => index > 0 && index < end - 1 && isWord(parts[index], 'from'))
    .slice(-readingsAtMost)
    .toReversed();
  const readings = [
    ...fromWords.map((index) => read(textBetween(index + 1, end), textBetween(0, index))),
    ...placesBetween(parts.slice(0, end)).map((place) => read(textBetween(0, place), textBetween(place, end))),
    ...placesBetween(parts.slice(0, end)).map((place) => read(textBetween(place, end), textBetween(0, place))),
  ];
  const [likeliest, ...others] = readings.slice(0, readingsAtMost);
  return [likeliest ?? read(textBetween(0, end), ''), ...others];
}

/** Where the people can begin: at a mention, behind a quoted campaign, else anywhere. */
function placesBetween(parts: readonly Token[]): number[] {
  const mention = parts.findIndex(({ kind }) => kind === 'mention');
  const likeliest = mention > 0 ? mention : parts[0]?.kind === 'quoted' ? 1 : undefined;
  const all = Array.from(
    { length: Math.min(readingsAtMost, Math.max(0, parts.length - 1)) },
    (_, index) => parts.length - 1 - index,
  );
  return likeliest === undefined || likeliest >= parts.length ? all : [likeliest];
}

/** `until 1 feb` before the reason or the end; `end`: where it begins. */
function untilIn(line: string, parts: readonly Token[], end: number): { time?: string; end: number } {
  const at = parts.findLastIndex((part, index) => index > 0 && index < end - 1 && isWord(part, 'until'));
  const time = at === -1 ? '' : line.slice(parts[at]?.end, parts[end]?.start).trim();
  return parseTime(time.split(/\s+/)) ? { time, end: at } : { end };
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}
