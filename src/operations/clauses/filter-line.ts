import { say } from '../../domain/said.ts';
import { InvalidInputError } from '../errors.ts';
import { kindOf, type Field, type Fields } from '../fields/fields.ts';
import { meaningAmong } from '../other-words/meanings.ts';
import type { TextInput } from '../text-input.ts';
import { mentionsInWords, partsOf, type Token } from '../typed-text.ts';
import { wordAt } from './clause.ts';

interface FilterShape {
  /** The field of the words that belong to no other. */
  name: string;
  /** Words that say nothing beside what narrows the list: “open quizzes”. */
  fillers?: readonly string[];
}

interface Found {
  field: string;
  texts: readonly string[];
  /** The first token behind it. */
  end: number;
}

/**
 * Reads the filter of a list as people type it: what stands alone, such as `suspended`, what follows the word of a clause, such as
 * `in Kitchen`, in any order and language. All other words, and everything in quotation marks, are the name.
 * @throws {InvalidInputError} where two parts exclude each other, or nothing follows the word of a clause
 */
export function parseFilter(line: string, fields: Fields, { name, fillers = [] }: FilterShape): [TextInput] {
  const tokens = withoutPrefixes(partsOf(line), fields);
  const found = new Map<string, { texts: readonly string[]; typed: string }>();
  const names = new Map<string, string[]>();
  let open = { field: name, word: '' };
  for (let at = 0; at < tokens.length;) {
    const isOpenNow = open.field !== name && !names.has(open.field);
    const part = isOpenNow ? undefined : partAt(tokens, at, fields);
    const clause = part || open.field !== name ? undefined : clauseAt(tokens, at, fields, names.has(name));
    if (part) {
      const typed = tokens.slice(at, part.end).map(({ text }) => text);
      const before = found.get(part.field);
      if (before && before.texts.join() !== part.texts.join())
        throw new InvalidInputError(part.field, say`Choose either “${before.typed}” or “${typed.join(' ')}”.`);
      found.set(part.field, { texts: part.texts, typed: typed.join(' ') });
      open = { field: name, word: '' };
      at = part.end;
    } else if (clause) {
      open = { field: clause.field, word: tokens[at]!.text };
      at = clause.end;
    } else {
      const { kind, text } = tokens[at]!;
      const isFiller = found.size > 0 && kind === 'word' && isOneOf(tokens, at, fillers);
      if (!isFiller) names.set(open.field, [...(names.get(open.field) ?? []), mentionsInWords(text)]);
      // A quoted name is whole.
      if (kind !== 'word') open = { field: name, word: '' };
      at += 1;
    }
  }
  const { example = '' } = fields[open.field]?.clause ?? {};
  if (open.word !== '' && !names.has(open.field))
    throw new InvalidInputError(open.field, say`Something is missing after “${open.word}”. Type it like ${example}.`);
  const texts = [...found].map(([field, part]) => [field, part.texts]);
  const ofNames = [...names].flatMap(([field, words]) => {
    const text = words.filter((word) => word !== '').join(' ');
    return text === '' ? [] : [[field, [text]]];
  });
  return [Object.fromEntries([...texts, ...ofNames])];
}

/** `open` for `is:open` and `status:open`. */
function withoutPrefixes(tokens: readonly Token[], fields: Fields): Token[] {
  return tokens.map((token) => {
    const [, prefix = '', rest = ''] = (token.kind === 'word' && /^(\w+):(.+)$/.exec(token.text)) || [];
    return prefix === 'is' || Object.hasOwn(fields, prefix) ? { ...token, text: rest } : token;
  });
}

/** What stands alone at a token. */
function partAt(tokens: readonly Token[], at: number, fields: Fields): Found | undefined {
  if (tokens[at]?.kind !== 'word') return undefined;
  for (const [field, own] of Object.entries(fields)) {
    const taken = own.clause?.standsAlone ? kindOf(own).take?.(tokens, at, own) : undefined;
    if (taken) return { field, ...taken };
  }
  return undefined;
}

/** The clause of names whose word stands at a token. A word of another language is one only where no name stands before it. */
function clauseAt(
  tokens: readonly Token[],
  at: number,
  fields: Fields,
  hasName: boolean,
): { field: string; end: number } | undefined {
  const isClause = (entry: [string, Field]) => entry[1].clause !== undefined && !entry[1].clause.standsAlone;
  for (const [field, { clause }] of Object.entries(fields).filter(isClause)) {
    const words = clause?.words ?? [];
    if (words.includes(wordAt(tokens, at) ?? '')) return { field, end: at + 1 };
    const meaning = hasName ? undefined : meaningAmong(tokens, at, words);
    if (meaning && at + meaning.length < tokens.length) return { field, end: at + meaning.length };
  }
  return undefined;
}

function isOneOf(tokens: readonly Token[], at: number, words: readonly string[]): boolean {
  return words.includes(wordAt(tokens, at) ?? '') || meaningAmong(tokens, at, words)?.length === 1;
}
