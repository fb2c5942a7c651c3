import { z } from 'zod';
import { limits } from '../limits.ts';
import { characters } from './composition-objects.ts';

const style = z
  .strictObject({
    bold: z.boolean(),
    italic: z.boolean(),
    strike: z.boolean(),
    underline: z.boolean(),
    code: z.boolean(),
  })
  .partial();

const styled = { style: style.optional() };

const inline = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), ...styled }),
  z.strictObject({
    type: z.literal('link'),
    url: z.string().min(1),
    text: z.string().optional(),
    unsafe: z.boolean().optional(),
    ...styled,
  }),
  z.strictObject({ type: z.literal('user'), user_id: z.string().min(1), ...styled }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string().min(1), ...styled }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string().min(1), ...styled }),
  z.strictObject({ type: z.literal('team'), team_id: z.string().min(1), ...styled }),
  z.strictObject({ type: z.literal('emoji'), name: z.string().min(1), unicode: z.string().optional(), ...styled }),
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), ...styled }),
  z.strictObject({ type: z.literal('color'), value: z.string().min(1), ...styled }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.number().int(),
    format: z.string().min(1),
    url: z.string().optional(),
    fallback: z.string().optional(),
    ...styled,
  }),
]);

const border = { border: z.union([z.literal(0), z.literal(1)]).optional() };

const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline) });

const container = z.discriminatedUnion('type', [
  section,
  z.strictObject({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    elements: z.array(section),
    indent: z.number().int().min(0).max(8).optional(),
    offset: z.number().int().optional(),
    ...border,
  }),
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline), ...border }),
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(inline),
    language: z.string().optional(),
    ...border,
  }),
]);

export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: characters(limits.blockId).optional(),
  elements: z.array(container),
});

export type RichText = z.infer<typeof richText>;
export type RichTextContainer = z.infer<typeof container>;
export type RichTextInline = z.infer<typeof inline>;
