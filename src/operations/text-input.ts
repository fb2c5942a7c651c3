/**
 * What was typed or chosen, by field name: names, parts of names, ids, e-mail addresses; mentions as `formatMention`
 * writes them. Each of several assignees is a text of its own.
 */
export type TextInput = Readonly<Record<string, readonly string[]>>;

/** The input in which a person gives a reason, beside the fields of the operation. */
export const reasonField = 'reason';
