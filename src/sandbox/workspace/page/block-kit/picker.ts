import { html, nothing, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import type { InputState, Options } from '../../model.ts';
import { elementKey, type LocatedElement, type RenderContext, noOptions } from '../ui.ts';
import { withEmoji } from '../text/mrkdwn.ts';
import type { ElementOf, InteractiveElement, Option } from '../../block-kit/elements.ts';
import { stateWith } from '../../interactive-elements.ts';
import type { PageState } from '../../page-contract.ts';

/** The label and description of an input. */
export interface FieldLabel {
  id: string;
  label: string;
  describedBy?: string;
  isInvalid?: boolean;
  isRequired?: boolean;
}

/** Renders a picker as an ARIA combobox with a list box: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function pickerView(
  context: RenderContext,
  located: LocatedElement,
  element: PickerElement,
  state: InputState,
  fieldLabel: FieldLabel,
): TemplateResult {
  const key = elementKey(located);
  const isOpen = context.ui.picker?.key === key;
  const shown = isOpen ? (context.ui.picker?.state ?? noOptions) : noOptions;
  const chosen = selectedChoices(context.server, state);
  const isMulti = isSeveral(element);
  const choices = isOpen
    ? choicesFor(context.server, element, shown.query, shown.options).filter(
        (choice) => !isMulti || !chosen.some(({ value }) => value === choice.value),
      )
    : [];
  const active = Math.min(shown.active, choices.length - 1);
  const list = `${fieldLabel.id}-list`;
  const setInput = (next: readonly PickerChoice[]) => context.actions.setInput(located, stateOf(element, next));
  const choose = (choice: PickerChoice): void => {
    context.change({ picker: null });
    setInput(isMulti ? [...chosen, choice] : [choice]);
  };
  return html`<div class="picker" data-open=${isOpen}>
    ${isMulti && chosen.length > 0 ? chips(chosen, setInput) : ''}
    <input
      id=${fieldLabel.id}
      type="text"
      role="combobox"
      autocomplete="off"
      spellcheck="false"
      aria-label=${fieldLabel.label}
      aria-autocomplete="list"
      aria-expanded=${isOpen}
      aria-controls=${list}
      aria-activedescendant=${ifDefined(isOpen && active >= 0 ? `${list}-${active}` : undefined)}
      aria-describedby=${ifDefined(fieldLabel.describedBy)}
      aria-invalid=${fieldLabel.isInvalid === true}
      aria-required=${fieldLabel.isRequired === true}
      placeholder=${isOpen ? (chosen[0]?.text ?? placeholderOf(element)) : placeholderOf(element)}
      .value=${live(isOpen ? shown.query : isMulti ? '' : (chosen[0]?.text ?? ''))}
      @click=${() => {
        if (!isOpen) context.actions.queryPicker(located, '');
      }}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) context.actions.queryPicker(located, event.target.value);
      }}
      @blur=${() => {
        if (isOpen) context.actions.leavePicker(key);
      }}
      @keydown=${(event: KeyboardEvent) =>
        handleKey(context, located, event, { isOpen, choices, active, choose, chosen, isMulti, setInput })}
    />
    ${
      !isMulti && chosen.length > 0 && !isOpen
        ? html`<button
            type="button"
            class="picker-clear"
            aria-label="Clear ${fieldLabel.label}"
            @click=${() => setInput([])}
          >
            ×
          </button>`
        : html`<span class="picker-arrow" aria-hidden="true">▾</span>`
    }
    <div class="picker-list" id=${list} role="listbox" aria-label=${fieldLabel.label} ?hidden=${!isOpen}>
      ${listView(choices, active, list, choose)}
      ${isOpen && choices.length === 0 ? html`<div class="picker-empty">${emptyText(element, shown.query, shown.isLoading)}</div>` : nothing}
    </div>
  </div>`;
}

const placeholderOf = (element: PickerElement): string => withEmoji(element.placeholder?.text ?? 'Choose…');

function emptyText(element: PickerElement, query: string, isLoading: boolean): string {
  if (isLoading) return 'Looking…';
  const least = 'min_query_length' in element ? (element.min_query_length ?? 3) : 3;
  return asksBot(element) && query.length < least ? `Type at least ${least} characters` : 'No matches';
}

function chips(chosen: readonly PickerChoice[], setInput: (next: readonly PickerChoice[]) => void): TemplateResult {
  return html`<ul class="chips" aria-label="Chosen">
    ${chosen.map(
      (choice) =>
        html`<li>
          ${withEmoji(choice.text)}<button
            type="button"
            aria-label="Remove ${choice.text}"
            @click=${() => setInput(chosen.filter((other) => other !== choice))}
          >
            ×
          </button>
        </li>`,
    )}
  </ul>`;
}

function listView(
  choices: readonly PickerChoice[],
  active: number,
  list: string,
  choose: (choice: PickerChoice) => void,
): TemplateResult[] {
  return choices.map(
    (choice, index) =>
      html`<div
        class="pick"
        id="${list}-${index}"
        role="option"
        aria-selected=${index === active}
        @mousedown=${(event: MouseEvent) => event.preventDefault()}
        @click=${() => choose(choice)}
      >
        <span>${withEmoji(choice.text)}</span
        >${choice.description === undefined ? '' : html`<small>${withEmoji(choice.description)}</small>`}
      </div>`,
  );
}

interface KeyContext {
  isOpen: boolean;
  choices: readonly PickerChoice[];
  active: number;
  chosen: readonly PickerChoice[];
  isMulti: boolean;
  choose(choice: PickerChoice): void;
  setInput(next: readonly PickerChoice[]): void;
}

function handleKey(context: RenderContext, located: LocatedElement, event: KeyboardEvent, keys: KeyContext): void {
  const { isOpen, choices, active, chosen } = keys;
  const current = choices[active];
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
      event.preventDefault();
      if (context.ui.picker === null || !isOpen) context.actions.queryPicker(located, '');
      else {
        const to = (active + (event.key === 'ArrowDown' ? 1 : -1) + choices.length) % Math.max(1, choices.length);
        context.change({ picker: { ...context.ui.picker, state: { ...context.ui.picker.state, active: to } } });
      }
      return;
    case 'Enter':
      event.preventDefault();
      if (isOpen && current !== undefined) keys.choose(current);
      return;
    case 'Escape':
      if (!isOpen) return;
      event.preventDefault();
      event.stopPropagation();
      context.change({ picker: null });
      return;
    case 'Backspace':
      if (keys.isMulti && chosen.length > 0 && context.ui.picker?.state.query === '')
        keys.setInput(chosen.slice(0, -1));
  }
}

/** A choice in a picker: an option, a person or a channel. */
interface PickerChoice {
  value: string;
  text: string;
  description?: string;
  option?: Option;
}

type PickerElement = ElementOf<
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
function choicesFor(server: PageState, element: PickerElement, query: string, answered: Options): PickerChoice[] {
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
function selectedChoices({ people, channels }: PageState, state: InputState): PickerChoice[] {
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
function stateOf(element: PickerElement, choices: readonly PickerChoice[]): InputState {
  const chosen = choices.map(({ value, option = value }) => option);
  return stateWith(element, isSeveral(element) ? chosen : (chosen[0] ?? null));
}

const isSeveral = ({ type }: PickerElement): boolean => type.startsWith('multi_');
