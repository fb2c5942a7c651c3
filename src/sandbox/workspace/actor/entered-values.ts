import { type ElementRef, findElement, inputsKey, type LocatedElement } from './locate.ts';
import type { Block } from '../block-kit/blocks.ts';
import {
  type ConversationFilter,
  type InputElement,
  type InteractiveElement,
  type Option,
  optionsAnswer,
} from '../block-kit/elements.ts';
import type { Core } from '../core.ts';
import { interaction, type Source, sourcePayload } from '../delivery/payloads.ts';
import { filePayload } from '../uploads.ts';
import { actionIdOf, isInput, stateKeys, stateWith } from '../interactive-elements.ts';
import { isRecord, propertyOf } from '../json.ts';
import type { Channel, InputState, Options, Person, WorkspaceFile } from '../model.ts';

/** A file that a person chooses on their computer, or one that they have uploaded already. */
export type ChosenFile = { name: string; content: string | Uint8Array } | { id: string };

/** What a person enters: text, an option by text or value, a list of options, a YYYY-MM-DD date, files, or null to clear. */
export type EnteredValue =
  | string
  | number
  | null
  | readonly (string | Option)[]
  | Option
  | InputState
  | readonly ChosenFile[];

/**
 * Enters a value in an input.
 *
 * @returns its new state
 * @throws Error when the input does not accept the value
 */
export async function enterValue(
  core: Core,
  person: Person,
  source: Source,
  found: LocatedElement,
  entered: EnteredValue,
): Promise<InputState> {
  const { element } = found;
  if (!isInput(element)) throw new Error(`nothing can be filled in at a ${element.type}`);
  const value = isRecord(entered) && 'type' in entered ? propertyOf(entered, stateKeys[element.type]) : entered;
  const state = stateWith(element, await valueFrom(core, person, source, found, element, value ?? null));
  const values = 'view' in source ? source.view.state.values : source.values;
  const blockId = found.block.block_id ?? '';
  values[blockId] = { ...values[blockId], [actionIdOf(element)]: state };
  if (!('view' in source)) core.state.messageInputs.set(inputsKey(source.message, person.id), values);
  return state;
}

async function valueFrom(
  core: Core,
  person: Person,
  source: Source,
  found: LocatedElement,
  element: InputElement,
  entered: unknown,
): Promise<unknown> {
  const list = entered === null ? [] : Array.isArray(entered) ? entered : [entered];
  const key = stateKeys[element.type];
  if (key === 'files') return uploadFiles(core, person, list as ChosenFile[], true).map(filePayload);
  if (list.some((item) => isRecord(item) && ('content' in item || 'id' in item)))
    throw new Error(`a ${element.type} takes no files`);
  switch (key) {
    case 'selected_option':
    case 'selected_options': {
      const offered = await offeredOptions(core, person, source, found, list);
      const chosen = list.map((wanted) => choose(element.type, wanted, offered));
      return key === 'selected_options' ? chosen : (chosen[0] ?? null);
    }
    case 'selected_date_time':
      return entered === null ? null : Number(entered);
    case 'selected_users':
      return list.map(textOf);
    case 'selected_conversations':
    case 'selected_conversation': {
      const ids = list.map(textOf);
      if ('filter' in element) requireOffered(core, element.type, element.filter, ids);
      return key === 'selected_conversations' ? ids : (ids[0] ?? null);
    }
    default:
      return entered === null || entered === '' ? null : textOf(entered);
  }
}

function choose(type: string, wanted: unknown, offered: readonly Option[]): Option {
  const value = propertyOf(wanted, 'value') ?? wanted;
  const found = offered.find((option) => option.value === value || option.text.text === wanted);
  if (found === undefined)
    throw new Error(
      `the ${type} does not offer ${JSON.stringify(wanted)}, but ${offered.map((option) => option.text.text).join(', ') || 'nothing'}`,
    );
  return found;
}

function textOf(entered: unknown): string {
  const text = propertyOf(entered, 'value') ?? entered;
  if (typeof text !== 'string' && typeof text !== 'number')
    throw new Error(`expected text, not ${JSON.stringify(entered)}`);
  return String(text);
}

/** The options of a menu. Those of an external select are the ones that the bot has offered so far; it is asked for an entered text that is not among them. */
async function offeredOptions(
  core: Core,
  person: Person,
  source: Source,
  found: LocatedElement,
  entered: readonly unknown[],
): Promise<readonly Option[]> {
  const { element } = found;
  if (!asksBot(element)) return 'options' in element ? element.options : [];
  const known = (): readonly Option[] => core.state.offers.get(offerKey(source, found)) ?? [];
  for (const text of entered.filter((value) => typeof value === 'string')) {
    if (known().some((option) => option.value === text || option.text.text === text)) continue;
    await requestOptions(core, person, source, found, text);
  }
  const initial = element.type === 'external_select' ? [element.initial_option] : (element.initial_options ?? []);
  return [...known(), ...initial.filter((option) => option !== undefined)];
}

const asksBot = (element: InteractiveElement) =>
  element.type === 'external_select' || element.type === 'multi_external_select';

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
  if (!asksBot(element)) throw new Error(`a ${element.type} does not ask the bot for options`);
  if (query.length < (element.min_query_length ?? defaultQueryLength)) return { options: [] };
  const payload = interaction('block_suggestion', person, {
    ...sourcePayload(source),
    action_id: actionIdOf(element),
    block_id: block.block_id ?? '',
    value: query,
  });
  const delivery = await core.dispatcher.deliver('block_suggestion', payload);
  if (delivery.error !== undefined) return { options: [] };
  const answer = optionsAnswer.safeParse(delivery.answer);
  if (!answer.success) {
    delivery.error = 'invalid_options';
    return { options: [] };
  }
  const key = offerKey(source, found);
  const offered = [...(core.state.offers.get(key) ?? []), ...answer.data.options];
  core.state.offers.set(key, Array.from(new Map(offered.map((option) => [option.value, option])).values()));
  return answer.data;
}

/** https://docs.slack.dev/reference/block-kit/composition-objects/conversation-filter-object */
function isOffered(filter: ConversationFilter | undefined, channel: Channel): boolean {
  if (!(filter?.include ?? ['public', 'private', 'im']).includes(channel.kind)) return false;
  return !(filter?.exclude_external_shared_channels === true && (channel.sharedWith ?? []).length > 0);
}

/** @throws Error when the picker of conversations does not offer what the person wants to choose */
function requireOffered(
  core: Core,
  type: string,
  filter: ConversationFilter | undefined,
  ids: readonly string[],
): void {
  for (const id of ids) {
    const channel = core.state.channels.get(id);
    if (channel !== undefined && !isOffered(filter, channel))
      throw new Error(`the ${type} does not offer ${channel.name}`);
  }
}

/** Finds a picker. A string is tried as block id first, then as action id. */
export function findPicker(blocks: readonly Block[], ref: ElementRef): LocatedElement {
  if (typeof ref !== 'string') return findElement(blocks, ref);
  return findElement(blocks, blocks.some((block) => block.block_id === ref) ? { block: ref } : { action: ref });
}

const offerKey = (source: Source, { block, element }: LocatedElement): string =>
  ['view' in source ? source.view.id : source.message.ts, block.block_id, actionIdOf(element)].join(' ');

/**
 * Uploads the files that need it.
 *
 * @param isForBot whether they are chosen in an input: Slack lets the bot read its files from the moment they are uploaded
 * @throws Error when an id is not of a file of this person
 */
export function uploadFiles(
  core: Core,
  person: Person,
  chosen: readonly ChosenFile[],
  isForBot = false,
): WorkspaceFile[] {
  return chosen.map((file) => {
    const known =
      'content' in file
        ? core.uploads.add(person.id, file.name, Buffer.from(file.content))
        : core.state.files.get(file.id);
    if (known === undefined || known.user !== person.id)
      throw new Error(`${person.name} has no file ${'id' in file ? file.id : file.name}`);
    if (isForBot) known.isForBot = true;
    return known;
  });
}
