import type { InteractiveElement } from '../../block-kit/elements.ts';
import type { ChoiceOption, Option } from '../../block-kit/composition-objects.ts';
import type { InputState, Options } from '../../model.ts';
import type { PageState } from '../../page-contract.ts';

/** A choice in a picker: an option, a person or a channel. */
export interface PickerChoice {
  value: string;
  text: string;
  description?: string;
  group?: string;
  option?: Option;
}

export type PickerElement = Extract<
  InteractiveElement,
  {
    type:
      | 'static_select'
      | 'multi_static_select'
      | 'external_select'
      | 'multi_external_select'
      | 'users_select'
      | 'multi_users_select'
      | 'channels_select'
      | 'multi_channels_select'
      | 'conversations_select'
      | 'multi_conversations_select';
  }
>;

export const isPicker = (element: InteractiveElement): element is PickerElement => element.type.endsWith('_select');

/** Whether the options come from the bot. */
export const asksBot = (element: InteractiveElement): boolean =>
  element.type === 'external_select' || element.type === 'multi_external_select';

/** Lists the choices for a query. `answered` is the bot's response. */
export function choicesFor(
  server: PageState,
  element: PickerElement,
  query: string,
  answered: Options,
): PickerChoice[] {
  if (asksBot(element)) return fromOptions(answered);
  const wanted = query.toLowerCase();
  return everything(server, element).filter(
    (choice) => choice.text.toLowerCase().includes(wanted) || (choice.description ?? '').toLowerCase().includes(wanted),
  );
}

function everything(server: PageState, element: PickerElement): PickerChoice[] {
  switch (element.type) {
    case 'users_select':
    case 'multi_users_select':
      return server.people
        .filter((person) => person.isBot !== true && person.isDeleted !== true)
        .map((person) => ({ value: person.id, text: person.realName, description: `@${person.name}` }));
    case 'channels_select':
    case 'multi_channels_select':
      return channelChoices(server, ['public']);
    case 'conversations_select':
    case 'multi_conversations_select':
      return channelChoices(
        server,
        element.filter?.include ?? ['public', 'private'],
        element.filter?.exclude_external_shared_channels,
      );
    case 'static_select':
    case 'multi_static_select':
      return fromOptions({
        ...(element.options !== undefined && { options: element.options }),
        ...(element.option_groups !== undefined && { option_groups: element.option_groups }),
      });
    default:
      return [];
  }
}

const channelChoices = (server: PageState, kinds: readonly string[], excludesShared = false): PickerChoice[] =>
  server.channels
    .filter((channel) => kinds.includes(channel.kind) && channel.isArchived !== true)
    .filter((channel) => !(excludesShared && channel.sharedWith !== undefined))
    .map((channel) => ({ value: channel.id, text: `#${channel.name}` }));

function fromOptions(options: Options): PickerChoice[] {
  const plain = (options.options ?? []).map((option) => fromOption(option));
  const grouped = (options.option_groups ?? []).flatMap((group) =>
    group.options.map((option) => ({ ...fromOption(option), group: group.label.text })),
  );
  return [...plain, ...grouped];
}

const fromOption = (option: Option): PickerChoice => ({
  value: option.value,
  text: option.text.text,
  option,
  ...(option.description !== undefined && { description: option.description.text }),
});

/** The choices that are selected now. */
export function selectedChoices(server: PageState, state: InputState): PickerChoice[] {
  const options = [
    ...(state.selected_options ?? []),
    ...(state.selected_option === null || state.selected_option === undefined ? [] : [state.selected_option]),
  ];
  const people = [...(state.selected_users ?? []), state.selected_user].filter((id) => typeof id === 'string');
  const channels = [
    ...(state.selected_channels ?? []),
    ...(state.selected_conversations ?? []),
    state.selected_channel,
    state.selected_conversation,
  ].filter((id) => typeof id === 'string');
  return [
    ...options.map((option) => ({ value: option.value, text: option.text.text })),
    ...people.map((id) => ({ value: id, text: server.people.find((person) => person.id === id)?.realName ?? id })),
    ...channels.map((id) => ({
      value: id,
      text: `#${server.channels.find((channel) => channel.id === id)?.name ?? id}`,
    })),
  ];
}

/** Builds the state of an input from the selected choices. */
export function stateOf(element: PickerElement, choices: readonly PickerChoice[], before: InputState): InputState {
  const { type } = element;
  const values = choices.map((choice) => choice.value);
  const [value = null] = values;
  const known = [
    ...(before.selected_options ?? []),
    ...(before.selected_option === null || before.selected_option === undefined ? [] : [before.selected_option]),
  ];
  const options = choices.map(
    (choice): ChoiceOption =>
      choice.option ??
      known.find((option) => option.value === choice.value) ?? {
        value: choice.value,
        text: { type: 'plain_text', text: choice.text },
      },
  );
  switch (element.type) {
    case 'static_select':
    case 'external_select':
      return { type, selected_option: options[0] ?? null };
    case 'multi_static_select':
    case 'multi_external_select':
      return { type, selected_options: options };
    case 'users_select':
      return { type, selected_user: value };
    case 'multi_users_select':
      return { type, selected_users: values };
    case 'channels_select':
      return { type, selected_channel: value };
    case 'multi_channels_select':
      return { type, selected_channels: values };
    case 'conversations_select':
      return { type, selected_conversation: value };
    default:
      return { type, selected_conversations: values };
  }
}
