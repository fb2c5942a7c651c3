import { type TemplateResult, html, nothing } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import type { InputState } from '../../model.ts';
import { type Scene, type Spot, spotKey } from '../scene.ts';
import { noOptions } from '../ui.ts';
import { withEmoji } from '../text/emoji.ts';
import { type Pick, type PickerElement, asksBot, chosenPicks, picksFor, stateOf } from './picker-options.ts';

/** How an input is labelled and described. */
export interface Labelled {
  id: string;
  label: string;
  describedBy?: string;
  isInvalid?: boolean;
  isRequired?: boolean;
}

/** A picker as an ARIA combobox with a list box: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function pickerView(
  scene: Scene,
  spot: Spot,
  element: PickerElement,
  state: InputState,
  labelled: Labelled,
): TemplateResult {
  const key = spotKey(spot);
  const isOpen = scene.ui.picker?.key === key;
  const shown = isOpen ? (scene.ui.picker?.state ?? noOptions) : noOptions;
  const chosen = chosenPicks(scene.server, state);
  const isMulti = element.type.startsWith('multi_');
  const picks = isOpen
    ? picksFor(scene.server, element, shown.query, shown.options).filter(
        (pick) => !isMulti || !chosen.some((one) => one.value === pick.value),
      )
    : [];
  const active = Math.min(shown.active, picks.length - 1);
  const list = `${labelled.id}-list`;
  const put = (next: readonly Pick[]): void => {
    scene.actions.put(spot, stateOf(element, next, state));
  };
  const choose = (pick: Pick): void => {
    scene.actions.closePicker();
    put(isMulti ? [...chosen, pick] : [pick]);
  };
  const isFull =
    isMulti && 'max_selected_items' in element && chosen.length >= (element.max_selected_items ?? Infinity);
  return html`<div class="picker" data-open=${isOpen}>
    ${isMulti && chosen.length > 0 ? chips(chosen, put) : ''}
    <input
      id=${labelled.id}
      type="text"
      role="combobox"
      autocomplete="off"
      spellcheck="false"
      aria-label=${labelled.label}
      aria-autocomplete="list"
      aria-expanded=${isOpen}
      aria-controls=${list}
      aria-activedescendant=${ifDefined(isOpen && active >= 0 ? `${list}-${active}` : undefined)}
      aria-describedby=${ifDefined(labelled.describedBy)}
      aria-invalid=${labelled.isInvalid === true}
      aria-required=${labelled.isRequired === true}
      placeholder=${isOpen ? (chosen[0]?.text ?? placeholderOf(element)) : placeholderOf(element)}
      ?disabled=${isFull}
      .value=${live(isOpen ? shown.query : isMulti ? '' : (chosen[0]?.text ?? ''))}
      @click=${() => {
        if (!isOpen) scene.actions.openPicker(spot);
      }}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) scene.actions.queryPicker(spot, event.target.value);
      }}
      @blur=${() => {
        if (isOpen) scene.actions.closePicker();
      }}
      @keydown=${(event: KeyboardEvent) => {
        steer(scene, spot, event, { isOpen, picks, active, choose, chosen, isMulti, put });
      }}
    />
    ${
      !isMulti && chosen.length > 0 && !isOpen
        ? html`<button
            type="button"
            class="picker-clear"
            aria-label="Clear ${labelled.label}"
            @click=${() => {
              put([]);
            }}
          >
            ×
          </button>`
        : html`<span class="picker-arrow" aria-hidden="true">▾</span>`
    }
    <div class="picker-list" id=${list} role="listbox" aria-label=${labelled.label} ?hidden=${!isOpen}>
      ${listView(picks, active, list, choose)}
      ${isOpen && picks.length === 0 ? html`<div class="picker-empty">${emptyText(element, shown.query, shown.isLoading)}</div>` : nothing}
    </div>
  </div>`;
}

const placeholderOf = (element: PickerElement): string => withEmoji(element.placeholder?.text ?? 'Choose…');

function emptyText(element: PickerElement, query: string, isLoading: boolean): string {
  if (isLoading) return 'Looking…';
  const least = 'min_query_length' in element ? (element.min_query_length ?? 3) : 3;
  return asksBot(element) && query.length < least ? `Type at least ${least} characters` : 'Nothing found';
}

function chips(chosen: readonly Pick[], put: (next: readonly Pick[]) => void): TemplateResult {
  return html`<ul class="chips" aria-label="Chosen">
    ${chosen.map(
      (pick) =>
        html`<li>
          ${withEmoji(pick.text)}<button
            type="button"
            aria-label="Remove ${pick.text}"
            @click=${() => {
              put(chosen.filter((one) => one !== pick));
            }}
          >
            ×
          </button>
        </li>`,
    )}
  </ul>`;
}

function listView(
  picks: readonly Pick[],
  active: number,
  list: string,
  choose: (pick: Pick) => void,
): TemplateResult[] {
  return picks.map((pick, index) => {
    const heading =
      pick.group !== undefined && pick.group !== picks[index - 1]?.group
        ? html`<div class="picker-group" role="presentation">${pick.group}</div>`
        : '';
    return html`${heading}
      <div
        class="pick"
        id="${list}-${index}"
        role="option"
        aria-selected=${index === active}
        @mousedown=${(event: MouseEvent) => {
          event.preventDefault();
        }}
        @click=${() => {
          choose(pick);
        }}
      >
        <span>${withEmoji(pick.text)}</span
        >${pick.description === undefined ? '' : html`<small>${withEmoji(pick.description)}</small>`}
      </div>`;
  });
}

interface Steering {
  isOpen: boolean;
  picks: readonly Pick[];
  active: number;
  chosen: readonly Pick[];
  isMulti: boolean;
  choose(pick: Pick): void;
  put(next: readonly Pick[]): void;
}

function steer(scene: Scene, spot: Spot, event: KeyboardEvent, steering: Steering): void {
  const { isOpen, picks, active, chosen } = steering;
  const current = picks[active];
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
      event.preventDefault();
      if (!isOpen) scene.actions.openPicker(spot);
      else
        scene.actions.movePicker(
          (active + (event.key === 'ArrowDown' ? 1 : -1) + picks.length) % Math.max(1, picks.length),
        );
      return;
    case 'Enter':
      event.preventDefault();
      if (isOpen && current !== undefined) steering.choose(current);
      return;
    case 'Escape':
      if (!isOpen) return;
      event.preventDefault();
      event.stopPropagation();
      scene.actions.closePicker();
      return;
    case 'Backspace':
      if (steering.isMulti && chosen.length > 0 && scene.ui.picker?.state.query === '')
        steering.put(chosen.slice(0, -1));
  }
}
