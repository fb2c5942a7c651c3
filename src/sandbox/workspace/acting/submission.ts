import { z } from 'zod';
import { checkView } from '../block-kit/views.ts';
import { type Core, unknownTypes } from '../core.ts';
import type { View } from '../model.ts';
import { closeAll, closeView, openView, replaceView } from '../view-stacks.ts';

const responseSchema = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string()) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
  z.object({ response_action: z.literal('push'), view: z.unknown() }),
  z.object({ response_action: z.literal('clear') }),
]);

export type SubmissionResult =
  { errors: Record<string, string> } | { view?: View } | { failed: string; details?: string[] };

/** Does what an app answered to a submission: https://docs.slack.dev/surfaces/modals#updating_response */
export function applyResponse(core: Core, view: View, answer: unknown): SubmissionResult {
  if (answer === undefined || answer === '') {
    closeView(core.state, view);
    return {};
  }
  const parsed = responseSchema.safeParse(answer);
  if (!parsed.success)
    return { failed: 'invalid_response', details: parsed.error.issues.map((issue) => issue.message) };
  const response = parsed.data;
  switch (response.response_action) {
    case 'clear':
      closeAll(core.state, view.user);
      return {};
    case 'errors':
      return applyErrors(view, response.errors);
    default:
      return place(core, view, response.response_action, response.view);
  }
}

function applyErrors(view: View, errors: Record<string, string>): SubmissionResult {
  const inputs = new Set(view.blocks.filter((block) => block.type === 'input').map((block) => block.block_id));
  const strange = Object.keys(errors).filter((blockId) => !inputs.has(blockId));
  if (strange.length > 0 || Object.keys(errors).length === 0)
    return {
      failed: 'invalid_errors',
      details: strange.map((blockId) => `no input block has the block_id ${blockId}`),
    };
  return { errors };
}

function place(core: Core, view: View, action: 'update' | 'push', payload: unknown): SubmissionResult {
  const checked = checkView(payload, { unknownTypes: unknownTypes(core) });
  if (checked.errors !== undefined) return { failed: 'invalid_view', details: checked.errors };
  const placed =
    action === 'update'
      ? replaceView(core.state, core.clock, view, checked.value)
      : openView(core.state, core.clock, view.user, checked.value, true);
  return placed.error === undefined ? { view: placed.view } : { failed: placed.error };
}
