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
  text: plainText(limits.confirmText),
  confirm: plainText(limits.confirmButton),
  deny: plainText(limits.confirmButton),
});

/** Slack allows mrkdwn in options of checkboxes, and links in those of an overflow menu: the bot sends neither. */
const option = z.strictObject({
  value: characters(limits.optionValue),
  text: plainText(limits.optionText),
  description: plainText(limits.optionDescription).optional(),
});

/** The response to an options request. Unlike a menu, it can have no options. */
export const optionsAnswer = z.object({ options: z.array(option).max(limits.selectOptions.max) });

/** An initial option has to match an offered one exactly, text and description included (each element's page). */
const isAmong = (offered: readonly Option[], chosen: Option): boolean =>
  offered.some((each) => JSON.stringify(each) === JSON.stringify(chosen));

// Elements: https://docs.slack.dev/reference/block-kit/block-elements. Those that the bot does not send have no schema.

const actionId = { action_id: characters(limits.actionId).optional() };
const menu = { ...actionId, placeholder: plainText(limits.placeholder).optional() };

const button = z.strictObject({
  type: z.literal('button'),
  ...actionId,
  confirm: confirm.optional(),
  text: plainText(limits.buttonText),
  value: characters(limits.buttonValue).optional(),
  url: characters(limits.buttonUrl)
    .refine((url) => /^https?:\/\//i.test(url), 'must be a valid URL')
    .optional(),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: characters(limits.accessibilityLabel).optional(),
});

const overflow = z.strictObject({
  type: z.literal('overflow'),
  ...actionId,
  options: z.array(option).min(limits.overflowOptions.min).max(limits.overflowOptions.max),
});

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...actionId,
    options: z.array(option).min(limits.choiceOptions.min).max(limits.choiceOptions.max),
    initial_options: z.array(option).min(1).optional(),
  })
  .refine((e) => (e.initial_options ?? []).every((chosen) => isAmong(e.options, chosen)), {
    error: '`initial_options` must be among `options`',
    path: ['initial_options'],
  });

const filter = z
  .strictObject({
    include: z.array(z.enum(['im', 'mpim', 'private', 'public'])).min(1),
    exclude_external_shared_channels: z.boolean(),
    exclude_bot_users: z.boolean(),
  })
  .partial();
const conversations = {
  ...menu,
  default_to_current_conversation: z.boolean().optional(),
  filter: filter.optional(),
};
const external = { ...menu, min_query_length: z.number().int().min(0).optional() };

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...menu,
    options: z.array(option).min(limits.selectOptions.min).max(limits.selectOptions.max),
    initial_option: option.optional(),
  })
  .refine((e) => e.initial_option === undefined || isAmong(e.options, e.initial_option), {
    error: '`initial_option` must be among the options',
    path: ['initial_option'],
  });

export const sectionAccessory = z.discriminatedUnion('type', [button, overflow, staticSelect]);
export const actionsElement = z.discriminatedUnion('type', [button, staticSelect]);
export const inputElement = z.discriminatedUnion('type', [
  checkboxes,
  staticSelect,
  z.strictObject({ type: z.literal('external_select'), ...external, initial_option: option.optional() }),
  z.strictObject({
    type: z.literal('multi_external_select'),
    ...external,
    initial_options: z.array(option).min(1).optional(),
  }),
  z.strictObject({ type: z.literal('multi_users_select'), ...menu, initial_users: z.array(z.string()).optional() }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...conversations,
    initial_conversation: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...conversations,
    initial_conversations: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal('datepicker'),
    ...menu,
    initial_date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date in the format YYYY-MM-DD')
      .optional(),
  }),
  z.strictObject({
    type: z.literal('datetimepicker'),
    ...actionId,
    initial_date_time: z.number().int().min(1_000_000_000).max(9_999_999_999).optional(),
  }),
  z.strictObject({
    type: z.literal('plain_text_input'),
    ...actionId,
    initial_value: characters(limits.plainTextInput).optional(),
    max_length: z.number().int().min(1).max(limits.plainTextInput.max).optional(),
  }),
  z.strictObject({ type: z.literal('email_text_input'), ...actionId, initial_value: z.string().optional() }),
  z.strictObject({
    type: z.literal('file_input'),
    ...actionId,
    filetypes: z.array(z.string()).optional(),
    max_files: z.number().int().min(limits.fileInputFiles.min).max(limits.fileInputFiles.max).optional(),
  }),
]);

export type PlainText = z.infer<ReturnType<typeof plainText>>;
export type AnyText = z.infer<ReturnType<typeof anyText>>;
export type Confirm = z.infer<typeof confirm>;
export type Option = z.infer<typeof option>;
export type ConversationFilter = z.infer<typeof filter>;
export type Button = z.infer<typeof button>;
export type InputElement = z.infer<typeof inputElement>;
export type InteractiveElement = z.infer<typeof sectionAccessory> | InputElement;
export type ElementOf<T extends InteractiveElement['type']> = Extract<InteractiveElement, { type: T }>;

const text = z.string().nullable().optional();
const texts = z.array(z.string()).optional();

/** The state of an input, as in `view.state.values[block_id][action_id]`. */
export const inputState = z.strictObject({
  type: z.string(),
  value: text,
  selected_option: option.nullable().optional(),
  selected_options: z.array(option).optional(),
  selected_users: texts,
  selected_conversation: text,
  selected_conversations: texts,
  selected_date: text,
  selected_date_time: z.number().nullable().optional(),
  files: z.array(z.unknown()).optional(),
});

export type InputState = z.infer<typeof inputState>;
export type InputValues = Record<string, Record<string, InputState>>;
