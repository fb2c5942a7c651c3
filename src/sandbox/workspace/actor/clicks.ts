import { type ContainerRef, type ElementRef, findElement, findSource, type LocatedElement } from './locate.ts';
import { type EnteredValue, enterValue } from './entered-values.ts';
import { type Outcome, outcomeOf, showDeliveryError, watch } from './outcome.ts';
import type { Core } from '../core.ts';
import { blockActionsPayload, type Source } from '../delivery/payloads.ts';
import { actionIdOf } from '../interactive-elements.ts';
import { pickKeys, withoutKeys } from '../json.ts';
import type { Person } from '../model.ts';

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
  const action = {
    type: found.element.type,
    block_id: found.block.block_id,
    action_id: actionIdOf(found.element),
    action_ts: core.state.newTs(),
    ...copiedProperties(found),
    ...changed,
  };
  const triggerId = core.triggers.issue({ user: person.id, ...('view' in source && { viewId: source.view.id }) });
  const payload = blockActionsPayload({
    person,
    source,
    action,
    triggerId,
    ...(!('view' in source) && { responseUrl: responseUrlFor(core, person, source) }),
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

const copiedProperties = ({ element }: LocatedElement): Record<string, unknown> => ({
  ...('placeholder' in element && pickKeys(element, 'placeholder')),
  ...('confirm' in element && pickKeys(element, 'confirm')),
});
