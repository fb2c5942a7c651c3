import { plain } from '../views/blocks/message.ts';
import type { ConversationsSelect, InputBlock, PlainTextOption } from '@slack/types';
import { withoutIsolates, asSaid, say } from '../../domain/said.ts';
import type { Right, Visibility } from '../../operations/context.ts';
import { offeredOptions } from '../../operations/fields/choice.ts';
import { isLeftOut, type Field, type FieldOf, type Value, type ValueOf } from '../../operations/fields/fields.ts';
import { formatFile } from '../../operations/fields/file.ts';
import { isInstant } from '../../operations/fields/text.ts';
import { formatMention, parseMention } from '../../operations/typed-text.ts';
import { isDay } from '../../time/wall-clock.ts';
import type { SubmittedInput } from '../in/delivery.ts';
import {
  assigneeOption,
  audienceOption,
  batchOption,
  campaignOption,
  fieldOption,
  fileOption,
  groupOption,
  planOption,
  quizOption,
  userOption,
} from './options.ts';

/** The action id of every input; the block id is the field's name, so an error finds its field. */
export const inputActionId = 'value';

/** Who reads a form. */
export interface FormReader {
  rights: ReadonlySet<Right>;
  visibility: Visibility;
}

type Element = InputBlock['element'];

/** What Slack's forms know of a kind of field `F` whose value is a `V`. */
interface Shape<F, V> {
  /**
   * The element without its action id; undefined where a person with these rights can choose nothing in it. It holds texts as
   * the core resolves them, and a picker the options that stand for them.
   */
  element(
    field: F,
    held: { texts: readonly string[]; options: PlainTextOption[] },
    rights: ReadonlySet<Right>,
  ): Element | undefined;
  /** A value as options, for pickers whose options come from the bot. The value of an option is a text of the field. */
  offer?(value: V, visibility: Visibility): PlainTextOption[];
}

/** Slack's own picker of people. Users of the account do not say who they are in Slack, so it holds those who were chosen in it. */
const pickedPeople: Shape<unknown, unknown> = {
  element(_field, { texts }) {
    const people = idsIn(texts);
    return {
      type: 'multi_users_select',
      placeholder: plain(say`Choose people`),
      ...(people.length > 0 && { initial_users: people }),
    };
  },
};

const pickedChannels: Shape<unknown, unknown> = {
  element(_field, { texts }) {
    const channels = idsIn(texts);
    return {
      type: 'multi_conversations_select',
      placeholder: plain(say`Choose channels`),
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(channels.length > 0 && { initial_conversations: channels }),
    };
  },
};

const noInput: Shape<unknown, unknown> = { element: () => undefined };

const typedText = typed(({ maxLength }: { maxLength: number }) => maxLength);

const inputs: { readonly [K in Field['kind']]: Shape<FieldOf<K>, ValueOf<K>> } = {
  text: {
    element(field, held, rights) {
      const [picked] = held.texts;
      if (!field.isPicked || (picked !== undefined && !isInstant(picked)))
        return typedText.element(field, held, rights);
      return { type: 'datetimepicker', ...(picked && { initial_date_time: Date.parse(picked) / 1000 }) };
    },
  },
  email: { element: (_field, { texts }) => ({ type: 'email_text_input', ...initialText(texts) }) },
  period: {
    element(_field, { texts: [since = '', ...others] }) {
      const day = since.replace(/^since /, '');
      return others.length === 0 && (day === '' || isDay(day))
        ? { type: 'datepicker', ...(day !== '' && { initial_date: day }) }
        : { type: 'plain_text_input', initial_value: [since, ...others].join(' ') };
    },
  },
  choice: {
    element({ options, usual }, { texts: [chosen = usual] }, rights) {
      const offered = offeredOptions(options, rights).map(fieldOption);
      if (offered.length === 0) return undefined;
      const initial = offered.find(({ value }) => value === chosen);
      return { type: 'static_select', options: offered, ...(initial && { initial_option: initial }) };
    },
  },
  flags: {
    element({ options }, { texts }, rights) {
      const offered = offeredOptions(options, rights).map(fieldOption);
      if (offered.length === 0) return undefined;
      const initial = offered.filter(({ value = '' }) => texts.includes(value));
      return { type: 'checkboxes', options: offered, ...(initial.length > 0 && { initial_options: initial }) };
    },
  },
  quiz: searched(quizOption),
  user: searched(userOption),
  group: searched(groupOption),
  campaign: searched(campaignOption),
  quizzes: searchedSeveral(quizOption),
  users: searchedSeveral(userOption),
  groups: searchedSeveral(groupOption),
  campaigns: searchedSeveral(campaignOption),
  assignees: searchedSeveral(assigneeOption),
  audience: searchedSeveral(audienceOption),
  people: pickedPeople,
  channel: { element: (_field, { texts }) => channelPicker(texts, { default_to_current_conversation: true }) },
  board: { element: (_field, { texts }) => channelPicker(texts, {}) },
  plan: fixed((plan) => [planOption(plan)]),
  batch: fixed((batch) => [batchOption(batch)]),
  // Slack cannot show a file that was chosen before in an upload.
  file: fixed(fileOption, ({ extensions }) => ({ type: 'file_input', filetypes: [...extensions], max_files: 1 })),
  /** As its number in the list or a quiz's name. */
  subscription: typed(() => 250),
  durations: typed(() => 100),
  validity: typed(() => 100),
  // The operation asks for them in a form of its own.
  columns: noInput,
  // Rows of many changes alone are about people who have left.
  departure: noInput,
};

function shapeOf(field: Field): Shape<Field, Value> {
  if (field.kind === 'audience' && field.from !== 'account')
    return field.from === 'people' ? pickedPeople : pickedChannels;
  return inputs[field.kind];
}

/** The longest text Slack takes in an input. */
const longestText = 3_000;

function typed<F>(lengthOf: (field: F) => number): Shape<F, unknown> {
  return {
    element: (field, { texts }) => ({
      type: 'plain_text_input',
      max_length: Math.min(lengthOf(field), longestText),
      ...initialText(texts),
    }),
  };
}

function initialText(texts: readonly string[]): { initial_value?: string } {
  return texts.length > 0 ? { initial_value: texts.join(', ') } : {};
}

/** A picker of one thing that the bot searches for. */
function searched<V>(optionOf: (value: V, visibility: Visibility) => PlainTextOption): Shape<unknown, V> {
  return {
    element: (_field, { options: [initial] }) => ({
      type: 'external_select',
      placeholder: plain(say`Type part of a name`),
      min_query_length: 0,
      ...(initial && { initial_option: initial }),
    }),
    offer: (value, visibility) => [optionOf(value, visibility)],
  };
}

function searchedSeveral<V>(optionOf: (value: V, visibility: Visibility) => PlainTextOption): Shape<unknown, V[]> {
  return {
    element: (_field, { options }) => ({
      type: 'multi_external_select',
      placeholder: plain(say`Type part of a name`),
      min_query_length: 0,
      ...(options.length > 0 && { initial_options: options }),
    }),
    offer: (values, visibility) => values.map((value) => optionOf(value, visibility)),
  };
}

/** A menu with what the form is about alone. */
function fixed<F, V>(
  offer: (value: V) => PlainTextOption[],
  otherwise: (field: F) => Element | undefined = () => undefined,
): Shape<F, V> {
  return {
    element: (field, { options: [option] }) =>
      option ? { type: 'static_select', options: [option], initial_option: option } : otherwise(field),
    offer,
  };
}

/** Showing results in a channel that other companies read takes a command, which asks first. */
function channelPicker(
  texts: readonly string[],
  whenNoneIsChosen: { default_to_current_conversation?: true },
): ConversationsSelect {
  const [channel] = idsIn(texts);
  return {
    type: 'conversations_select',
    placeholder: plain(say`Choose a channel`),
    filter: { include: ['public', 'private'], exclude_external_shared_channels: true, exclude_bot_users: true },
    ...(channel === undefined ? whenNoneIsChosen : { initial_conversation: channel }),
  };
}

function idsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => parseMention(text)?.id ?? []);
}

/** Whether the options of its input come from the bot, so that drawing what it holds takes its value. */
export function isSearched(field: Field): boolean {
  return shapeOf(field).offer !== undefined;
}

/** A value as options of the picker of its field. */
export function optionsOf(field: Field, value: Value | undefined, visibility: Visibility): PlainTextOption[] {
  return value === undefined ? [] : (shapeOf(field).offer?.(value, visibility) ?? []);
}

/**
 * The input of a field; none when a person with these rights can choose nothing in it.
 *
 * @param held what it holds
 * @param changesForm whether Slack reports each choice at once
 */
export function inputBlock(
  name: string,
  field: Field,
  { rights, visibility }: FormReader,
  held: { texts: readonly string[] | undefined; value?: Value | undefined },
  changesForm = false,
): InputBlock[] {
  if (isLeftOut(field, rights)) return [];
  const { texts = [], value } = held;
  const element = shapeOf(field).element(field, { texts, options: optionsOf(field, value, visibility) }, rights);
  if (element === undefined) return [];
  return [
    {
      type: 'input',
      block_id: name,
      label: plain(asSaid(field.label)),
      optional: field.optional ?? false,
      element: { ...element, action_id: inputActionId },
      ...(field.hint && element.type !== 'datetimepicker' && { hint: plain(asSaid(field.hint)) }),
      ...(changesForm && { dispatch_action: true }),
    },
  ];
}

/** What a submitted input of any kind holds, as the core resolves it. */
export function textsIn(input: SubmittedInput): string[] {
  const { value, selected_date, selected_date_time, selected_option, selected_users, selected_conversation, files } =
    input;
  const { selected_options = selected_option ? [selected_option] : [] } = input;
  const { selected_conversations = selected_conversation ? [selected_conversation] : [] } = input;
  return [
    ...(value ? [withoutIsolates(value)] : []),
    ...(selected_date ? [selected_date] : []),
    ...(selected_date_time ? [new Date(selected_date_time * 1000).toISOString()] : []),
    ...selected_options.map((option) => option.value ?? ''),
    ...(selected_users ?? []).map((id) => formatMention({ kind: 'person', id })),
    ...selected_conversations.map((id) => formatMention({ kind: 'channel', id })),
    ...(files ?? []).map(({ id, name }) => formatFile({ id, name: name ?? '' })),
  ];
}
