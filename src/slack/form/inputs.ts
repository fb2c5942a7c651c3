import { plain, shownLabel } from '../views/blocks/message.ts';
import type { ConversationsSelect, InputBlock, PlainTextOption } from '@slack/types';
import { withoutIsolates, asSaid, say, isBlank, capitalized } from '../../domain/said.ts';
import type { Right, Visibility } from '../../operations/context.ts';
import { offeredOptions, type FieldOption } from '../../operations/fields/choice.ts';
import { isLeftOut, type Field, type FieldOf, type Value, type ValueOf } from '../../operations/fields/fields.ts';
import { formatFile, fileKind, sourceName, type FileSource } from '../../operations/fields/file.ts';
import { isInstant } from '../../operations/fields/text.ts';
import { formatMention, parseMention } from '../../operations/typed-text.ts';
import { isDay } from '../../time/wall-clock.ts';
import type { SubmittedInput } from '../in/delivery.ts';
import { endOfId } from '../../directory/names.ts';
import type { BatchProgress } from '../../domain/batch.ts';
import type { Plan } from '../../domain/plan.ts';
import { typeInWords } from '../../operations/wording/words.ts';
import { partId, partName, type Assignee, type AudiencePart } from '../../operations/fields/people.ts';
import { campaignFacts, type LabelledCampaign } from '../../operations/fields/campaign.ts';
import { planKind } from '../../operations/fields/kept.ts';
import { specWords } from '../../operations/fields/subscription.ts';
import { quizTraits } from '../../operations/fields/things.ts';
import { nameFor } from '../../operations/fields/user.ts';
import type { SubscriptionState } from '../../operations/services/features.ts';
import type { Quiz, Group, User } from '../../quiz-api/records.ts';
import { statusOf } from '../../features/quizzes/pages.ts';

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
  subscription: searched(subscriptionOption),
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
    element: (field, { options: [only] }) =>
      only ? { type: 'static_select', options: [only], initial_option: only } : otherwise(field),
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
    ...selected_options.map(({ value: chosen = '' }) => chosen),
    ...(selected_users ?? []).map((id) => formatMention({ kind: 'person', id })),
    ...selected_conversations.map((id) => formatMention({ kind: 'channel', id })),
    ...(files ?? []).map(({ id, name }) => formatFile({ id, name: name ?? '' })),
  ];
}

/** Options of pickers. The value of an option is the text that the core resolves. */

export function quizOption(quiz: Quiz): PlainTextOption {
  const [, created = ''] = quizTraits(quiz);
  return option(
    shownLabel(quiz.name),
    quiz.quiz_id,
    [statusOf(quiz).word, created].filter((words) => words !== '').join(', '),
  );
}

/** Shows the user name, which is mostly an e-mail address, only to people who may see the record. */
function userOption(user: User, visibility: Visibility): PlainTextOption {
  return option(
    shownLabel(nameFor(user, visibility)),
    user.user_id,
    visibility.user(user) ? user.user_name : typeInWords(user.user_type),
  );
}

export function groupOption(group: Group): PlainTextOption {
  return option(shownLabel(group.group_name), group.group_id, say`Group`);
}

function assigneeOption(assignee: Assignee, visibility: Visibility): PlainTextOption {
  const plainOption = assignee.kind === 'user' ? userOption(assignee.user, visibility) : groupOption(assignee.group);
  return { ...plainOption, value: `${assignee.kind}:${plainOption.value}` };
}

/** A channel or user group has its name as people write it. */
function audienceOption(part: AudiencePart, visibility: Visibility): PlainTextOption {
  return part.kind === 'members' ? option(shownLabel(partName(part)), partId(part)) : assigneeOption(part, visibility);
}

function campaignOption(campaign: LabelledCampaign): PlainTextOption {
  return option(shownLabel(campaign.quiz.name), campaign.id, capitalized(campaignFacts(campaign)));
}

function subscriptionOption({ subscription }: SubscriptionState): PlainTextOption {
  const name = subscription.quiz === null ? say`Every quiz` : shownLabel(subscription.quiz.name);
  return option(name, subscription.id, capitalized(specWords(subscription).join(', ')));
}

function planOption(plan: Plan): PlainTextOption {
  return option(shownLabel(planKind.describe(plan, { kind: 'plan', of: plan.content.kind, label: '' })), plan.id);
}

function batchOption({ batch }: BatchProgress): PlainTextOption {
  return option(batch.action, batch.id);
}

/** Slack's limit for the value of an option. */
const longestValue = 150;

/** The file or the channel that was chosen before; none where its name is too long for an option. */
function fileOption(source: FileSource): PlainTextOption[] {
  const value = fileKind.identify(source).join();
  return value.length > longestValue ? [] : [option(sourceName(source), value)];
}

function fieldOption({ label, value, hint }: FieldOption): PlainTextOption {
  return option(asSaid(label), value, hint && asSaid(hint));
}

function option(text: string, value: string, description = ''): PlainTextOption {
  return {
    text: plain(isBlank(text) ? say`Unnamed` : text),
    value,
    ...(!isBlank(description) && { description: plain(shownLabel(description)) }),
  };
}

/** Options of which those that look alike have the end of their ID. */
export function distinctOptions(options: readonly PlainTextOption[]): PlainTextOption[] {
  const looks = options.map(({ text, description }) => `${text.text}\n${description?.text ?? ''}`);
  const howMany = Map.groupBy(looks, (look) => look);
  return options.map((one, index) => {
    if (howMany.get(looks[index]!)?.length === 1) return one;
    const known = one.description ? [one.description.text] : [];
    return { ...one, description: plain([...known, say`ID ${endOfId(one.value ?? '')}`].join(', ')) };
  });
}
