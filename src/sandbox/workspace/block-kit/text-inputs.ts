import { z } from 'zod';
import { limits } from '../limits.ts';
import { action, focusable, placeholdable } from './element-parts.ts';
import { richText } from './rich-text.ts';
import { characters } from './text.ts';

const typed = {
  ...action,
  ...focusable,
  ...placeholdable,
  dispatch_action_config: z
    .strictObject({ trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).min(1) })
    .optional(),
};

export const textInputs = [
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
