import { say } from '../../domain/said.ts';
import { InvalidInputError, type TextInput } from '../text-input.ts';
import type { FieldOption } from '../fields/choice.ts';
import { kindOf, type Field, type Fields } from '../fields/fields.ts';
import { meaningAmong } from '../other-words/meanings.ts';
import { inWords, mentionsInWords, partsOf, quote, wordAt, type Token, type Taken } from '../typed-text.ts';

/**
 * A part of a filter: what stands alone for a field, such as `failed`; the word of a clause, such as `in`, after which come names; or a
 * word that can belong to a name.
 */
export type FilterPart = (
  | { kind: 'value'; field: string; texts: readonly string[] }
  | { kind: 'clause'; field: string }
  | { kind: 'name' }
) & { token: Token; start: number; end: number };

/**
 * The parts of a line, in order. The first word after that of a clause is a name, whatever it means: “in Administration”.
 * @param fillers words that say nothing beside a value: “open quizzes”, “only failed”
 * @param options.areOwn whether an option has to be named by its own words, since others can belong to a name
 */
export function filterParts(
  line: string,
  fields: Fields,
  fillers: readonly string[] = [],
  { areOwn = false } = {},
): FilterPart[] {
  const typed = withoutPrefixes(partsOf(line), fields);
  const tokens = typed.map((token) =>
    token.kind === 'word' ? { ...token, text: token.text.replace(/(?<=.),$/, '') } : token,
  );
  const parts: FilterPart[] = [];
  for (let at = 0; at < tokens.length;) {
    const before = parts.at(-1);
    const value = before?.kind === 'clause' ? undefined : valueAt(tokens, at, fields, areOwn);
    const clause = value ? undefined : clauseAt(tokens, at, fields, parts);
    const filler = value || clause ? 0 : fillerAt(tokens, at, fillers);
    const isFiller =
      filler > 0 && (before?.kind === 'value' || valueAt(tokens, at + filler, fields, areOwn) !== undefined);
    const end = value?.end ?? clause?.end ?? at + (isFiller ? filler : 1);
    const place = { token: typed[at]!, start: typed[at]!.start, end: typed[end - 1]!.end };
    if (value) {
      parts.push({ kind: 'value', field: value.field, texts: value.texts, ...place });
      at = end;
      for (const [field, texts, to] of followersAt(tokens, end, value, fields)) {
        parts.push({
          kind: 'value',
          field,
          texts,
          token: typed[at]!,
          start: typed[at]!.start,
          end: typed[to - 1]!.end,
        });
        at = to;
      }
      continue;
    }
    if (clause) parts.push({ kind: 'clause', field: clause.field, ...place });
    else if (!isFiller) parts.push({ kind: 'name', ...place });
    at = end;
  }
  return parts;
}

/**
 * Reads the filter of a list as people type it, in any order and language. Words that are nothing else, and everything in quotation
 * marks, are the name.
 * @throws {InvalidInputError} where two parts exclude each other, or nothing follows the word of a clause
 */
export function parseFilter(
  line: string,
  fields: Fields,
  { name, fillers }: { name: string; fillers?: readonly string[] },
): [TextInput] {
  const parts = filterParts(line, fields, fillers);
  const names = new Map<string, Token[]>();
  let open = name;
  for (const [index, { kind, token, ...part }] of parts.entries()) {
    if (kind === 'name') names.set(open, [...(names.get(open) ?? []), token]);
    // A quoted name is whole.
    open = 'field' in part && kind === 'clause' ? part.field : kind === 'name' && token.kind === 'word' ? open : name;
    if (kind === 'clause' && parts[index + 1]?.kind !== 'name')
      throw new InvalidInputError(
        open,
        say`Something is missing after “${token.text}”. Type it like ${fields[open]!.clause!.example}.`,
      );
  }
  const ofNames = [...names].flatMap(([field, words]) => {
    const named = words.filter(({ text }) => text !== '');
    return named.length === 0 ? [] : [[field, textsOf(named, fields[field]!)]];
  });
  return [{ ...valuesIn(parts, line, fields), ...Object.fromEntries(ofNames) }];
}

/** What words are for the field of a name; for one of several names, each of them. */
function textsOf(words: readonly Token[], field: Field): string[] {
  if (field.kind !== 'audience') return [inWords(words)];
  return kindOf(field).split(words.map(({ kind, text }) => (kind === 'quoted' ? quote(text) : text)).join(' '), field);
}

/**
 * What the values among the parts of a line say. Of a kind with several texts, such as a period, each adds to the others.
 * @throws {InvalidInputError} where two exclude each other
 */
export function valuesIn(parts: readonly FilterPart[], line: string, fields: Fields): TextInput {
  const input: Record<string, readonly string[]> = {};
  const values = parts.filter((part) => part.kind === 'value');
  for (const { field, texts, start, end } of values) {
    const before = input[field];
    if (before === undefined || fields[field]?.kind === 'period') input[field] = [...(before ?? []), ...texts];
    else if (before.join() !== texts.join()) {
      const other = values.find((value) => value.field === field)!;
      const [one, two] = [other, { start, end }].map((part) => mentionsInWords(line.slice(part.start, part.end)));
      throw new InvalidInputError(field, say`Choose either “${one ?? ''}” or “${two ?? ''}”.`);
    }
  }
  return input;
}

/** `open` for `is:open` and `status:open`. */
function withoutPrefixes(tokens: readonly Token[], fields: Fields): Token[] {
  return tokens.map((token) => {
    const [, prefix = '', rest = ''] = (token.kind === 'word' && /^(\w+):(.+)$/.exec(token.text)) || [];
    return prefix === 'is' || Object.hasOwn(fields, prefix) ? { ...token, text: rest } : token;
  });
}

/** A percentage as people type it: `60`, `62,5 %`; undefined for any other text, and where it is none up to 100. */
export function percentageIn(typed: string): number | undefined {
  const [, digits] = /^(\d{1,3}(?:[.,]\d{1,4})?)\s*%?$/.exec(typed) ?? [];
  const percentage = Number(digits?.replace(',', '.'));
  return percentage > 0 && percentage <= 100 ? percentage : undefined;
}

/** What stands alone at a token, or follows a word there as what it takes: `below 60`. */
function valueAt(
  tokens: readonly Token[],
  at: number,
  fields: Fields,
  areOwn: boolean,
): (Taken & { field: string }) | undefined {
  for (const [field, own] of Object.entries(fields)) {
    const { words = [], standsAlone, takes, after } = own.clause ?? {};
    const word = takes && after === undefined ? fillerAt(tokens, at, words) : 0;
    const taken = standsAlone || word > 0 ? kindOf(own).take?.(tokens, at + word, own) : undefined;
    if (taken && takes?.(taken.texts.join(' '), '') === false) continue;
    if (taken && !(areOwn && 'options' in own && !isOwn(tokens.slice(at, taken.end), taken, own.options)))
      return { field, ...taken };
  }
  return undefined;
}

function isOwn(tokens: readonly Token[], { texts }: Taken, options: readonly FieldOption[]): boolean {
  const option = options.find(({ value }) => value === texts[0]);
  return (option?.typed ?? option?.value) === tokens.map(({ text }) => text.toLowerCase()).join(' ');
}

/** What belongs to a value and stands behind it, such as a limit, or a time of day and its zone. */
function followersAt(
  tokens: readonly Token[],
  from: number,
  { field: of, texts: [value = ''] }: { field: string; texts: readonly string[] },
  fields: Fields,
): [field: string, texts: readonly string[], end: number][] {
  const found: [string, readonly string[], number][] = [];
  let at = from;
  for (const [field, own] of Object.entries(fields)) {
    const { clause, shownWhen } = own;
    if (clause?.after !== of || (shownWhen && !shownWhen.is.includes(value))) continue;
    const word = fillerAt(tokens, at, clause.words);
    const taken = kindOf(own).take?.(tokens, at + word, own);
    if (taken === undefined || clause.takes?.(taken.texts.join(' '), '') === false) continue;
    found.push([field, taken.texts, taken.end]);
    at = taken.end;
  }
  return found;
}

/** The clause of names whose word stands at a token. A word of another language is one only where no name stands before it. */
function clauseAt(
  tokens: readonly Token[],
  at: number,
  fields: Fields,
  before: readonly FilterPart[],
): { field: string; end: number } | undefined {
  if (before.some(({ kind }) => kind === 'clause')) return undefined;
  for (const [field, { clause }] of Object.entries(fields)) {
    if (clause === undefined || clause.standsAlone) continue;
    if (clause.words.includes(wordAt(tokens, at) ?? '')) return { field, end: at + 1 };
    const meaning = before.some(({ kind }) => kind === 'name') ? undefined : meaningAmong(tokens, at, clause.words);
    if (meaning && at + meaning.length < tokens.length) return { field, end: at + meaning.length };
  }
  return undefined;
}

/** How many words of a filler stand at a token. */
function fillerAt(tokens: readonly Token[], at: number, fillers: readonly string[]): number {
  const both = `${wordAt(tokens, at) ?? ''} ${wordAt(tokens, at + 1) ?? ''}`;
  if (fillers.includes(both)) return 2;
  return fillers.includes(wordAt(tokens, at) ?? '') ? 1 : (meaningAmong(tokens, at, fillers)?.length ?? 0);
}
