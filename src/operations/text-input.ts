import { createHash } from 'node:crypto';
import { InvigilatorError } from '../domain/errors.ts';
import { inEnglish, named, say } from '../domain/said.ts';

/**
 * What was typed or chosen, by field name: names, parts of names, ids, e-mail addresses; mentions as `formatMention`
 * writes them. Each of several assignees is a text of its own.
 */
export type TextInput = Readonly<Record<string, readonly string[]>>;

/** The input of what is there: texts that are empty are left out. */
export function given(texts: Readonly<Record<string, string | readonly string[] | false | undefined>>): TextInput {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text && text.length > 0 ? [[name, [text].flat()]] : [])),
  );
}

/**
 * Whether a text is an ID, as buttons, options and links hold them: a UUID of the service (specification 2) or one of the bot’s own.
 * Nobody types it, and nobody should read it.
 */
export function isOpaqueId(text: string): boolean {
  return /^(?:\w+:)?[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i.test(text);
}

/** What a button, an option or a link named, and the person finds nowhere. */
export const goneOrUnseen = say`This isn’t there any more, or you can’t see it.`;

/** The input in which a person gives a reason, beside the fields of the operation. */
export const reasonField = 'reason';

/** The words of a line that no field takes: the form opens, and names them. */
export const leftOverField = 'left over';

/** The input in which a person confirms a warning. */
export const confirmationField = 'confirmed';

/** What a person sends to confirm a warning. It belongs to the sentence they read: another warning needs another one. */
export function confirmationOf(warning: string): string {
  return createHash('sha256').update(inEnglish(warning)).digest('base64url').slice(0, 16);
}

/** Reads the number of a page, from 1; the first for anything else. A view shows the last page where the number is too high. */
export function readPage(typed: string | undefined): number {
  return Math.max(1, Math.trunc(Number(typed ?? 1)) || 1);
}

/** A text that fits several things, or none. */
export interface UnclearValue {
  kind: 'unclear';
  /** Which of several texts it is, from 0. */
  index: number;
  typed: string;
  noun: Noun;
  candidates: Candidate[];
  /** How many things fit; candidates can be fewer. */
  count: number;
  /** False when nothing fits and the candidates are the nearest names. */
  isAlike: boolean;
  /** Words that the nearest name doesn’t have: a change of what has it would leave them out, so it’s not among the candidates. */
  strange?: string;
  /** The reading of the line that the text belongs to, where it is not the likeliest. */
  input?: TextInput;
}

/** A text that fits these things. @param how.isAlike false where they have the nearest names of what nothing is called */
export function unclear<const N extends Noun>(
  typed: string,
  noun: N,
  candidates: Candidate[],
  how: { count?: number; isAlike?: boolean } = {},
): UnclearValue & { noun: N } {
  return { kind: 'unclear', index: 0, typed, noun, candidates, count: candidates.length, isAlike: true, ...how };
}

/** `value` is the text that resolves to the thing. `input`: the whole input that is meant, and the label says what it does. */
export interface Candidate {
  value: string;
  label: string;
  input?: TextInput;
}

/** `meaning`: a text that is understood in two ways. */
export type Noun = 'meaning' | 'quiz' | 'user' | 'group' | 'user or group' | 'subscription' | 'attempt' | 'campaign';

/** The input of a field is refused. The message, a sentence of `domain/said.ts`, says what to do. */
export class InvalidInputError extends InvigilatorError {
  readonly code = 'invalid_input';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The input of a field fits several things that only the operation knows, or none, and people are offered what there is. */
export class UnclearInputError extends InvalidInputError {
  readonly unclear: UnclearValue;

  constructor(field: string, value: UnclearValue) {
    super(field, say`${named(value.typed)} matches ${value.count} names. Type more of the name.`);
    this.unclear = value;
  }
}
