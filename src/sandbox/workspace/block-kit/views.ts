import { z } from 'zod';
import { propertyOf } from '../json.ts';
import { limits } from '../limits.ts';
import type { Block } from './blocks.ts';
import { validationError, validationErrors } from './validation-errors.ts';
import { characters, plainText } from './composition-objects.ts';
import { type BlockRules, checkBlocks, type Checked } from './validate.ts';

const common = {
  callback_id: characters(limits.viewCallbackId).optional(),
  private_metadata: characters(limits.viewPrivateMetadata).optional(),
  external_id: characters(limits.viewExternalId).optional(),
  blocks: z.unknown(),
};

const viewPayload = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('modal'),
    ...common,
    title: plainText(limits.viewTitle),
    submit: plainText(limits.viewSubmit).optional(),
    close: plainText(limits.viewClose).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    submit_disabled: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('home'), ...common }),
]);

export type ViewPayload = z.infer<typeof viewPayload> & { blocks: Block[] };

/** Validates the `view` argument of views.* or of a response action. */
export function checkView(input: unknown, rules: Pick<BlockRules, 'unknownTypes'> = {}): Checked<ViewPayload> {
  const parsed = viewPayload.safeParse(input, { reportInput: true });
  const errors = parsed.success ? [] : validationErrors(parsed.error, ['view']);
  const surface = propertyOf(input, 'type') === 'home' ? 'home' : 'modal';
  const blocks = checkBlocks(propertyOf(input, 'blocks'), { ...rules, surface, root: ['view', 'blocks'] });
  errors.push(...(blocks.errors ?? []));
  if (!parsed.success || blocks.errors !== undefined) return { errors };
  const value: ViewPayload = { ...parsed.data, blocks: blocks.value };
  const unsubmittable =
    value.type === 'modal' && value.submit === undefined ? value.blocks.findIndex(({ type }) => type === 'input') : -1;
  if (unsubmittable >= 0) {
    const path = ['view', 'blocks', unsubmittable, 'input'];
    return { errors: [validationError('must define `submit` to use an `input` block in modals', path)] };
  }
  return { value };
}
