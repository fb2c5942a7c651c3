import type { TextInput } from './text-input.ts';

/** A part of typed text. `text` has no quotation marks; `start` and `end` include them. */
export interface Token {
  kind: 'word' | 'quoted' | 'mention' | 'separator';
  text: string;
  start: number;
  end: number;
}

/** The quotation marks of keyboards and phones. What a mark opens, each mark of the same family closes. */
const doubleMarks = '"“”„‟＂';
const singleMarks = "'‘’‚‛";
const families = [doubleMarks, '«»', '‹›', '「」', '『』', singleMarks];

const mentionPattern = /(?:person|channel|usergroup):[A-Z0-9]+(?:\|[^\s,;|]*)?(?=[\s,;]|$)/y;

/**
 * Splits typed text at white space. A quotation mark opens at the beginning of a token and closes at the end
 * of one, so `5" pipe` and `O'Brien` have none. A quoted text that nobody closes goes to the end; an apostrophe that
 * nobody closes is a letter. A doubled mark within double quotation marks is that mark. A comma or semicolon
 * is a separator before and after a quoted text or a mention; elsewhere it belongs to the word.
 *
 * Takes time in proportion to the length of the text.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const lastApostrophe = lastClosingApostrophe(text);
  let at = 0;
  while (at < text.length) {
    if (isSpace(text[at])) {
      at += 1;
      continue;
    }
    const token = tokenAt(text, at, lastApostrophe);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

/** The words, quoted texts and mentions, without separators. */
export function partsOf(text: string): Token[] {
  return tokenize(text).filter(({ kind }) => kind !== 'separator');
}

/** The text without the quotation marks around the whole of it, and without white space around. */
export function unquote(text: string): string {
  const typed = text.trim();
  const token = typed === '' ? undefined : tokenAt(typed, 0, lastClosingApostrophe(typed));
  return token?.kind === 'quoted' && token.end === typed.length ? token.text : typed;
}

/** Several things: separated by commas or semicolons, except next to what is quoted and to mentions, which need none. */
export function splitList(text: string): string[] {
  const whole = tokenize(text).filter(({ kind }) => kind === 'quoted' || kind === 'mention');
  const ends = [0, ...whole.map(({ end }) => end)];
  return [...ends.entries()]
    .flatMap(([index, from]) => [
      ...withoutAnds(text.slice(from, whole[index]?.start), {
        isBehind: index > 0,
        isBefore: index < whole.length,
      }).split(/[,;]/),
      whole[index]?.text ?? '',
    ])
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Without “and”, in any language, next to what is quoted and to mentions. */
function withoutAnds(text: string, { isBehind, isBefore }: { isBehind: boolean; isBefore: boolean }): string {
  const plain = isBehind ? text.replace(/^\s*(?:and|&|und|et|y|e|en|i|oraz)(?=\s|$)/i, '') : text;
  return isBefore ? plain.replace(/(?<=^|\s)(?:and|&|und|et|y|e|en|i|oraz)\s*$/i, '') : plain;
}

/** Several people: as `splitList`, and at “and” and “&”. */
export function splitPeople(text: string): string[] {
  const ands = tokenize(text).filter(({ kind, text: word }) => kind === 'word' && /^(?:and|&)$/i.test(word));
  const ends = [0, ...ands.map(({ end }) => end)];
  return ends.flatMap((from, index) => splitList(text.slice(from, ands[index]?.start)));
}

/** A name without the word for what it is: `rosa` for `user rosa` where a user is meant. The word alone is a name. */
export function withoutNoun(text: string, { kind }: { kind: string }): string {
  const nouns = nounsOf[kind];
  return nouns ? text.trim().replace(new RegExp(`^(?:the )?(?:${nouns}):? (?=\\S)`, 'i'), '') : text;
}

const nounsOf: Readonly<Record<string, string>> = {
  user: 'user|person',
  users: 'user|users|person',
  assignees: 'user|group|person',
  subscription: 'from',
};

/** The text in quotation marks. `unquote` gives it back without the white space around it, and `tokenize` as one token. */
export function quote(text: string, [open, close]: readonly [string, string] = ['"', '"']): string {
  return open + text.replaceAll(new RegExp(`[${doubleMarks}]`, 'gu'), '$&$&') + close;
}

/** A person, channel or group of people that was mentioned. `name` is what people call it, without `@` or `#`. */
export interface Mention {
  kind: 'person' | 'channel' | 'usergroup';
  id: string;
  name: string | undefined;
}

/**
 * Writes a mention as text: `person:U123|rosa`. Ids are capital letters and digits, so a quiz called `channel:surfing`
 * is none. A name with white space or separators in it is left out.
 */
export function formatMention({
  kind,
  id,
  name = '',
}: {
  kind: Mention['kind'];
  id: string;
  name?: string | undefined;
}): string {
  return /^[^\s,;|]+$/.test(name) ? `${kind}:${id}|${name}` : `${kind}:${id}`;
}

/** Reads what `formatMention` writes; undefined for any other text. */
export function parseMention(text: string): Mention | undefined {
  if (mentionAt(text, 0) !== text) return undefined;
  const [, kind, id = '', name] = /^(person|channel|usergroup):([A-Z0-9]+)(?:\|(.*))?$/.exec(text) ?? [];
  return { kind: kind === 'person' || kind === 'usergroup' ? kind : 'channel', id, name: name || undefined };
}

/** Tokens as people read them, with a space between. A mention in quotation marks is text. */
export function inWords(tokens: readonly Pick<Token, 'kind' | 'text'>[]): string {
  return tokens.map(({ kind, text }) => (kind === 'mention' ? mentionsInWords(text) : text)).join(' ');
}

/** The text with its mentions as people read them: `@rosa`, `#training`. */
export function mentionsInWords(text: string): string {
  const mentions = tokenize(text).filter(({ kind }) => kind === 'mention');
  return mentions.toReversed().reduce((words, { text: found, start, end }) => {
    const { kind, id, name } = parseMention(found) ?? { kind: 'person', id: found, name: undefined };
    return `${words.slice(0, start)}${kind === 'channel' ? '#' : '@'}${name ?? id}${words.slice(end)}`;
  }, text);
}

/** `lastApostrophe` is where the last apostrophe stands that can close a quoted text. */
function tokenAt(text: string, start: number, lastApostrophe: number): Token {
  if (isSeparator(text[start])) return { kind: 'separator', text: text.charAt(start), start, end: start + 1 };
  const family = openedAt(text, start, lastApostrophe);
  if (family !== undefined) return quotedToken(text, start, family);
  const mention = mentionAt(text, start);
  if (mention !== undefined) return { kind: 'mention', text: mention, start, end: start + mention.length };

  const opens = (at: number) => openedAt(text, at, lastApostrophe) !== undefined || mentionAt(text, at) !== undefined;
  let end = start;
  while (end < text.length && !isSpace(text[end]) && !(isSeparator(text[end]) && opens(end + 1))) end += 1;
  return { kind: 'word', text: text.slice(start, end), start, end };
}

/** The marks that close what a mark here opens; undefined when nothing opens here. */
function openedAt(text: string, at: number, lastApostrophe: number): string | undefined {
  const mark = text.charAt(at);
  const family = mark === '' ? undefined : families.find((marks) => marks.includes(mark));
  if (family !== singleMarks) return family;
  return at + 1 < lastApostrophe && !isSpace(text[at + 1]) ? family : undefined;
}

/** Quotation marks within quotation marks of the same family come in pairs: `"The „best“ quiz"`. */
function quotedToken(text: string, start: number, family: string): Token {
  let content = '';
  let depth = 1;
  for (let at = start + 1; at < text.length; at += 1) {
    const mark = text.charAt(at);
    if (family.includes(mark)) {
      const isDoubled = family === doubleMarks && text[at + 1] === mark;
      if (isDoubled) at += 1;
      else if (isEndOfToken(text, at + 1)) depth -= 1;
      else if (family !== singleMarks && isEndOfToken(text, at - 1)) depth += 1;
      if (depth === 0) return { kind: 'quoted', text: content.trim(), start, end: at + 1 };
    }
    content += mark;
  }
  return { kind: 'quoted', text: content.trim(), start, end: text.length };
}

function mentionAt(text: string, at: number): string | undefined {
  mentionPattern.lastIndex = at;
  return mentionPattern.exec(text)?.[0];
}

function lastClosingApostrophe(text: string): number {
  for (let at = text.length - 1; at > 0; at -= 1)
    if (singleMarks.includes(text.charAt(at)) && isEndOfToken(text, at + 1)) return at;
  return -1;
}

function isEndOfToken(text: string, at: number): boolean {
  return at >= text.length || isSpace(text[at]) || isSeparator(text[at]);
}

function isSeparator(character: string | undefined): boolean {
  return character === ',' || character === ';';
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}

/** How a field is typed in a line whose parts come in any order: `remind 7d, 1d`. */
export interface Clause {
  /** The words that begin it; the first is the usual one. */
  words: readonly string[];
  /** The whole clause as people type it, for those who typed something else. */
  example: string;
  /** Words that may come between, such as “when” in `complete when passed`. */
  filler?: string;
  /** Whether what follows the word is the clause, and no part of a name: “for 2h” is one, and “Ready for Monday” has none. */
  takes?: (text: string, word: string) => boolean;
  /** What is meant where nothing follows. */
  alone?: string;
  /** It needs no word before it, such as `suspended` in the filter of a list. */
  standsAlone?: true;
  /** Follows another field’s clause, such as `to @lead` that of `escalate 3d`, or the time after `daily`. */
  after?: string;
  /** It is the rest of the line, such as `because on leave`. */
  isRest?: true;
}

/** The ways to read a line. */
export interface Readings {
  /** The likeliest first. */
  inputs: readonly [TextInput, ...TextInput[]];
  /** Taken only where they make sense, and the others do not. */
  rescues?: readonly TextInput[];
  /** What the line can mean as well. Where it makes sense both ways, the person is asked. */
  rivals?: readonly TextInput[];
}

/** What tokens say for a field: its texts, and the first token behind them. */
export interface Taken {
  texts: readonly string[];
  end: number;
}

/** The word that a token is, in lower case; undefined for what is quoted, and for a mention. */
export function wordAt(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  return token?.kind === 'word' ? token.text.toLowerCase() : undefined;
}

/** The text of the words from an index on: up to a quoted text, a mention, or a separator, and no more than `atMost`. */
export function wordsFrom(tokens: readonly Token[], from: number, atMost: number): string[] {
  const rest = tokens.slice(from, from + atMost);
  const end = rest.findIndex(({ kind }) => kind !== 'word');
  return rest.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
}

/** The longest text that words begin with and that means something, and how many of them it has. */
export function longestText<Meaning>(
  words: readonly string[],
  read: (text: string) => Meaning | undefined,
): { text: string; length: number; means: Meaning } | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const text = words.slice(0, length).join(' ');
    const means = read(text);
    if (means !== undefined) return { text, length, means };
  }
  return undefined;
}
