import { z } from 'zod';
import { type Limit, limits } from '../limits.ts';

/** A string within a limit; at least one character unless the limit names another minimum. */
export const characters = (limit: Limit) =>
  z
    .string()
    .min(limit.min ?? 1)
    .max(limit.max);

export const plainText = (limit: Limit) =>
  z.strictObject({ type: z.literal('plain_text'), text: characters(limit), emoji: z.boolean().optional() });

export const mrkdwn = (limit: Limit) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: characters(limit), verbatim: z.boolean().optional() });

export const anyText = (limit: Limit) => z.discriminatedUnion('type', [plainText(limit), mrkdwn(limit)]);

export const confirm = z.strictObject({
  title: plainText(limits.confirmTitle),
  text: anyText(limits.confirmText),
  confirm: plainText(limits.confirmButton),
  deny: plainText(limits.confirmButton),
  style: z.enum(['primary', 'danger']).optional(),
});

export const webAddress = (limit: Limit) =>
  characters(limit).refine((value) => /^https?:\/\//i.test(value), 'must be a valid URL');

export type PlainText = z.infer<ReturnType<typeof plainText>>;
export type Mrkdwn = z.infer<ReturnType<typeof mrkdwn>>;
export type AnyText = PlainText | Mrkdwn;
export type Confirm = z.infer<typeof confirm>;
