import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  action,
  confirmable,
  isAmong,
  menu,
  optionGroups,
  optionList,
  overflowOption,
  plainOption,
} from './composition-objects.ts';

const several = { max_selected_items: z.number().int().min(1).optional() };
const filter = z
  .strictObject({
    include: z.array(z.enum(['im', 'mpim', 'private', 'public'])).min(1),
    exclude_external_shared_channels: z.boolean(),
    exclude_bot_users: z.boolean(),
  })
  .partial();
export type ConversationFilter = z.infer<typeof filter>;
const queryLength = { min_query_length: z.number().int().min(0).optional() };

interface StaticMenu {
  options?: z.infer<typeof optionList> | undefined;
  option_groups?: z.infer<typeof optionGroups> | undefined;
}

const hasOneSource = (menuElement: StaticMenu): boolean =>
  (menuElement.options === undefined) !== (menuElement.option_groups === undefined);
const oneSource = 'must define either `options` or `option_groups`';

const offered = (menuElement: StaticMenu): z.infer<typeof plainOption>[] => [
  ...(menuElement.options ?? []),
  ...(menuElement.option_groups ?? []).flatMap((group) => group.options),
];

export const overflow = z.strictObject({
  type: z.literal('overflow'),
  ...action,
  ...confirmable,
  options: z.array(overflowOption).min(limits.overflowOptions.min).max(limits.overflowOptions.max),
});

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...menu,
    options: optionList.optional(),
    option_groups: optionGroups.optional(),
    initial_option: plainOption.optional(),
  })
  .refine(hasOneSource, oneSource)
  .refine((e) => isAmong(offered(e), e.initial_option), {
    error: '`initial_option` must be among the options',
    path: ['initial_option'],
  });

const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...menu,
    ...several,
    options: optionList.optional(),
    option_groups: optionGroups.optional(),
    initial_options: z.array(plainOption).min(1).optional(),
  })
  .refine(hasOneSource, oneSource)
  .refine((e) => (e.initial_options ?? []).every((chosen) => isAmong(offered(e), chosen)), {
    error: '`initial_options` must be among the options',
    path: ['initial_options'],
  });

export const selects = [
  staticSelect,
  z.strictObject({
    type: z.literal('external_select'),
    ...menu,
    ...queryLength,
    initial_option: plainOption.optional(),
  }),
  z.strictObject({ type: z.literal('users_select'), ...menu, initial_user: z.string().optional() }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...menu,
    initial_conversation: z.string().optional(),
    default_to_current_conversation: z.boolean().optional(),
    response_url_enabled: z.boolean().optional(),
    filter: filter.optional(),
  }),
  z.strictObject({
    type: z.literal('channels_select'),
    ...menu,
    initial_channel: z.string().optional(),
    response_url_enabled: z.boolean().optional(),
  }),
] as const;

export const multiSelects = [
  multiStaticSelect,
  z.strictObject({
    type: z.literal('multi_external_select'),
    ...menu,
    ...several,
    ...queryLength,
    initial_options: z.array(plainOption).min(1).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...menu,
    ...several,
    initial_users: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...menu,
    ...several,
    initial_conversations: z.array(z.string()).optional(),
    default_to_current_conversation: z.boolean().optional(),
    filter: filter.optional(),
  }),
  z.strictObject({
    type: z.literal('multi_channels_select'),
    ...menu,
    ...several,
    initial_channels: z.array(z.string()).optional(),
  }),
] as const;
