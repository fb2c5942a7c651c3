import { kindOf, type Field, type Fields } from '../fields/fields.ts';
import { leftOverField, type TextInput } from '../text-input.ts';
import { meaningAmong, meaningsAt, meansOnly, type Meaning } from '../other-words/meanings.ts';
import { inWords, tokenize, wordAt, type Token, type Clause, type Readings, type Taken } from '../typed-text.ts';
import { timeOrMore } from '../fields/text.ts';
import { timeWordsAtMost } from '../dates/time-expression.ts';
import { partLine } from './part-line.ts';

/** Each reading is looked up in the directory. */
const readingsAtMost = 20;
/** Of the same word in a line, the last ones. */
const occurrencesAtMost = 5;

/** A part of the line, such as `remind 7d, 1d`. */
interface Part {
  field: string;
  /** Indexes of tokens; `end` is the first after the part. */
  start: number;
  end: number;
  texts: readonly string[];
  /** Names follow, up to the next part. */
  takesNames: boolean;
  /** Its word is of another language: a part that begins in English goes before it. */
  isOther?: true;
}

type FieldWithClause = Field & { clause: Clause };
/** A line with what the words from each token on mean in other languages. */
interface Line {
  tokens: readonly Token[];
  meanings: readonly (readonly Meaning[])[];
}

type Clauses = readonly (readonly [name: string, field: FieldWithClause])[];

/**
 * Reads a line such as `"Fire safety" for #kitchen, Rosa except Kim due 15 dec remind 7d, 1d`: the clauses that the fields
 * declare come in any order. A word belongs to a name where what follows it makes no clause, and in quotation marks.
 *
 * @returns every way to read it, the likeliest first: the one in which as many words as possible begin a clause, and of a
 *   word that comes several times, the last. Last comes the one in which what follows a clause’s word is the clause, whatever
 *   it is: its field says what is wrong with it.
 */
export function parseClauses(line: string, fields: Fields, shape: LineShape): [TextInput, ...TextInput[]] {
  const tokens = tokenize(line);
  const { chosen, inEnglish, strange } = partsIn(tokens, fields, { canBegin: canLack(fields, shape.subject) });
  const read = (parts: readonly Part[]) => {
    const { input, quotedWords } = readParts(line, tokens, parts, { fields, subject: shape.subject });
    return { input, completed: withMissingWords(input, fields, shape, quotedWords) };
  };
  const strangeInAll = (strange ? [read(strange)] : []).flatMap(({ input, completed }) => [
    ...completed.slice(0, 1),
    input,
  ]);
  const usual = chosen.flatMap((parts, index) => {
    const { input, completed } = read(parts);
    return index === 0 || index === inEnglish ? [input, ...completed] : [input];
  });
  const [first = {}, ...others] = [...usual.slice(0, readingsAtMost - strangeInAll.length), ...strangeInAll];
  return [first, ...others];
}

/**
 * The clauses of a line that can be meant together, the likeliest first. `inEnglish` is the index of the likeliest in which all words
 * of clauses are English. `strange`: where something makes none, what follows the
 * clause’s word is the clause, whatever it is; the line begins with it only if it `canBegin` with a clause.
 */
function partsIn(
  tokens: readonly Token[],
  fields: Fields,
  { canBegin = false } = {},
): { chosen: readonly (readonly Part[])[]; inEnglish: number; strange: readonly Part[] | undefined } {
  const clauses: Clauses = Object.entries(fields).flatMap(([name, field]) =>
    hasClause(field) ? [[name, field] as const] : [],
  );
  const line: Line = { tokens, meanings: tokens.map((_, index) => meaningsAt(tokens, index)) };
  const found = tokens.flatMap((_, index) => partAt(line, index, clauses) ?? []);
  const outermost = found.filter(({ start }, index) => !found.slice(0, index).some((earlier) => start < earlier.end));
  const inAll = choicesOf(outermost, clauses);
  const english = outermost.filter(({ isOther }) => !isOther);
  const chosen = english.length === outermost.length ? inAll : withSecond(inAll, choicesOf(english, clauses)[0] ?? []);
  const likeliest = chosen[0] ?? [];
  const unread = unreadParts(line, clauses, { known: likeliest, first: canBegin ? 0 : 1 });
  return {
    chosen,
    inEnglish: chosen.findIndex((parts) => parts.every(({ isOther }) => !isOther)),
    strange: unread.length > 0 ? [...likeliest, ...unread] : undefined,
  };
}

function withSecond(choices: readonly Part[][], second: Part[]): Part[][] {
  return [...choices.slice(0, 1), second, ...choices.slice(1)].slice(0, readingsAtMost);
}

function hasClause(field: Field): field is FieldWithClause {
  return field.clause !== undefined;
}

/** The parts that can be meant together, the likeliest first. */
function choicesOf(parts: readonly Part[], clauses: Clauses): Part[][] {
  const lists = clauses
    .filter(([, { clause }]) => clause.after === undefined)
    .map(([name]) => [...lastFirst(parts, name, false), ...lastFirst(parts, name, true), undefined]);
  return cheapest(lists, readingsAtMost).map((picked) => {
    const own = picked.filter((part) => part !== undefined);
    const followers = clauses.flatMap(
      ([
        name,
        {
          clause: { after },
        },
      ]) =>
        parts.filter(
          ({ field, start }) => field === name && own.some((part) => part.field === after && part.end === start),
        ),
    );
    return [...own, ...followers];
  });
}

function lastFirst(parts: readonly Part[], name: string, inOther: boolean): Part[] {
  return parts
    .filter(({ field, isOther = false }) => field === name && isOther === inOther)
    .slice(-occurrencesAtMost)
    .toReversed();
}

/** The part that begins at a token; undefined where what follows makes none. */
function partAt(line: Line, start: number, clauses: Clauses): Part | undefined {
  return partInEnglish(line, start, clauses) ?? partInOther(line, start, clauses);
}

/** As `partAt`, where the word is of another language. One such as “para” means two things: names follow where no time does. */
function partInOther(line: Line, start: number, clauses: Clauses): Part | undefined {
  const meanings = line.meanings[start] ?? [];
  if (meanings.length === 0) return undefined;
  const isNames = ([, field]: Clauses[number]) => kindOf(field).take === undefined;
  for (const some of [clauses.filter((each) => !isNames(each)), clauses.filter(isNames)])
    for (const { english, length } of meanings) {
      const part = partOf(line, { start, from: start + length, word: english }, some);
      const isRest = part !== undefined && clauses.some(([name, { clause }]) => name === part.field && clause.isRest);
      // “Bo” is a name, and “because” in Polish.
      if (part && !(isRest && start === 0)) return { ...part, isOther: true };
    }
  return undefined;
}

function partInEnglish(line: Line, start: number, clauses: Clauses): Part | undefined {
  const word = wordAt(line.tokens, start);
  return word === undefined ? undefined : partOf(line, { start, from: start + 1, word }, clauses);
}

/** The part whose word, in English, ends before a token. */
function partOf(
  line: Line,
  { start, from: next, word }: { start: number; from: number; word: string },
  clauses: Clauses,
): Part | undefined {
  const { tokens } = line;
  for (const [field, known] of clauses) {
    const { words, filler, alone } = known.clause;
    if (!words.includes(word)) continue;
    const from = next + fillerLength(tokens, next, filler);
    const { take } = kindOf(known);
    if (take === undefined) {
      if (from < tokens.length) return { field, start, end: from, texts: [], takesNames: true };
      continue;
    }
    const taken = take(tokens, from, known);
    if (taken && accepts(known.clause, word, taken)) return { field, start, ...taken, takesNames: false };
    if (alone !== undefined && (from === tokens.length || partAt(line, from, clauses)))
      return { field, start, end: from, texts: alone === '' ? [] : [alone], takesNames: false };
  }
  return undefined;
}

/** How many words of a filler there are at a token. */
function fillerLength(tokens: readonly Token[], at: number, filler: Clause['filler']): number {
  if (filler === undefined) return 0;
  return wordAt(tokens, at) === filler ? 1 : (meaningAmong(tokens, at, [filler])?.length ?? 0);
}

function accepts({ takes }: Clause, word: string, { texts }: Pick<Taken, 'texts'>): boolean {
  return takes === undefined || takes(texts.join(' '), word);
}

/** What follows the usual word of a clause, or any of one that knows what it `takes`, and makes none, or not as a whole: `remind banana`, `due 15 dec 25:00`. */
function unreadParts(
  { tokens, meanings }: Line,
  clauses: Clauses,
  { known, first }: { known: readonly Part[]; first: number },
): Part[] {
  const begins = (at: number) => known.some(({ start }) => start === at);
  const isInside = (at: number) => known.some(({ start, end, takesNames }) => !takesNames && at > start && at < end);
  return clauses.flatMap(([name, { clause, ...kind }]): Part[] => {
    if (kindOf({ clause, ...kind }).take === undefined) return [];
    const words = clause.takes ? clause.words : clause.words.slice(0, 1);
    const lastAt = (begin: (at: number) => boolean) =>
      tokens.findLastIndex((_, at) => at >= first && !isInside(at) && begin(at));
    const inEnglish = lastAt((at) => words.includes(wordAt(tokens, at) ?? ''));
    const start = inEnglish === -1 ? lastAt((at) => meansOnly(meanings[at] ?? [], words)) : inEnglish;
    const word = wordAt(tokens, start) ?? '';
    const own = known.find((part) => part.field === name);
    if (start === -1 || (own && own.start !== start)) return [];
    const from = own?.end ?? start + 1;
    const isNext = (at: number) =>
      begins(at) ||
      clauses.some(([, other]) => other.clause.after === undefined && other.clause.words[0] === wordAt(tokens, at));
    const next = tokens.findIndex((_, at) => at >= from && isNext(at));
    const end = next === -1 ? tokens.length : next;
    if (end === from) return [];
    const text = inWords(tokens.slice(start + 1, end));
    if (!accepts(clause, word, { texts: [text] })) return [];
    return [{ field: name, start, end, texts: [word === words[0] ? text : `${word} ${text}`], takesNames: false }];
  });
}

function readParts(
  line: string,
  tokens: readonly Token[],
  chosen: readonly Part[],
  { fields, subject }: { fields: Fields; subject: string },
): { input: TextInput; quotedWords: number } {
  // Of two parts of a field, the last is meant: it is the other one and what follows.
  const parts = [...new Map(chosen.map((part) => [part.field, part])).values()].toSorted((a, b) => a.start - b.start);
  const typed: Record<string, readonly string[]> = {};
  const words: string[] = [];
  let quotedWords = 0;
  let at = 0;
  for (const part of [...parts, undefined]) {
    for (const token of tokens.slice(at, part?.start)) {
      if (token.kind === 'separator') continue;
      words.push(inWords([token]));
      if (token.kind !== 'word') quotedWords = words.join(' ').split(' ').length;
    }
    if (part === undefined) break;
    if (part.texts.length > 0) typed[part.field] = part.texts;
    at = part.end;
    const field = fields[part.field];
    if (part.takesNames && field) {
      at = parts.find(({ start }) => start >= part.end)?.start ?? tokens.length;
      const names = line.slice(tokens[part.end]?.start ?? line.length, tokens[at]?.start).trim();
      if (names !== '') typed[part.field] = kindOf(field).split(names, field);
    }
  }
  return { input: { ...(words.length > 0 && { [subject]: [words.join(' ')] }), ...typed }, quotedWords };
}

/** Picks from each list, the combinations first whose picks are nearest to the beginnings of the lists. */
function cheapest<Item>(lists: readonly (readonly Item[])[], most: number): Item[][] {
  const combinations: Item[][] = [];
  const total = lists.reduce((sum, { length }) => sum + length - 1, 0);
  for (let cost = 0; cost <= total && combinations.length < most; cost += 1)
    combinations.push(...ofCost(lists, cost).slice(0, most - combinations.length));
  return combinations;
}

function ofCost<Item>([list, ...others]: readonly (readonly Item[])[], cost: number): Item[][] {
  if (list === undefined) return cost === 0 ? [[]] : [];
  return list
    .slice(0, cost + 1)
    .flatMap((item, index) => ofCost(others, cost - index).map((rest) => [item, ...rest]))
    .toReversed();
}

/** What people leave the words out for. */
interface LineShape {
  /** The field of the words that belong to no clause. */
  subject: string;
  /** The field of the names that follow them. */
  object?: string;
  /** The field of the time at the end; undefined where none is typed. */
  time?: string;
}

/**
 * The ways to read an input in which words are missing: `workplace kitchen friday` for `workplace for kitchen due friday`, the
 * likeliest first.
 *
 * @param quotedWords how many words of the subject, from its beginning, hold quoted text: no time begins in them
 */
function withMissingWords(
  input: TextInput,
  fields: Fields,
  { subject, object, time = '' }: LineShape,
  quotedWords: number,
): TextInput[] {
  const givenTime = time === '' ? [] : input[time];
  const { [subject]: [words = ''] = [], ...others } = input;
  if (words === '') return [];
  const own = timesAtEnd(words, givenTime, Math.max(quotedWords, canLack(fields, subject) ? 0 : 1));
  const objectField = object === undefined ? undefined : fields[object];
  if (object === undefined || objectField === undefined)
    return own.flatMap(([before, text]) =>
      text === undefined ? [] : [{ ...others, ...(before !== '' && { [subject]: [before] }), [time]: [text] }],
    );
  const names = others[object];
  if (names !== undefined) {
    const last = names.at(-1) ?? '';
    return timesAtEnd(last, givenTime, 1).flatMap(([before, text]) =>
      text === undefined ? [] : [{ ...input, [object]: [...names.slice(0, -1), before], [time]: [text] }],
    );
  }
  return own.flatMap(([before, text]) => {
    const rest: TextInput = { ...others, ...(text !== undefined && { [time]: [text] }) };
    const { parted, rescues } = partLine(before, 'for', { isOptional: false, canSwap: true });
    const inBoth = [...parted, ...rescues].flatMap(([one, two = '']) =>
      one === '' || two === ''
        ? []
        : [{ [subject]: [one], [object]: kindOf(objectField).split(two, objectField), ...rest }],
    );
    return [...inBoth, ...(text === undefined ? [] : [{ [subject]: [before], ...rest }])];
  });
}

/** Whether a line can do without the field, since it follows from where the person is. */
function canLack(fields: Fields, name: string): boolean {
  const field = fields[name];
  return field !== undefined && kindOf(field).followsFromPlace;
}

/** A text without and with the time at its end, if none is given already: the longest time first. `first` is the index of the first word that can begin it. */
function timesAtEnd(
  text: string,
  given: readonly string[] | undefined,
  first: number,
): [before: string, time: string | undefined][] {
  if (given !== undefined) return [[text, undefined]];
  const words = text.split(' ');
  // A time, and what stands behind it such as “later”, is short: the whole of a long line would take the square of its words.
  const begin = Math.max(first, words.length - 2 * timeWordsAtMost);
  const from = words.findIndex((_, index) => index >= begin && timeOrMore(words.slice(index).join(' ')) !== undefined);
  return [
    ...(from === -1 ? [] : [[words.slice(0, from).join(' '), words.slice(from).join(' ')] as [string, string]]),
    [text, undefined],
  ];
}

const rescuesAtMost = 5;

/** The fields of two names, in the order in which people type them. */
export interface TwoNames {
  first: string;
  second: string;
  /** The word between them where they come the other way round: `Rosa from fire safety`. */
  turnedAt: string;
  /** The field of what follows a comma behind them: `Rosa from fire safety, on leave`. */
  afterComma?: string;
}

/**
 * Reads a line of two names, in either order, and the clauses that the fields declare: `fire safety Rosa, Kim until 1 feb because on
 * leave`. `alone`: the line as that of the second name, `Rosa, Kim until 1 feb because on leave`.
 */
export function parseNamesAndClauses(
  line: string,
  fields: Fields,
  names: TwoNames,
): Required<Omit<Readings, 'rivals'>> & { alone: Readings['inputs'] } {
  const tokens = tokenize(line);
  const { chosen, strange } = partsIn(tokens, fields);
  const texts = [...chosen, ...(strange ? [strange] : [])].map(
    (parts) => [textOutside(line, tokens, parts), clausesIn(parts)] as const,
  );
  const ways = [...texts, ...texts.slice(0, 1).flatMap(withoutTime)].map(([text, clauses]) => {
    const { usual, turned } = readNames(text, fields, names);
    return {
      inputs: usual.map((input) => ({ ...input, ...clauses })),
      rescues: turned
        .filter((input) => Object.keys(input).every((field) => clauses[field] === undefined))
        .map((input) => ({ ...input, ...clauses })),
      alone: { ...namesIn(text, fields, names.second), ...clauses },
    };
  });
  const rescues = ways.flatMap((way) => way.rescues).slice(0, rescuesAtMost);
  const inputs = ways.flatMap((way) => way.inputs);
  const asked = inputs.filter((input) => leftOverField in input).slice(0, rescuesAtMost);
  const most = readingsAtMost - rescues.length - asked.length;
  const [first = {}, ...others] = [...new Set([...inputs.slice(0, most), ...asked])];
  const [alone = {}, ...othersAlone] = ways.map((way): TextInput => way.alone).slice(0, readingsAtMost);
  return { inputs: [first, ...others], rescues, alone: [alone, ...othersAlone] };
}

/** The names without a time at their end that no clause takes, such as `before 1 feb`: what it means is asked in the form. */
function withoutTime([text, clauses]: readonly [string, TextInput]): (readonly [string, TextInput])[] {
  return timesAtEnd(text, undefined, 1).flatMap(([names, time]) => {
    const [, before = names, word = ''] = /^(.+?) (to|after|since|through)$/i.exec(names) ?? [];
    return time === undefined ? [] : [[before, { ...clauses, [leftOverField]: [`${word} ${time}`.trim()] }] as const];
  });
}

function clausesIn(parts: readonly Part[]): TextInput {
  return Object.fromEntries(parts.map(({ field, texts }) => [field, texts]));
}

function namesIn(typed: string, fields: Fields, name: string): TextInput {
  const field = fields[name];
  return field === undefined || typed.trim() === '' ? {} : { [name]: kindOf(field).split(typed.trim(), field) };
}

function readNames(text: string, fields: Fields, names: TwoNames): { usual: TextInput[]; turned: TextInput[] } {
  const { first, second, turnedAt, afterComma } = names;
  const textsOf = (name: string, typed: string) => namesIn(typed, fields, name);
  const inOrder = (one: string, two: string) => ({ ...textsOf(first, one), ...textsOf(second, two) });
  const { parted, rescues, isLoose } = partLine(text, turnedAt, { isOptional: false, canSwap: true });
  if (isLoose) {
    const straight = parted.map(([one, two = '']) => inOrder(one, two));
    const swapped = parted.map(([one, two = '']) => inOrder(two, one));
    return { usual: parted.length === 0 ? [inOrder(text, '')] : [...straight, ...swapped], turned: [] };
  }
  const afterCommas = parted.flatMap(([one, two = '']) =>
    [...two.matchAll(/[,;–—]\s+/g)].map(({ index, 0: comma }) => ({
      ...inOrder(two.slice(0, index), one),
      ...(afterComma !== undefined && textsOf(afterComma, two.slice(index + comma.length))),
    })),
  );
  return {
    usual: [...parted, ...rescues].map(([one, two = '']) => inOrder(two, one)),
    turned: afterComma === undefined ? [] : afterCommas,
  };
}

/** What belongs to no clause. */
function textOutside(line: string, tokens: readonly Token[], parts: readonly Part[]): string {
  const sorted = parts.toSorted((a, b) => a.start - b.start);
  const ends = [0, ...sorted.map(({ end }) => tokens[end]?.start ?? line.length)];
  return ends
    .map((from, index) =>
      line.slice(from, index < sorted.length ? tokens[sorted[index]!.start]?.start : undefined).trim(),
    )
    .filter((text) => text !== '')
    .join(', ')
    .replace(/[\s,;]+$/, '');
}
