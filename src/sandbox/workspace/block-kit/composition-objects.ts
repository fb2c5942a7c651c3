import { z } from 'zod';
import { type Limit, limits } from '../limits.ts';

/** A string within a limit. It needs at least one character unless the limit sets another minimum. */
export const characters = (limit: Limit) =>
  z
    .string()
    .min(limit.min ?? 1)
    .max(limit.max);

// Composition objects: https://docs.slack.dev/reference/block-kit/composition-objects

export const plainText = (limit: Limit) =>
  z.strictObject({ type: z.literal('plain_text'), text: characters(limit), emoji: z.boolean().optional() });

export const mrkdwn = (limit: Limit) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: characters(limit), verbatim: z.boolean().optional() });

export const anyText = (limit: Limit) => z.discriminatedUnion('type', [plainText(limit), mrkdwn(limit)]);

const confirm = z.strictObject({
  title: plainText(limits.confirmTitle),
  text: anyText(limits.confirmText),
  confirm: plainText(limits.confirmButton),
  deny: plainText(limits.confirmButton),
  style: z.enum(['primary', 'danger']).optional(),
});

export const webAddress = (limit: Limit) =>
  characters(limit).refine((value) => /^https?:\/\//i.test(value), 'must be a valid URL');

export type PlainText = z.infer<ReturnType<typeof plainText>>;
type Mrkdwn = z.infer<ReturnType<typeof mrkdwn>>;
export type AnyText = PlainText | Mrkdwn;
export type Confirm = z.infer<typeof confirm>;

const value = { value: characters(limits.optionValue) };

/** An option of a select menu. Slack allows plain text only. */
export const plainOption = z.strictObject({
  ...value,
  text: plainText(limits.optionText),
  description: plainText(limits.optionDescription).optional(),
});

/** An option of radio buttons or checkboxes. Slack allows mrkdwn here. */
export const choiceOption = z.strictObject({
  ...value,
  text: anyText(limits.optionText),
  description: anyText(limits.optionDescription).optional(),
});

/** An option of an overflow menu, the only kind of option that can be a link. */
export const overflowOption = plainOption.extend({ url: characters(limits.optionUrl).optional() });

const optionGroup = z.strictObject({
  label: plainText(limits.groupLabel),
  options: z.array(plainOption).min(limits.selectOptions.min).max(limits.selectOptions.max),
});

export const optionList = z.array(plainOption).min(limits.selectOptions.min).max(limits.selectOptions.max);
export const optionGroups = z.array(optionGroup).min(limits.selectGroups.min).max(limits.selectGroups.max);

/** The response to an options request. Unlike a menu, it can have no options. */
export const optionsAnswer = z.union([
  z.object({ options: z.array(plainOption).max(limits.selectOptions.max) }),
  z.object({ option_groups: z.array(optionGroup).max(limits.selectGroups.max) }),
]);

export type Option = z.infer<typeof plainOption>;
export type ChoiceOption = z.infer<typeof choiceOption>;
/** An initial option has to match an offered one exactly, text and description included (each element's page). */
export const isAmong = (offered: readonly ChoiceOption[], chosen: ChoiceOption | undefined): boolean =>
  chosen === undefined || offered.some((option) => JSON.stringify(option) === JSON.stringify(chosen));
export type OptionGroup = z.infer<typeof optionGroup>;

// Properties that several elements share.
export const action = { action_id: characters(limits.actionId).optional() };
export const confirmable = { confirm: confirm.optional() };
export const focusable = { focus_on_load: z.boolean().optional() };
export const placeholdable = { placeholder: plainText(limits.placeholder).optional() };
export const menu = { ...action, ...confirmable, ...focusable, ...placeholdable };
