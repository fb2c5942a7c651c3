import type { Submission, Values } from './actor.ts';
import { holdInput } from './clicks.ts';
import { type Given, fillIn } from './given-values.ts';
import { findElement, viewOf } from './locate.ts';
import { outcomeOf, watch } from './outcome.ts';
import { offersFor } from './pickers.ts';
import { applyResponse } from './submission.ts';
import { reportFailure, reportTrouble } from './trouble.ts';
import type { Core } from '../core.ts';
import { closedPayload, submissionPayload } from '../delivery/payloads.ts';
import { isRecord } from '../json.ts';
import { actionIdOf } from '../block-elements.ts';
import { checkInputs } from '../inputs.ts';
import type { InputState, Person, View } from '../model.ts';
import { closeAll, closeView, stackOf } from '../view-stacks.ts';

/** Fills inputs of a view in; block id → what they then hold. */
export async function fillInputs(core: Core, person: Person, given: View | string, values: Values): Promise<View> {
  const view = viewOf(core, given);
  for (const [blockId, value] of Object.entries(values)) {
    const found = findElement(view.blocks, { block: blockId });
    const wanted = isByAction(value) ? (value[actionIdOf(found.element)] ?? null) : value;
    holdInput(
      core,
      person,
      { view },
      found,
      fillIn(found.element, wanted, await offersFor(core, person, { view }, found, wanted)),
    );
  }
  core.state.changes.emit();
  return view;
}

/** Values as the page sends them: action id → what the input holds. */
const isByAction = (value: Given | Record<string, InputState>): value is Record<string, InputState> =>
  isRecord(value) &&
  Object.values(value).every((one) => isRecord(one) && 'type' in one) &&
  Object.keys(value).length > 0 &&
  !('text' in value);

/** Presses Submit: the program's own checks first, then the bot's, then what the bot answered is done. */
export async function submitView(
  core: Core,
  person: Person,
  given: View | string,
  values: Values,
): Promise<Submission> {
  const view = viewOf(core, given);
  if (stackOf(core.state, person.id).at(-1)?.id !== view.id)
    throw new Error(`the view ${view.id} is not on top of what ${person.name} has open`);
  await fillInputs(core, person, view, values);
  const errors = checkInputs(view.blocks, view.state.values);
  if (Object.keys(errors).length > 0) return { errors };
  const watched = watch(core, person.id);
  const triggerId = core.triggers.issue({ user: person.id, viewId: view.id });
  const delivery = reportFailure(
    core,
    person,
    await core.dispatcher.deliver('view_submission', submissionPayload({ person, view, triggerId })),
  );
  const outcome = outcomeOf(watched, delivery);
  if (delivery.error !== undefined) return { failed: delivery.error, outcome };
  const current = stackOf(core.state, person.id).find((one) => one.id === view.id);
  const result = current === undefined ? {} : applyResponse(core, current, delivery.answer);
  if ('failed' in result) reportTrouble(core, person, [result.failed, ...(result.details ?? [])]);
  return { ...result, outcome };
}

export async function closeModal(core: Core, person: Person, given: View | string, all: boolean): Promise<void> {
  const view = viewOf(core, given);
  const isCleared = all || view.clear_on_close;
  const closed = isCleared ? closeAll(core.state, person.id) : closeView(core.state, view);
  const told = closed.filter((one) => one.notify_on_close);
  await Promise.all(
    told.map((one) => core.dispatcher.deliver('view_closed', closedPayload({ person, view: one, isCleared }))),
  );
}
