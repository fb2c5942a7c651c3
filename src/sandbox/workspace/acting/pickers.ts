import type { Given } from './given-values.ts';
import { type Found, findElement } from './locate.ts';
import type { What } from './actor.ts';
import type { Block } from '../block-kit/blocks.ts';
import { type Option, optionsAnswer } from '../block-kit/options.ts';
import type { Core } from '../core.ts';
import { type Source, suggestionPayload } from '../delivery/payloads.ts';
import { actionIdOf } from '../block-elements.ts';
import type { Options, Person } from '../model.ts';

/** `min_query_length` where a menu does not say: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
const defaultQueryLength = 3;

/** Asks the bot for the options of a picker, as typing into it does. An answer that Slack would not take is none. */
export async function askForOptions(
  core: Core,
  person: Person,
  source: Source,
  found: Found,
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

/** What a picker has offered so far; asks for what is wanted, as a person would, when it is not among it. */
export async function offersFor(
  core: Core,
  person: Person,
  source: Source,
  found: Found,
  given: Given,
): Promise<readonly Option[]> {
  if (found.element.type !== 'external_select' && found.element.type !== 'multi_external_select') return [];
  const known = (): readonly Option[] => core.state.offers.get(offerKey(source, found)) ?? [];
  for (const wanted of wantedTexts(given)) {
    if (known().some((option) => option.value === wanted || option.text.text === wanted)) continue;
    await askForOptions(core, person, source, found, wanted);
  }
  return known();
}

const wantedTexts = (given: Given): string[] =>
  (Array.isArray(given) ? given : [given]).filter((one) => typeof one === 'string');

/** An element by block id, or else by action id. */
export function findPicker(blocks: readonly Block[], what: What): Found {
  if (typeof what !== 'string') return findElement(blocks, what);
  return findElement(blocks, blocks.some((block) => block.block_id === what) ? { block: what } : { action: what });
}

const offerKey = (source: Source, { block, element }: Found): string =>
  ['view' in source ? source.view.id : source.message.ts, block.block_id, actionIdOf(element)].join(' ');

const flatten = (options: Options): Option[] => [
  ...(options.options ?? []),
  ...(options.option_groups ?? []).flatMap((group) => group.options),
];
