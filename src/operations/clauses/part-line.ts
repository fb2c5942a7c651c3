import { partsOf, tokenize } from '../typed-text.ts';

/** What people type for the word between two things. */
const connectors: Readonly<Record<string, readonly string[]>> = {
  to: ['for', 'as', '->', '→', '=>'],
  from: ['of', 'for', 'to'],
  of: ['by', 'from', 'for'],
  in: ['from', 'of', 'for'],
  for: ['to', 'with', '->', '→', '=>'],
  as: ['to', '->', '→', '=>'],
};

/** The two parts of a line; the second is undefined where the first is the whole line. */
export type PartedLine = readonly [string, string | undefined];

/** Each way to part a line is looked up in the directory, so a line of nothing but “to” must not have hundreds. */
const waysAtMost = 20;

/**
 * Parts `Intro to safety to Rosa` at “to”: most likely at the last. The others are tried when that makes no sense, and then
 * other words between two things, and no word at all; last of all, the things the other way round. Nothing parts quoted
 * texts and mentions.
 *
 * @returns every way to part it, the likeliest first; `isLoose` where no word connects the two, `isGuess` where nothing tells
 *   where the first ends either, as it may have any name
 */
export function partLine(
  line: string,
  connector: string,
  { isOptional, canSwap }: { isOptional: boolean; canSwap: boolean },
): { parted: readonly PartedLine[]; isLoose: boolean; isGuess: boolean } {
  const at = (words: readonly string[]): PartedLine[] =>
    tokenize(line)
      .filter(({ kind, text }) => kind === 'word' && words.includes(text.toLowerCase()))
      .toReversed()
      .map(({ start, end }) => [line.slice(0, start).trim(), line.slice(end).trim()]);
  const whole: PartedLine[] = isOptional ? [[line, undefined]] : [];
  const [own, other] = [at([connector]), at(connectors[connector] ?? [])];
  // A text of its own has no names by which a reading could be judged.
  const bare = isOptional || !canSwap ? [] : between(line);
  const straight = [...own, ...whole, ...other, ...bare];
  // “to me fire” is “fire to me”.
  const [begin] = tokenize(line);
  const isTurned = canSwap && begin?.kind === 'word' && begin.text.toLowerCase() === connector;
  const turned = isTurned ? between(line.slice(begin.end).trim()).map(([one, two = '']): PartedLine => [two, one]) : [];
  const swapped = canSwap && !isOptional ? straight.map(([one, two = '']): PartedLine => [two, one]) : [];
  const isLoose = own.length === 0 && other.length === 0 && !isOptional;
  const ways = [...turned, ...straight, ...swapped].filter(([one, two]) => (isLoose ? one !== '' && two !== '' : true));
  const isGuess = isLoose && !canSwap;
  // The shortest name first: more of the text that has to be checked is in one place.
  return { parted: (isGuess ? between(line).toReversed() : ways).slice(0, waysAtMost), isLoose, isGuess };
}

/** Every place between two words, the last first. */
function between(line: string): PartedLine[] {
  return partsOf(line)
    .slice(1)
    .toReversed()
    .map(({ start }) => [line.slice(0, start).replace(/[\s,;]+$/, ''), line.slice(start).trim()]);
}
