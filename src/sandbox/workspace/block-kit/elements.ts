import { z } from 'zod';
import { limits } from '../limits.ts';
import { action, confirmable, focusable, menu } from './element-parts.ts';
import { multiSelects, overflow, selects } from './menus.ts';
import { choiceOption } from './options.ts';
import { characters, plainText, webAddress } from './text.ts';
import { textInputs } from './text-inputs.ts';

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
  .refine((e) => (e.initial_options ?? []).every((chosen) => e.options.some((o) => o.value === chosen.value)), {
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
  .refine((e) => e.initial_option === undefined || e.options.some((o) => o.value === e.initial_option?.value), {
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
