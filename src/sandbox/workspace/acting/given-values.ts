import type { InteractiveElement } from '../block-kit/elements.ts';
import type { ChoiceOption } from '../block-kit/options.ts';
import { withoutKeys } from '../json.ts';
import type { InputState } from '../model.ts';
import { asRichText, plainTextOf } from '../plain-text.ts';

/** What a person gives an input: text, an option by its text or value, several of them, a date as YYYY-MM-DD, null to empty it. */
export type Given = string | number | null | readonly (string | ChoiceOption)[] | ChoiceOption | InputState;

/** Turns what was given into what the input then holds. Throws when the input does not offer it. */
export function fillIn(element: InteractiveElement, given: Given, offered: readonly ChoiceOption[]): InputState {
  const { type } = element;
  if (isInputState(given)) return fillIn(element, heldBy(given), offered);
  switch (element.type) {
    case 'static_select':
    case 'radio_buttons':
    case 'external_select': {
      const [wanted] = listOf(given);
      return { type, selected_option: wanted === undefined ? null : choose(type, wanted, choicesOf(element, offered)) };
    }
    case 'multi_static_select':
    case 'checkboxes':
    case 'multi_external_select':
      return { type, selected_options: listOf(given).map((one) => choose(type, one, choicesOf(element, offered))) };
    case 'users_select':
      return { type, selected_user: textOf(given) };
    case 'multi_users_select':
      return { type, selected_users: textsOf(given) };
    case 'channels_select':
      return { type, selected_channel: textOf(given) };
    case 'multi_channels_select':
      return { type, selected_channels: textsOf(given) };
    case 'conversations_select':
      return { type, selected_conversation: textOf(given) };
    case 'multi_conversations_select':
      return { type, selected_conversations: textsOf(given) };
    case 'datepicker':
      return { type, selected_date: textOf(given) };
    case 'timepicker':
      return {
        type,
        selected_time: textOf(given),
        ...(element.timezone !== undefined && { timezone: element.timezone }),
      };
    case 'datetimepicker':
      return { type, selected_date_time: given === null ? null : Number(given) };
    case 'rich_text_input': {
      const text = textOf(given);
      return { type, ...(text !== null && { rich_text_value: asRichText(text) }) };
    }
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return { type, value: textOf(given) };
    default:
      throw new Error(`nothing can be filled in at a ${type}`);
  }
}

/** What an input offers to choose from; pickers offer what the bot has answered so far. */
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

function listOf(given: Exclude<Given, InputState>): readonly (string | ChoiceOption)[] {
  if (given === null) return [];
  if (typeof given === 'number') return [String(given)];
  return typeof given === 'string' || 'value' in given ? [given] : given;
}

function textOf(given: Exclude<Given, InputState>): string | null {
  if (given === null || given === '') return null;
  if (typeof given !== 'string' && typeof given !== 'number')
    throw new Error(`expected text, not ${JSON.stringify(given)}`);
  return String(given);
}

const textsOf = (given: Exclude<Given, InputState>): string[] =>
  listOf(given).map((one) => (typeof one === 'string' ? one : one.value));

const isInputState = (given: Given): given is InputState =>
  typeof given === 'object' && given !== null && 'type' in given;

function heldBy(state: InputState): Exclude<Given, InputState> {
  if (state.rich_text_value !== undefined) return plainTextOf(state.rich_text_value);
  const [held = null] = Object.values(withoutKeys(state, 'type', 'timezone', 'files', 'rich_text_value'));
  return held;
}
