import type { TextInput } from '../text-input.ts';
import type { Token } from '../typed-text.ts';

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
