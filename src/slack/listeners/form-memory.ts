import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { ResponseTarget } from '../connection/response-url.ts';

const placeSchema = z.object({
  responseUrl: z.string(),
  replacesOriginal: z.boolean(),
  isOriginalPublic: z.boolean().optional(),
  threadTs: z.string().optional(),
});

/**
 * What a form remembers: where its answer goes, what was entered in inputs that it does not show now (`hidden`), and in the
 * form before it, which is sent with it (`before`).
 */
const memorySchema = z.object({
  place: placeSchema.optional(),
  hidden: z.record(z.string(), z.array(z.string())).optional(),
  before: z.record(z.string(), z.array(z.string())).optional(),
});
type Memory = z.infer<typeof memorySchema>;

/** Slack's limit for `private_metadata`. */
const longestMemory = 3_000;

export function remember(view: ModalView, { place, hidden = {}, before }: Memory): ModalView {
  const whole = JSON.stringify({ place, ...(Object.keys(hidden).length > 0 && { hidden }), ...(before && { before }) });
  return whole === '{}'
    ? view
    : { ...view, private_metadata: whole.length <= longestMemory ? whole : JSON.stringify({ place }) };
}

export function rememberPlace(view: ModalView, place: ResponseTarget | undefined): ModalView {
  return remember(view, { place });
}

export function rememberedIn({ private_metadata }: { private_metadata: string }): Memory {
  return private_metadata === '' ? {} : memorySchema.parse(JSON.parse(private_metadata));
}
