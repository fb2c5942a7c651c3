import type { InteractiveElement } from '../block-kit/elements.ts';
import type { ChoiceOption } from '../block-kit/composition-objects.ts';
import { withoutKeys } from '../json.ts';
import type { InputState } from '../model.ts';
import { asRichText, plainTextOf } from '../plain-text.ts';

/** What a person enters: text, an option by text or value, a list of options, a YYYY-MM-DD date, or null to clear. */
export type EnteredValue = string | number | null | readonly (string | ChoiceOption)[] | ChoiceOption | InputState;

/** @returns the input's new state @throws Error when the input does not accept the value */
export function fillIn(
  element: InteractiveElement,
  entered: EnteredValue,
  offered: readonly ChoiceOption[],
): InputState {
  const { type } = element;
  if (isInputState(entered)) return fillIn(element, valueOf(entered), offered);
  switch (element.type) {
    case 'static_select':
    case 'radio_buttons':
    case 'external_select': {
      const [wanted] = listOf(entered);
      return { type, selected_option: wanted === undefined ? null : choose(type, wanted, choicesOf(element, offered)) };
    }
    case 'multi_static_select':
    case 'checkboxes':
    case 'multi_external_select':
      return {
        type,
        selected_options: listOf(entered).map((wanted) => choose(type, wanted, choicesOf(element, offered))),
      };
    case 'users_select':
      return { type, selected_user: textOf(entered) };
    case 'multi_users_select':
      return { type, selected_users: textsOf(entered) };
    case 'channels_select':
      return { type, selected_channel: textOf(entered) };
    case 'multi_channels_select':
      return { type, selected_channels: textsOf(entered) };
    case 'conversations_select':
      return { type, selected_conversation: textOf(entered) };
    case 'multi_conversations_select':
      return { type, selected_conversations: textsOf(entered) };
    case 'datepicker':
      return { type, selected_date: textOf(entered) };
    case 'timepicker':
      return {
        type,
        selected_time: textOf(entered),
        ...(element.timezone !== undefined && { timezone: element.timezone }),
      };
    case 'datetimepicker':
      return { type, selected_date_time: entered === null ? null : Number(entered) };
    case 'rich_text_input': {
      const text = textOf(entered);
      return { type, ...(text !== null && { rich_text_value: asRichText(text) }) };
    }
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return { type, value: textOf(entered) };
    default:
      throw new Error(`nothing can be filled in at a ${type}`);
  }
}

/** The options of a menu. Those of an external select are the ones that the bot has offered so far. */
function choicesOf(element: InteractiveElement, offered: readonly ChoiceOption[]): readonly ChoiceOption[] {
  switch (element.type) {
    case 'static_select':
    case 'multi_static_select':
      return [...(element.options ?? []), ...(element.option_groups ?? []).flatMap((group) => group.options)];
    case 'radio_buttons':
    case 'checkboxes':
      return element.options;
    case 'external_select':
      return element.initial_option === undefined ? offered : [...offered, element.initial_option];
    case 'multi_external_select':
      return [...offered, ...(element.initial_options ?? [])];
    default:
      return [];
  }
}

function choose(type: string, wanted: string | ChoiceOption, choices: readonly ChoiceOption[]): ChoiceOption {
  const found = choices.find((option) =>
    typeof wanted === 'string' ? option.value === wanted || option.text.text === wanted : option.value === wanted.value,
  );
  if (found === undefined)
    throw new Error(
      `the ${type} does not offer ${JSON.stringify(wanted)}, but ${choices.map((option) => option.text.text).join(', ') || 'nothing'}`,
    );
  return found;
}

function listOf(entered: Exclude<EnteredValue, InputState>): readonly (string | ChoiceOption)[] {
  if (entered === null) return [];
  if (typeof entered === 'number') return [String(entered)];
  return typeof entered === 'string' || 'value' in entered ? [entered] : entered;
}

function textOf(entered: Exclude<EnteredValue, InputState>): string | null {
  if (entered === null || entered === '') return null;
  if (typeof entered !== 'string' && typeof entered !== 'number')
    throw new Error(`expected text, not ${JSON.stringify(entered)}`);
  return String(entered);
}

const textsOf = (entered: Exclude<EnteredValue, InputState>): string[] =>
  listOf(entered).map((wanted) => (typeof wanted === 'string' ? wanted : wanted.value));

const isInputState = (entered: EnteredValue): entered is InputState =>
  typeof entered === 'object' && entered !== null && 'type' in entered;

function valueOf(state: InputState): Exclude<EnteredValue, InputState> {
  if (state.rich_text_value !== undefined) return plainTextOf(state.rich_text_value);
  const [value = null] = Object.values(withoutKeys(state, 'type', 'timezone', 'files', 'rich_text_value'));
  return value;
}
