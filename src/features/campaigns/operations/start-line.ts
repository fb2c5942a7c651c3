import { longestTime, parseTime } from '../../../operations/dates/time-expression.ts';
import { parseDuration } from '../../../operations/fields/durations.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { mentionsInWords, parseMention, splitList, tokenize, type Token } from '../../../operations/typed-text.ts';

/** Each reading is looked up in the directory. */
const readingsAtMost = 20;
/** Of the same word in a line, the last ones. */
const occurrencesAtMost = 5;

/** The words that begin a part of the line, those first that are most often words of a name. */
const keywords = [
  'for',
  'except',
  'board',
  'due',
  'overdue',
  'repeat',
  'allow',
  'say',
  'complete',
  'remind',
  'escalate',
] as const;
type Keyword = (typeof keywords)[number];

/** A part of the line, such as `remind 7d, 1d`. */
interface Part {
  keyword: Keyword;
  /** Indexes of tokens; `end` is the first after the part. */
  start: number;
  end: number;
  typed: TextInput;
  /** The field of the names that follow, up to the next part. */
  names?: 'to' | 'except' | 'lead';
}

/**
 * Reads `"Fire safety" for #kitchen, Rosa except Kim due 15 dec remind 7d, 1d board #training`: the parts after the name of
 * the quiz come in any order. A word belongs to a name where what follows it makes no part, and in quotation marks.
 *
 * @returns every way to read it, the likeliest first: the one in which as many words as possible begin a part, and of a word
 *   that comes several times, the last
 */
export function parseStartLine(line: string): [TextInput, ...TextInput[]] {
  const tokens = tokenize(line);
  const found = tokens.flatMap((_, index) => partAt(tokens, index) ?? []);
  const outermost = found.filter(({ start }, index) => !found.slice(0, index).some((earlier) => start < earlier.end));
  const choices = keywords.map((keyword) => [
    ...outermost
      .filter((part) => part.keyword === keyword)
      .slice(-occurrencesAtMost)
      .toReversed(),
    undefined,
  ]);
  const [likeliest, ...others] = cheapest(choices, readingsAtMost).map((parts) =>
    read(
      line,
      tokens,
      parts.filter((part) => part !== undefined),
    ),
  );
  return [likeliest ?? {}, ...others];
}

function read(line: string, tokens: readonly Token[], chosen: readonly Part[]): TextInput {
  const parts = chosen.toSorted((a, b) => a.start - b.start);
  const typed: Record<string, readonly string[]> = {};
  const quiz: string[] = [];
  let at = 0;
  for (const part of [...parts, undefined]) {
    for (const token of tokens.slice(at, part?.start))
      if (token.kind !== 'separator') quiz.push(token.kind === 'mention' ? mentionsInWords(token.text) : token.text);
    if (part === undefined) break;
    Object.assign(typed, part.typed);
    at = part.end;
    if (part.names) {
      at = parts.find(({ start }) => start >= part.end)?.start ?? tokens.length;
      const names = line.slice(tokens[part.end]?.start ?? line.length, tokens[at]?.start);
      if (names.trim() !== '') typed[part.names] = part.names === 'lead' ? [names.trim()] : splitList(names);
    }
  }
  return { ...(quiz.length > 0 && { quiz: [quiz.join(' ')] }), ...typed };
}

/** The part that begins at a token; undefined where what follows makes none. */
function partAt(tokens: readonly Token[], start: number): Part | undefined {
  const word = (index: number) => (tokens[index]?.kind === 'word' ? tokens[index].text.toLowerCase() : undefined);
  const keyword = keywords.find((known) => known === word(start));
  const next = start + 1;
  switch (keyword) {
    case undefined:
      return undefined;
    case 'for':
    case 'except':
      return next < tokens.length
        ? { keyword, start, end: next, typed: {}, names: keyword === 'for' ? 'to' : 'except' }
        : undefined;
    case 'due':
      return duePart(tokens, start);
    case 'remind': {
      const { durations, end } = durationsAt(tokens, next);
      return durations.length > 0
        ? { keyword, start, end: word(end) === 'before' ? end + 1 : end, typed: { remind: durations } }
        : undefined;
    }
    case 'overdue': {
      const {
        durations: [every],
        end,
      } = durationsAt(tokens, word(next) === 'every' ? next + 1 : next);
      return every === undefined ? undefined : { keyword, start, end, typed: { overdue: [every] } };
    }
    case 'escalate':
      return escalatePart(tokens, start);
    case 'board': {
      const token = tokens[next];
      if (token?.kind === 'mention' && parseMention(token.text)?.kind === 'channel')
        return { keyword, start, end: next + 1, typed: { board: [token.text] } };
      if (word(next) === 'here') return { keyword, start, end: next + 1, typed: { board: ['here'] } };
      return token === undefined || partAt(tokens, next)
        ? { keyword, start, end: next, typed: { board: ['here'] } }
        : undefined;
    }
    case 'complete': {
      const at = word(next) === 'when' ? next + 1 : next;
      const state = word(at);
      return state === 'passed' || state === 'submitted'
        ? { keyword, start, end: at + 1, typed: { complete: [state] } }
        : undefined;
    }
    case 'say': {
      const token = tokens[next];
      return token?.kind === 'quoted'
        ? { keyword, start, end: next + 1, typed: { say: [mentionsInWords(token.text)] } }
        : undefined;
    }
    case 'repeat':
      return word(next) === 'yearly' ? { keyword, start, end: next + 1, typed: { repeat: ['yearly'] } } : undefined;
    case 'allow':
      return word(next) === 'stop' ? { keyword, start, end: next + 1, typed: { allow: ['stop'] } } : undefined;
  }
}

function duePart(tokens: readonly Token[], start: number): Part | undefined {
  const next = tokens[start + 1];
  if (next?.kind === 'quoted')
    return parseTime(next.text.split(/\s+/)) && { keyword: 'due', start, end: start + 2, typed: { due: [next.text] } };
  const rest = tokens.slice(start + 1);
  const ended = rest.findIndex(({ kind }) => kind !== 'word');
  const words = rest.slice(0, ended === -1 ? undefined : ended).map(({ text }) => text);
  const time = longestTime(words);
  return (
    time && {
      keyword: 'due',
      start,
      end: start + 1 + time.length,
      typed: { due: [words.slice(0, time.length).join(' ').replace(/,$/, '')] },
    }
  );
}

function escalatePart(tokens: readonly Token[], start: number): Part | undefined {
  const isWord = (index: number, word: string) =>
    tokens[index]?.kind === 'word' && tokens[index].text.toLowerCase() === word;
  const {
    durations: [after],
    end,
  } = durationsAt(tokens, isWord(start + 1, 'after') ? start + 2 : start + 1);
  const typed: TextInput = after === undefined ? {} : { escalate: [after] };
  const lead = isWord(end, 'to') ? tokens[end + 1] : undefined;
  if (lead === undefined) return after === undefined ? undefined : { keyword: 'escalate', start, end, typed };
  if (lead.kind === 'word') return { keyword: 'escalate', start, end: end + 1, typed, names: 'lead' };
  return { keyword: 'escalate', start, end: end + 2, typed: { ...typed, lead: [lead.text] } };
}

const everyWords: Readonly<Record<string, string>> = { daily: '1d', weekly: '1w', none: 'none' };

/** Durations in a row: `7d, 1d`, `7 days and 12h`, `daily`. */
function durationsAt(tokens: readonly Token[], from: number): { durations: string[]; end: number } {
  const durations: string[] = [];
  let end = from;
  for (let at = from; at < tokens.length;) {
    const [first, second] = [tokens[at], tokens[at + 1]].map((token) =>
      token?.kind === 'word' ? token.text.replace(/,$/, '') : '',
    );
    const length = [1, 2].find(
      (count) => parseDuration(count === 1 ? (first ?? '') : `${first} ${second}`) !== undefined,
    );
    const known = everyWords[first?.toLowerCase() ?? ''];
    if (known !== undefined) durations.push(known);
    else if (length !== undefined) durations.push(length === 1 ? (first ?? '') : `${first} ${second}`);
    else if (!(durations.length > 0 && (tokens[at]?.kind === 'separator' || /^(?:and|&|,)$/i.test(first ?? '')))) break;
    at += known === undefined ? (length ?? 1) : 1;
    if (known !== undefined || length !== undefined) end = at;
  }
  return { durations, end };
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
