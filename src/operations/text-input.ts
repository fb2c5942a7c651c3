import { createHash } from 'node:crypto';
import { inEnglish } from '../domain/said.ts';

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
