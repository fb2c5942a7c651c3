import type { EnteredValue } from './entered-values.ts';
import { type ElementRef, findElement, type LocatedElement } from './locate.ts';
import type { Block } from '../block-kit/blocks.ts';
import type { ConversationFilter } from '../block-kit/menus.ts';
import { type Option, optionsAnswer } from '../block-kit/composition-objects.ts';
import type { Core } from '../core.ts';
import { type Source, suggestionPayload } from '../delivery/payloads.ts';
import { actionIdOf } from '../interactive-elements.ts';
import type { Channel, InputState, Options, Person } from '../model.ts';

/** The default of `min_query_length`: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
const defaultQueryLength = 3;

/**
 * Asks the bot for the options of a picker, as typing into it does. An invalid answer yields no options.
 * @throws Error when the element is not an external select
 */
export async function requestOptions(
  core: Core,
  person: Person,
  source: Source,
  found: LocatedElement,
  query: string,
): Promise<Options> {
  const { block, element } = found;
  if (element.type !== 'external_select' && element.type !== 'multi_external_select')
    throw new Error(`a ${element.type} does not ask the bot for options`);
  if (query.length < (element.min_query_length ?? defaultQueryLength)) return { options: [] };
  const payload = suggestionPayload({
    person,
    source,
    blockId: block.block_id ?? '',
    actionId: actionIdOf(element),
    query,
  });
  const delivery = await core.dispatcher.deliver('block_suggestion', payload);
  if (delivery.error !== undefined) return { options: [] };
  const answer = optionsAnswer.safeParse(delivery.answer);
  if (!answer.success) {
    delivery.error = 'invalid_options';
    return { options: [] };
  }
  const key = offerKey(source, found);
  const offered = [...(core.state.offers.get(key) ?? []), ...flatten(answer.data)];
  core.state.offers.set(key, Array.from(new Map(offered.map((option) => [option.value, option])).values()));
  return answer.data;
}

/** All options that the bot has offered in this picker. Queries the bot for an entered text that is not among them. */
export async function offeredOptions(
  core: Core,
  person: Person,
  source: Source,
  found: LocatedElement,
  entered: EnteredValue,
): Promise<readonly Option[]> {
  if (found.element.type !== 'external_select' && found.element.type !== 'multi_external_select') return [];
  const known = (): readonly Option[] => core.state.offers.get(offerKey(source, found)) ?? [];
  for (const text of enteredTexts(entered)) {
    if (known().some((option) => option.value === text || option.text.text === text)) continue;
    await requestOptions(core, person, source, found, text);
  }
  return known();
}

const enteredTexts = (entered: EnteredValue): string[] =>
  (Array.isArray(entered) ? entered : [entered]).filter((value) => typeof value === 'string');

/** https://docs.slack.dev/reference/block-kit/composition-objects/conversation-filter-object */
function isOffered(filter: ConversationFilter | undefined, channel: Channel): boolean {
  if (!(filter?.include ?? ['public', 'private', 'im']).includes(channel.kind)) return false;
  return !(filter?.exclude_external_shared_channels === true && (channel.sharedWith ?? []).length > 0);
}

/** @throws Error when the picker of conversations does not offer what the person wants to choose */
export function requireOffered(core: Core, { element }: LocatedElement, state: InputState): void {
  if (element.type !== 'conversations_select' && element.type !== 'multi_conversations_select') return;
  for (const id of [state.selected_conversation, ...(state.selected_conversations ?? [])]) {
    const channel = core.state.channels.get(id ?? '');
    if (channel !== undefined && !isOffered(element.filter, channel))
      throw new Error(`the ${element.type} does not offer ${channel.name}`);
  }
}

/** Finds a picker. A string is tried as block id first, then as action id. */
export function findPicker(blocks: readonly Block[], ref: ElementRef): LocatedElement {
  if (typeof ref !== 'string') return findElement(blocks, ref);
  return findElement(blocks, blocks.some((block) => block.block_id === ref) ? { block: ref } : { action: ref });
}

const offerKey = (source: Source, { block, element }: LocatedElement): string =>
  ['view' in source ? source.view.id : source.message.ts, block.block_id, actionIdOf(element)].join(' ');

const flatten = (options: Options): Option[] => [
  ...(options.options ?? []),
  ...(options.option_groups ?? []).flatMap((group) => group.options),
];
