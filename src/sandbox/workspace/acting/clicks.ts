import type { What, Where } from './actor.ts';
import { type Given, fillIn } from './given-values.ts';
import { type Found, findElement, inputsKey, sourceOf } from './locate.ts';
import { type Outcome, outcomeOf, watch } from './outcome.ts';
import { offersFor } from './pickers.ts';
import { reportFailure } from './trouble.ts';
import type { Core } from '../core.ts';
import { type Source, blockActionsPayload } from '../delivery/payloads.ts';
import { actionIdOf } from '../block-elements.ts';
import { pickKeys } from '../json.ts';
import type { InputState, Person } from '../model.ts';

/** Clicks a button or chooses in a menu; an input block tells the bot only with `dispatch_action`. */
export async function clickElement(
  core: Core,
  person: Person,
  where: Where,
  what: What,
  value: Given,
): Promise<Outcome> {
  const { blocks, ...source } = sourceOf(core, where, person.id);
  const found = findElement(blocks, what);
  const watched = watch(core, person.id, 'view' in source ? undefined : source.channel.id);
  const held = await handle(core, person, source, found, value);
  core.state.changes.emit();
  if (found.block.type === 'input' && found.block.dispatch_action !== true) return outcomeOf(watched);
  const action = {
    type: found.element.type,
    block_id: found.block.block_id,
    action_id: actionIdOf(found.element),
    action_ts: core.state.newTs(),
    ...decoration(found),
    ...held,
  };
  const triggerId = core.triggers.issue({ user: person.id, ...('view' in source && { viewId: source.view.id }) });
  const payload = blockActionsPayload({
    person,
    source,
    action,
    triggerId,
    ...(!('view' in source) && { responseUrl: responseUrlFor(core, person, source) }),
  });
  return outcomeOf(watched, reportFailure(core, person, await core.dispatcher.deliver('block_actions', payload)));
}

/** What the element then holds, as the payload shows it. */
async function handle(
  core: Core,
  person: Person,
  source: Source,
  found: Found,
  value: Given,
): Promise<Record<string, unknown>> {
  const { element } = found;
  if (element.type === 'button') return pickKeys(element, 'text', 'value', 'style', 'url');
  if (element.type === 'overflow') {
    const chosen = element.options.find((option) => option.value === value || option.text.text === value);
    if (chosen === undefined) throw new Error(`the menu does not offer ${JSON.stringify(value)}`);
    return { selected_option: chosen };
  }
  const { type, ...held } = fillIn(element, value, await offersFor(core, person, source, found, value));
  holdInput(core, person, source, found, { type, ...held });
  return held;
}

/** Keeps what a person put into an input. */
export function holdInput(core: Core, person: Person, source: Source, found: Found, held: InputState): void {
  const values = 'view' in source ? source.view.state.values : source.values;
  const blockId = found.block.block_id ?? '';
  values[blockId] = { ...values[blockId], [actionIdOf(found.element)]: held };
  if (!('view' in source)) core.state.messageInputs.set(inputsKey(source.message, person.id), source.values);
}

const responseUrlFor = (core: Core, person: Person, source: Exclude<Source, { view: unknown }>): string =>
  core.responseUrls.issue({
    user: person.id,
    channel: source.channel.id,
    originalTs: source.message.ts,
    ...pickKeys(source.message, 'threadTs'),
  });

const decoration = ({ element }: Found): Record<string, unknown> => ({
  ...('placeholder' in element && pickKeys(element, 'placeholder')),
  ...('confirm' in element && pickKeys(element, 'confirm')),
});
