import { z } from 'zod';
import {
  action,
  characters,
  choiceOption,
  confirmable,
  focusable,
  isAmong,
  menu,
  placeholdable,
  plainText,
  webAddress,
} from './composition-objects.ts';
import { multiSelects, overflow, selects } from './menus.ts';
import { richText } from './rich-text.ts';
import { limits } from '../limits.ts';

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date in the format YYYY-MM-DD');
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time in the format HH:mm');

export const image = z.strictObject({
  type: z.literal('image'),
  alt_text: characters(limits.imageAltText),
  image_url: webAddress(limits.imageUrl).optional(),
  slack_file: z.union([z.strictObject({ id: z.string() }), z.strictObject({ url: z.string() })]).optional(),
});

export const button = z.strictObject({
  type: z.literal('button'),
  ...action,
  ...confirmable,
  text: plainText(limits.buttonText),
  value: characters(limits.buttonValue).optional(),
  url: webAddress(limits.buttonUrl).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: characters(limits.accessibilityLabel).optional(),
});

const choices = z.array(choiceOption).min(limits.choiceOptions.min).max(limits.choiceOptions.max);

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...action,
    ...confirmable,
    ...focusable,
    options: choices,
    initial_options: z.array(choiceOption).min(1).optional(),
  })
  .refine((e) => (e.initial_options ?? []).every((chosen) => isAmong(e.options, chosen)), {
    error: '`initial_options` must be among `options`',
    path: ['initial_options'],
  });

const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    ...action,
    ...confirmable,
    ...focusable,
    options: choices,
    initial_option: choiceOption.optional(),
  })
  .refine((e) => isAmong(e.options, e.initial_option), {
    error: '`initial_option` must be among `options`',
    path: ['initial_option'],
  });

const pickers = [
  z.strictObject({ type: z.literal('datepicker'), ...menu, initial_date: date.optional() }),
  z.strictObject({
    type: z.literal('timepicker'),
    ...menu,
    initial_time: time.optional(),
    timezone: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('datetimepicker'),
    ...action,
    ...confirmable,
    ...focusable,
    initial_date_time: z.number().int().min(1_000_000_000).max(9_999_999_999).optional(),
  }),
] as const;

const typed = {
  ...action,
  ...focusable,
  ...placeholdable,
  dispatch_action_config: z
    .strictObject({ trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).min(1) })
    .optional(),
};

const textInputs = [
  z
    .strictObject({
      type: z.literal('plain_text_input'),
      ...typed,
      initial_value: characters(limits.plainTextInput).optional(),
      multiline: z.boolean().optional(),
      min_length: z.number().int().min(0).max(limits.plainTextInput.max).optional(),
      max_length: z.number().int().min(1).max(limits.plainTextInput.max).optional(),
    })
    .refine(
      (e) => (e.min_length ?? 0) <= (e.max_length ?? limits.plainTextInput.max),
      '`min_length` must not be greater than `max_length`',
    ),
  z.strictObject({ type: z.literal('email_text_input'), ...typed, initial_value: z.string().optional() }),
  z.strictObject({ type: z.literal('url_text_input'), ...typed, initial_value: z.string().optional() }),
  z.strictObject({
    type: z.literal('number_input'),
    ...typed,
    is_decimal_allowed: z.boolean(),
    initial_value: z.string().optional(),
    min_value: z.string().optional(),
    max_value: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('rich_text_input'), ...typed, initial_value: richText.optional() }),
  z.strictObject({
    type: z.literal('file_input'),
    ...action,
    filetypes: z.array(z.string()).optional(),
    max_files: z.number().int().min(limits.fileInputFiles.min).max(limits.fileInputFiles.max).optional(),
  }),
] as const;

export const sectionAccessory = z.discriminatedUnion('type', [
  button,
  checkboxes,
  radioButtons,
  overflow,
  image,
  ...selects,
  ...multiSelects,
  pickers[0],
  pickers[1],
]);
export const actionsElement = z.discriminatedUnion('type', [
  button,
  checkboxes,
  radioButtons,
  overflow,
  ...selects,
  ...multiSelects,
  ...pickers,
]);
export const inputElement = z.discriminatedUnion('type', [
  checkboxes,
  radioButtons,
  ...selects,
  ...multiSelects,
  ...pickers,
  ...textInputs,
]);

export type Button = z.infer<typeof button>;
export type ImageElement = z.infer<typeof image>;
export type InputElement = z.infer<typeof inputElement>;
export type InteractiveElement = z.infer<typeof sectionAccessory> | z.infer<typeof actionsElement> | InputElement;

const text = z.string().nullable().optional();
const texts = z.array(z.string()).optional();

/** The state of an input, as in `view.state.values[block_id][action_id]`. */
export const inputState = z.strictObject({
  type: z.string(),
  value: text,
  selected_option: choiceOption.nullable().optional(),
  selected_options: z.array(choiceOption).optional(),
  selected_user: text,
  selected_users: texts,
  selected_channel: text,
  selected_channels: texts,
  selected_conversation: text,
  selected_conversations: texts,
  selected_date: text,
  selected_time: text,
  selected_date_time: z.number().nullable().optional(),
  rich_text_value: richText.optional(),
  files: z.array(z.unknown()).optional(),
  timezone: z.string().optional(),
});

export type InputState = z.infer<typeof inputState>;
export type InputValues = Record<string, Record<string, InputState>>;
