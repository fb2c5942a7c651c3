import { z } from 'zod';
import {
  type ContainerRef,
  type ElementRef,
  findElement,
  findSource,
  type LocatedElement,
  ownAppOf,
  requireView,
} from './locate.ts';
import { type EnteredValue, enterValue } from './entered-values.ts';
import { type Outcome, outcomeOf, showDeliveryError, showError, watch } from './outcome.ts';
import { type Core, unknownTypes } from '../core.ts';
import { interaction, type Source, sourcePayload } from '../delivery/payloads.ts';
import { actionIdOf, checkInputs } from '../interactive-elements.ts';
import { isRecord, pickKeys, textOf, withoutKeys } from '../json.ts';
import type { InputState, Person, View } from '../model.ts';
import { checkView } from '../block-kit/validate.ts';
import { closeAll, closeView, replaceView, stackOf, viewPayload } from '../view-stacks.ts';

/** Clicks a button or chooses from a menu. An element of an input block reaches the bot only with `dispatch_action`. */
export async function clickElement(
  core: Core,
  person: Person,
  containerRef: ContainerRef,
  elementRef: ElementRef,
  value: EnteredValue,
): Promise<Outcome> {
  const { blocks, ...source } = findSource(core, containerRef, person.id);
  const found = findElement(blocks, elementRef);
  const watched = watch(core, person.id, 'view' in source ? undefined : source.channel.id);
  const changed = await applyValue(core, person, source, found, value);
  core.state.changes.emit();
  if (found.block.type === 'input' && found.block.dispatch_action !== true) return outcomeOf(watched);
  const own = ownAppOf(core, source);
  if (own !== undefined) {
    const acted = textOf(changed, 'value') || textOf(changed['selected_option'], 'value');
    const values = 'view' in source ? source.view.state.values : source.values;
    await own.act(person.id, actionIdOf(found.element), acted, values);
    return outcomeOf(watched);
  }
  const action = {
    type: found.element.type,
    block_id: found.block.block_id,
    action_id: actionIdOf(found.element),
    action_ts: core.state.newTs(),
    ...('placeholder' in found.element && pickKeys(found.element, 'placeholder')),
    ...('confirm' in found.element && pickKeys(found.element, 'confirm')),
    ...changed,
  };
  const payload = interaction('block_actions', person, {
    ...sourcePayload(source),
    trigger_id: core.triggers.issue({ user: person.id, ...('view' in source && { viewId: source.view.id }) }),
    ...(!('view' in source) && { response_url: responseUrlFor(core, person, source) }),
    actions: [action],
  });
  return outcomeOf(watched, showDeliveryError(core, person, await core.dispatcher.deliver('block_actions', payload)));
}

/** Applies the value to the element. @returns the properties that the payload shows for it */
async function applyValue(
  core: Core,
  person: Person,
  source: Source,
  found: LocatedElement,
  value: EnteredValue,
): Promise<Record<string, unknown>> {
  const { element } = found;
  if (element.type === 'button') return pickKeys(element, 'text', 'value', 'style', 'url');
  if (element.type !== 'overflow') return withoutKeys(await enterValue(core, person, source, found, value), 'type');
  const chosen = element.options.find((option) => option.value === value || option.text.text === value);
  if (chosen === undefined) throw new Error(`the menu does not offer ${JSON.stringify(value)}`);
  return { selected_option: chosen };
}

const responseUrlFor = (core: Core, person: Person, source: Exclude<Source, { view: unknown }>): string =>
  core.responseUrls.issue({
    user: person.id,
    channel: source.channel.id,
    originalTs: source.message.ts,
    ...pickKeys(source.message, 'threadTs'),
  });

/** Maps block id to the value of its input, or to the input state by action id, which is how the page sends it. */
export type EnteredValues = Record<string, EnteredValue | Record<string, InputState>>;

export interface Submission {
  /** Error messages by block id. They come from the checks of Slack's client or from the bot. */
  errors?: Record<string, string>;
  /** Why the bot's response is missing or invalid. The view stays open. */
  failed?: string;
  details?: string[];
  /** The view that the person sees next, if the response updates it. */
  view?: View;
  outcome?: Outcome;
}

/** @throws Error when the view is not open or an input does not accept its value */
export async function fillInputs(
  core: Core,
  person: Person,
  viewRef: View | string,
  values: EnteredValues,
): Promise<View> {
  const view = requireView(core, viewRef);
  for (const [blockId, value] of Object.entries(values)) {
    const found = findElement(view.blocks, { block: blockId });
    const entered = isByAction(value) ? (value[actionIdOf(found.element)] ?? null) : value;
    await enterValue(core, person, { view }, found, entered);
  }
  core.state.changes.emit();
  return view;
}

const isByAction = (value: EnteredValue | Record<string, InputState>): value is Record<string, InputState> =>
  isRecord(value) &&
  Object.values(value).every((state) => isRecord(state) && 'type' in state) &&
  Object.keys(value).length > 0 &&
  !('text' in value);

/**
 * Submits a view: checks the inputs as Slack's client does, sends the submission, and applies the bot's response.
 * @throws Error when the view is not on top of the person's stack
 */
export async function submitView(
  core: Core,
  person: Person,
  viewRef: View | string,
  values: EnteredValues,
): Promise<Submission> {
  const view = requireView(core, viewRef);
  if (stackOf(core.state, person.id).at(-1)?.id !== view.id)
    throw new Error(`the view ${view.id} is not on top of what ${person.name} has open`);
  await fillInputs(core, person, view, values);
  const errors = checkInputs(view.blocks, view.state.values);
  if (Object.keys(errors).length > 0) return { errors };
  const own = ownAppOf(core, { view });
  if (own !== undefined) {
    closeView(core.state, view);
    await own.submit?.(person.id, view);
    return {};
  }
  const watched = watch(core, person.id);
  const payload = interaction('view_submission', person, {
    trigger_id: core.triggers.issue({ user: person.id, viewId: view.id }),
    view: viewPayload(view),
    response_urls: [],
  });
  const delivery = showDeliveryError(core, person, await core.dispatcher.deliver('view_submission', payload));
  const outcome = outcomeOf(watched, delivery);
  if (delivery.error !== undefined) return { failed: delivery.error, outcome };
  const current = stackOf(core.state, person.id).find(({ id }) => id === view.id);
  const result = current === undefined ? {} : applySubmissionResponse(core, current, delivery.answer);
  if ('failed' in result) showError(core, person, [result.failed, ...(result.details ?? [])]);
  return { ...result, outcome };
}

/** Closes a view, or with `all` the whole stack. */
export function closeModal(core: Core, person: Person, viewRef: View | string, all: boolean): void {
  const view = requireView(core, viewRef);
  if (all) closeAll(core.state, person.id);
  else closeView(core.state, view);
}

const submissionResponseSchema = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string()) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
]);

type SubmissionResult = { errors: Record<string, string> } | { view?: View } | { failed: string; details?: string[] };

/** Applies the bot's response to a submission: https://docs.slack.dev/surfaces/modals#updating_response */
function applySubmissionResponse(core: Core, view: View, answer: unknown): SubmissionResult {
  if (answer === undefined || answer === '') {
    closeView(core.state, view);
    return {};
  }
  const parsed = submissionResponseSchema.safeParse(answer);
  if (!parsed.success)
    return { failed: 'invalid_response', details: parsed.error.issues.map((issue) => issue.message) };
  return parsed.data.response_action === 'errors'
    ? applyErrors(view, parsed.data.errors)
    : showView(core, view, parsed.data.view);
}

function applyErrors(view: View, errors: Record<string, string>): SubmissionResult {
  const inputs = new Set(view.blocks.filter((block) => block.type === 'input').map((block) => block.block_id));
  const unknown = Object.keys(errors).filter((blockId) => !inputs.has(blockId));
  if (unknown.length > 0 || Object.keys(errors).length === 0)
    return {
      failed: 'invalid_errors',
      details: unknown.map((blockId) => `no input block has the block_id ${blockId}`),
    };
  return { errors };
}

function showView(core: Core, view: View, payload: unknown): SubmissionResult {
  const checked = checkView(payload, { unknownTypes: unknownTypes(core) });
  if (checked.errors !== undefined) return { failed: 'invalid_view', details: checked.errors };
  return { view: replaceView(core.state, core.clock, view, checked.value) };
}
