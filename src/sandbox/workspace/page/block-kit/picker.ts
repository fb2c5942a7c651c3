import { type TemplateResult, html, nothing } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import type { InputState } from '../../model.ts';
import { type RenderContext, type LocatedElement, elementKey } from '../render-context.ts';
import { noOptions } from '../ui.ts';
import { withEmoji } from '../text/emoji.ts';
import {
  type PickerChoice,
  type PickerElement,
  asksBot,
  choicesFor,
  isSeveral,
  selectedChoices,
  stateOf,
} from './picker-options.ts';

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
  const setInput = (next: readonly PickerChoice[]): void => {
    context.actions.setInput(located, stateOf(element, next));
  };
  const choose = (choice: PickerChoice): void => {
    context.actions.closePicker();
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
        if (!isOpen) context.actions.openPicker(located);
      }}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) context.actions.queryPicker(located, event.target.value);
      }}
      @blur=${() => {
        if (isOpen) context.actions.leavePicker(key);
      }}
      @keydown=${(event: KeyboardEvent) => {
        handleKey(context, located, event, { isOpen, choices, active, choose, chosen, isMulti, setInput });
      }}
    />
    ${
      !isMulti && chosen.length > 0 && !isOpen
        ? html`<button
            type="button"
            class="picker-clear"
            aria-label="Clear ${fieldLabel.label}"
            @click=${() => {
              setInput([]);
            }}
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
            @click=${() => {
              setInput(chosen.filter((other) => other !== choice));
            }}
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
        @mousedown=${(event: MouseEvent) => {
          event.preventDefault();
        }}
        @click=${() => {
          choose(choice);
        }}
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
      if (!isOpen) context.actions.openPicker(located);
      else
        context.actions.movePicker(
          (active + (event.key === 'ArrowDown' ? 1 : -1) + choices.length) % Math.max(1, choices.length),
        );
      return;
    case 'Enter':
      event.preventDefault();
      if (isOpen && current !== undefined) keys.choose(current);
      return;
    case 'Escape':
      if (!isOpen) return;
      event.preventDefault();
      event.stopPropagation();
      context.actions.closePicker();
      return;
    case 'Backspace':
      if (keys.isMulti && chosen.length > 0 && context.ui.picker?.state.query === '')
        keys.setInput(chosen.slice(0, -1));
  }
}
