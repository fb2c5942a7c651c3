import { meaningAmong } from '../other-words/meanings.ts';
import { partsOf, tokenize, type Token } from '../typed-text.ts';

/** What people type for the word between two things. */
const connectors: Readonly<Record<string, readonly string[]>> = {
  to: ['for', 'as', '->', '→', '=>'],
  from: ['of', 'for', 'to'],
  of: ['by', 'from', 'for'],
  in: ['from', 'of', 'for'],
  about: ['of'],
  for: ['to', 'with', '->', '→', '=>'],
  as: ['to', '->', '→', '=>'],
};

/** The two parts of a line; the second is undefined where the first is the whole line. */
export type PartedLine = readonly [string, string | undefined];

/** Each way to part a line is looked up in the directory, so a line of nothing but “to” must not have hundreds. */
const waysAtMost = 20;

/** The ways to part a line. */
interface Parting {
  /** The likeliest first. */
  parted: readonly PartedLine[];
  /** Taken only where they make sense, and the others do not: nothing is said about them otherwise. */
  rescues: readonly PartedLine[];
  /** No word connects the two. */
  isLoose: boolean;
  /** Nothing tells where the first ends either, as the second may have any name. */
  isGuess: boolean;
}

/**
 * Parts `Intro to safety to Rosa` at “to”: most likely at the last. Where that makes no sense, other words connect two things,
 * or none does, or the things come the other way round. Nothing parts quoted texts and mentions.
 */
export function partLine(
  line: string,
  connector: string,
  { isOptional, canSwap }: { isOptional: boolean; canSwap: boolean },
): Parting {
  const others = connectors[connector] ?? [];
  const at = (words: readonly string[]): PartedLine[] =>
    tokenize(line)
      .filter(({ kind, text }) => kind === 'word' && words.includes(text.toLowerCase()))
      .toReversed()
      .map(({ start, end }) => [line.slice(0, start).trim(), line.slice(end).trim()]);
  const whole: PartedLine[] = isOptional ? [[line, undefined]] : [];
  const [own, inEnglish] = [at([connector]), at(others)];
  const connected = [...inEnglish, ...inOtherWords(line, [connector, ...others], canSwap)];
  const isLoose = own.length === 0 && connected.length === 0 && !isOptional;
  const isGuess = isLoose && !canSwap;
  const bare = between(line, [connector, ...others]);
  // Two quoted texts are two things, even where the second may be left out.
  const typed = partsOf(line);
  const [head, tail] = typed;
  if (!canSwap && typed.length === 2 && head?.kind === 'quoted' && tail?.kind === 'quoted')
    return { parted: [[line.slice(0, head.end), line.slice(tail.start)]], rescues: [], isLoose: false, isGuess: false };
  // The shortest name first: more of the text that has to be checked is in one place.
  if (isGuess) return { parted: bare.toReversed().slice(0, waysAtMost), rescues: [], isLoose, isGuess };
  const usual = [...own, ...whole];
  const unconnected = canSwap ? [...bare, ...bare.map(([one, two = '']): PartedLine => [two, one])] : [];
  const further = isOptional ? [...connected, ...unconnected] : [];
  const parted = (isLoose ? bare : usual.length > 0 ? [...usual, ...further] : connected).slice(0, waysAtMost);
  if (isOptional || !canSwap) return { parted, rescues: [], isLoose, isGuess };
  // “to me fire” is “fire to me”.
  const [begin] = tokenize(line);
  const isTurned = begin?.kind === 'word' && begin.text.toLowerCase() === connector;
  const turned = isTurned ? between(line.slice(begin.end).trim(), [connector]) : [];
  const straight = isLoose ? [] : [...(own.length > 0 ? connected : []), ...bare];
  const swapped = [...turned, ...parted, ...straight].map(([one, two = '']): PartedLine => [two, one]);
  const rescues = [...straight, ...swapped].filter(([one, two]) => one !== '' && two !== '');
  return { parted, rescues: rescues.slice(0, waysAtMost - parted.length), isLoose, isGuess };
}

/** Words of other languages that are letters, articles or verbs in English. Where anything can be a name, they part nothing. */
const isWeak = ({ text }: Token) => text.length < 2 || /^(?:an|do|en)$/i.test(text);

/** The line parted at words of other languages, at the last first. */
function inOtherWords(line: string, connecting: readonly string[], canSwap: boolean): PartedLine[] {
  const tokens = tokenize(line);
  const ways: PartedLine[] = [];
  for (let at = tokens.length - 1; at >= 0 && ways.length < waysAtMost; at -= 1) {
    const token = tokens[at]!;
    const meaning = isWeak(token) && !canSwap ? undefined : meaningAmong(tokens, at, connecting);
    const last = meaning && tokens[at + meaning.length - 1];
    if (last) ways.push([line.slice(0, token.start).trim(), line.slice(last.end).trim()]);
  }
  return ways;
}

/** Every place between two words of which neither connects things: where the first mention begins or a quoted name ends, then the last first. */
function between(line: string, connecting: readonly string[]): PartedLine[] {
  const parts = partsOf(line);
  const connects = (index: number) =>
    parts[index]?.kind === 'word' && connecting.includes(parts[index].text.toLowerCase());
  const mention = parts.findIndex(({ kind }) => kind === 'mention');
  const likeliest = mention > 0 ? mention : parts[0]?.kind === 'quoted' ? 1 : -1;
  const places = [...parts.keys()]
    .filter((index) => index > 0 && !connects(index) && !connects(index - 1))
    .toSorted((a, b) => Number(b === likeliest) - Number(a === likeliest) || b - a);
  return places.map((index) => {
    const start = parts[index]?.start ?? line.length;
    return [line.slice(0, start).replace(/[\s,;]+$/, ''), line.slice(start).trim()];
  });
}
