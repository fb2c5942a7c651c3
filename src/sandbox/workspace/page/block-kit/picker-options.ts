import type { ChoiceOption, ElementOf, InteractiveElement, Option } from '../../block-kit/elements.ts';
import { stateWith } from '../../interactive-elements.ts';
import type { InputState, Options } from '../../model.ts';
import type { PageState } from '../../page-contract.ts';

/** A choice in a picker: an option, a person or a channel. */
export interface PickerChoice {
  value: string;
  text: string;
  description?: string;
  option?: ChoiceOption;
}

export type PickerElement = ElementOf<
  | 'static_select'
  | 'external_select'
  | 'multi_external_select'
  | 'multi_users_select'
  | 'conversations_select'
  | 'multi_conversations_select'
>;

export const isPicker = (element: InteractiveElement): element is PickerElement => element.type.endsWith('_select');

/** Whether the options come from the bot. */
export const asksBot = ({ type }: InteractiveElement): boolean =>
  type === 'external_select' || type === 'multi_external_select';

/** Lists the choices for a query. `answered` is the bot's response. */
export function choicesFor(
  server: PageState,
  element: PickerElement,
  query: string,
  answered: Options,
): PickerChoice[] {
  if (asksBot(element)) return answered.options.map(fromOption);
  const wanted = query.toLowerCase();
  return everything(server, element).filter(
    (choice) => choice.text.toLowerCase().includes(wanted) || (choice.description ?? '').toLowerCase().includes(wanted),
  );
}

function everything({ people, channels }: PageState, element: PickerElement): PickerChoice[] {
  switch (element.type) {
    case 'static_select':
      return element.options.map(fromOption);
    case 'multi_users_select':
      return people
        .filter((person) => person.isBot !== true && person.isDeleted !== true)
        .map((person) => ({ value: person.id, text: person.realName, description: `@${person.name}` }));
    case 'conversations_select':
    case 'multi_conversations_select': {
      const { include = ['public', 'private'], exclude_external_shared_channels: excludesShared = false } =
        element.filter ?? {};
      return channels
        .filter((channel) => include.includes(channel.kind) && channel.isArchived !== true)
        .filter((channel) => !(excludesShared && channel.sharedWith !== undefined))
        .map((channel) => ({ value: channel.id, text: `#${channel.name}` }));
    }
    default:
      return [];
  }
}

const fromOption = (option: Option): PickerChoice => ({
  value: option.value,
  text: option.text.text,
  option,
  ...(option.description !== undefined && { description: option.description.text }),
});

/** The choices that are selected now. */
export function selectedChoices({ people, channels }: PageState, state: InputState): PickerChoice[] {
  const { selected_option: option, selected_options: options = option ? [option] : [] } = state;
  const { selected_conversation: id, selected_conversations: ids = id ? [id] : [] } = state;
  return [
    ...options.map((one) => ({ value: one.value, text: one.text.text, option: one })),
    ...(state.selected_users ?? []).map((value) => ({
      value,
      text: people.find((person) => person.id === value)?.realName ?? value,
    })),
    ...ids.map((value) => ({ value, text: `#${channels.find((channel) => channel.id === value)?.name ?? value}` })),
  ];
}

/** Builds the state of an input from the selected choices. */
export function stateOf(element: PickerElement, choices: readonly PickerChoice[]): InputState {
  const chosen = choices.map(({ value, option = value }) => option);
  return stateWith(element, isSeveral(element) ? chosen : (chosen[0] ?? null));
}

export const isSeveral = ({ type }: PickerElement): boolean => type.startsWith('multi_');
