import { z } from 'zod';
import { choiceOption } from './block-kit/options.ts';
import { richText } from './block-kit/rich-text.ts';

const text = z.string().nullable().optional();
const texts = z.array(z.string()).optional();

/** What an input holds, in the form of `view.state.values[block_id][action_id]`. */
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
