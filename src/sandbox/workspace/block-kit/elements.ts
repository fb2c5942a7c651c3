import { z } from 'zod';
import { limits } from '../limits.ts';
import { choiceOption, optionGroups, optionList, overflowOption, plainOption } from './options.ts';
import { richText } from './rich-text.ts';
import { characters, confirm, plainText, webAddress } from './text.ts';

const action = { action_id: characters(limits.actionId).optional() };
const confirmable = { confirm: confirm.optional() };
const focusable = { focus_on_load: z.boolean().optional() };
const placeholdable = { placeholder: plainText(limits.placeholder).optional() };
const menu = { ...action, ...confirmable, ...focusable, ...placeholdable };
const several = { max_selected_items: z.number().int().min(1).optional() };
const typed = {
  ...action,
  ...focusable,
  ...placeholdable,
  dispatch_action_config: z
    .strictObject({ trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).min(1) })
    .optional(),
};
const filter = z
  .strictObject({
    include: z.array(z.enum(['im', 'mpim', 'private', 'public'])).min(1),
    exclude_external_shared_channels: z.boolean(),
    exclude_bot_users: z.boolean(),
  })
  .partial();
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date in the format YYYY-MM-DD');
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time in the format HH:mm');
const queryLength = { min_query_length: z.number().int().min(0).optional() };

interface StaticMenu {
  options?: z.infer<typeof optionList> | undefined;
  option_groups?: z.infer<typeof optionGroups> | undefined;
}

const hasOneSource = (menuElement: StaticMenu): boolean =>
  (menuElement.options === undefined) !== (menuElement.option_groups === undefined);
const oneSource = 'must define either `options` or `option_groups`';

const offered = (menuElement: StaticMenu): Set<string> =>
  new Set([...(menuElement.options ?? []), ...(menuElement.option_groups ?? []).flatMap((group) => group.options)].map((option) => option.value));

const image = z.strictObject({
  type: z.literal('image'),
  alt_text: characters(limits.imageAltText),
  image_url: webAddress(limits.imageUrl).optional(),
  slack_file: z.union([z.strictObject({ id: z.string() }), z.strictObject({ url: z.string() })]).optional(),
});

const button = z.strictObject({
  type: z.literal('button'),
  ...action,
  ...confirmable,
  text: plainText(limits.buttonText),
  value: characters(limits.buttonValue).optional(),
  url: webAddress(limits.buttonUrl).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: characters(limits.accessibilityLabel).optional(),
});

const overflow = z.strictObject({
  type: z.literal('overflow'),
  ...action,
  ...confirmable,
  options: z.array(overflowOption).min(limits.overflowOptions.min).max(limits.overflowOptions.max),
});

const choices = z.array(choiceOption).min(limits.choiceOptions.min).max(limits.choiceOptions.max);

const checkboxes = z
  .strictObject({ type: z.literal('checkboxes'), ...action, ...confirmable, ...focusable, options: choices, initial_options: z.array(choiceOption).min(1).optional() })
  .refine((e) => (e.initial_options ?? []).every((chosen) => e.options.some((o) => o.value === chosen.value)), {
    error: '`initial_options` must be among `options`',
    path: ['initial_options'],
  });

const radioButtons = z
  .strictObject({ type: z.literal('radio_buttons'), ...action, ...confirmable, ...focusable, options: choices, initial_option: choiceOption.optional() })
  .refine((e) => e.initial_option === undefined || e.options.some((o) => o.value === e.initial_option?.value), {
    error: '`initial_option` must be among `options`',
    path: ['initial_option'],
  });

const staticSelect = z
  .strictObject({ type: z.literal('static_select'), ...menu, options: optionList.optional(), option_groups: optionGroups.optional(), initial_option: plainOption.optional() })
  .refine(hasOneSource, oneSource)
  .refine((e) => e.initial_option === undefined || offered(e).has(e.initial_option.value), {
    error: '`initial_option` must be among the options',
    path: ['initial_option'],
  });

const multiStaticSelect = z
  .strictObject({ type: z.literal('multi_static_select'), ...menu, ...several, options: optionList.optional(), option_groups: optionGroups.optional(), initial_options: z.array(plainOption).min(1).optional() })
  .refine(hasOneSource, oneSource)
  .refine((e) => (e.initial_options ?? []).every((chosen) => offered(e).has(chosen.value)), {
    error: '`initial_options` must be among the options',
    path: ['initial_options'],
  });

const selects = [
  staticSelect,
  z.strictObject({ type: z.literal('external_select'), ...menu, ...queryLength, initial_option: plainOption.optional() }),
  z.strictObject({ type: z.literal('users_select'), ...menu, initial_user: z.string().optional() }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...menu,
    initial_conversation: z.string().optional(),
    default_to_current_conversation: z.boolean().optional(),
    response_url_enabled: z.boolean().optional(),
    filter: filter.optional(),
  }),
  z.strictObject({ type: z.literal('channels_select'), ...menu, initial_channel: z.string().optional(), response_url_enabled: z.boolean().optional() }),
] as const;

const multiSelects = [
  multiStaticSelect,
  z.strictObject({ type: z.literal('multi_external_select'), ...menu, ...several, ...queryLength, initial_options: z.array(plainOption).min(1).optional() }),
  z.strictObject({ type: z.literal('multi_users_select'), ...menu, ...several, initial_users: z.array(z.string()).optional() }),
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...menu,
    ...several,
    initial_conversations: z.array(z.string()).optional(),
    default_to_current_conversation: z.boolean().optional(),
    filter: filter.optional(),
  }),
  z.strictObject({ type: z.literal('multi_channels_select'), ...menu, ...several, initial_channels: z.array(z.string()).optional() }),
] as const;

const pickers = [
  z.strictObject({ type: z.literal('datepicker'), ...menu, initial_date: date.optional() }),
  z.strictObject({ type: z.literal('timepicker'), ...menu, initial_time: time.optional(), timezone: z.string().optional() }),
  z.strictObject({ type: z.literal('datetimepicker'), ...action, ...confirmable, ...focusable, initial_date_time: z.number().int().min(1_000_000_000).max(9_999_999_999).optional() }),
] as const;

const fields = [
  z
    .strictObject({
      type: z.literal('plain_text_input'),
      ...typed,
      initial_value: characters(limits.plainTextInput).optional(),
      multiline: z.boolean().optional(),
      min_length: z.number().int().min(0).max(limits.plainTextInput.max).optional(),
      max_length: z.number().int().min(1).max(limits.plainTextInput.max).optional(),
    })
    .refine((e) => (e.min_length ?? 0) <= (e.max_length ?? limits.plainTextInput.max), '`min_length` must not be greater than `max_length`'),
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
  z.strictObject({ type: z.literal('file_input'), ...action, filetypes: z.array(z.string()).optional(), max_files: z.number().int().min(limits.fileInputFiles.min).max(limits.fileInputFiles.max).optional() }),
] as const;

export const sectionAccessory = z.discriminatedUnion('type', [button, checkboxes, radioButtons, overflow, image, ...selects, ...multiSelects, pickers[0], pickers[1]]);
export const actionsElement = z.discriminatedUnion('type', [button, checkboxes, radioButtons, overflow, ...selects, ...multiSelects, ...pickers]);
export const inputElement = z.discriminatedUnion('type', [checkboxes, radioButtons, ...selects, ...multiSelects, ...pickers, ...fields]);

export { button, image };
export type Button = z.infer<typeof button>;
export type ImageElement = z.infer<typeof image>;
export type InputElement = z.infer<typeof inputElement>;
export type InteractiveElement = z.infer<typeof sectionAccessory> | z.infer<typeof actionsElement> | InputElement;
