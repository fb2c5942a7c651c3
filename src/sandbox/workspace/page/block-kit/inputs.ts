import { type TemplateResult, html } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import type { InteractiveElement } from '../../block-kit/elements.ts';
import type { ChoiceOption } from '../../block-kit/options.ts';
import type { InputState } from '../../model.ts';
import { asRichText, plainTextOf } from '../../plain-text.ts';
import type { Scene, Spot } from '../scene.ts';
import { withEmoji } from '../text/emoji.ts';
import { type Labelled, pickerView } from './picker.ts';
import { isPicker } from './picker-options.ts';
import { anyText } from './text.ts';

/** An element that holds a value, in an input block or elsewhere. */
export function inputView(scene: Scene, spot: Spot, state: InputState, labelled: Labelled): TemplateResult {
  const { element } = spot;
  if (isPicker(element)) return pickerView(scene, spot, element, state, labelled);
  switch (element.type) {
    case 'checkboxes':
    case 'radio_buttons':
      return choicesView(scene, spot, element, state, labelled);
    case 'plain_text_input':
    case 'rich_text_input':
      return textView(scene, spot, element, state, labelled);
    case 'email_text_input':
      return fieldView(scene, spot, state, labelled, {
        type: 'email',
        held: state.value ?? '',
        keep: (value) => ({ value }),
      });
    case 'url_text_input':
      return fieldView(scene, spot, state, labelled, {
        type: 'url',
        held: state.value ?? '',
        keep: (value) => ({ value }),
      });
    case 'number_input':
      return fieldView(scene, spot, state, labelled, {
        type: 'text',
        mode: element.is_decimal_allowed ? 'decimal' : 'numeric',
        held: state.value ?? '',
        keep: (value) => ({ value }),
      });
    case 'datepicker':
      return fieldView(scene, spot, state, labelled, {
        type: 'date',
        held: state.selected_date ?? '',
        keep: (selected_date) => ({ selected_date }),
      });
    case 'timepicker':
      return fieldView(scene, spot, state, labelled, {
        type: 'time',
        held: state.selected_time ?? '',
        keep: (selected_time) => ({ selected_time }),
      });
    case 'datetimepicker':
      return fieldView(scene, spot, state, labelled, {
        type: 'datetime-local',
        held: toLocal(state.selected_date_time),
        keep: (value) => ({ selected_date_time: fromLocal(value) }),
      });
    default:
      return html`<p class="muted">The sandbox cannot show a ${element.type}.</p>`;
  }
}

interface Field {
  type: string;
  mode?: string;
  held: string;
  keep(value: string | null): Partial<InputState>;
}

function fieldView(scene: Scene, spot: Spot, state: InputState, labelled: Labelled, field: Field): TemplateResult {
  const keep = (event: Event): void => {
    if (event.target instanceof HTMLInputElement)
      scene.actions.put(spot, { ...state, ...field.keep(event.target.value === '' ? null : event.target.value) });
  };
  return html`<input
    id=${labelled.id}
    class="field"
    type=${field.type}
    inputmode=${ifDefined(field.mode)}
    aria-label=${labelled.label}
    aria-describedby=${ifDefined(labelled.describedBy)}
    aria-invalid=${labelled.isInvalid === true}
    aria-required=${labelled.isRequired === true}
    placeholder=${placeholderOf(spot.element)}
    .value=${live(field.held)}
    @input=${['date', 'time', 'datetime-local'].includes(field.type) ? null : keep}
    @change=${keep}
    @keydown=${onEnter(scene, spot)}
  />`;
}

type TextElement = Extract<InteractiveElement, { type: 'plain_text_input' | 'rich_text_input' }>;

function textView(
  scene: Scene,
  spot: Spot,
  element: TextElement,
  state: InputState,
  labelled: Labelled,
): TemplateResult {
  const isRich = element.type === 'rich_text_input';
  const keep = (value: string): void => {
    scene.actions.put(
      spot,
      isRich
        ? { type: state.type, ...(value !== '' && { rich_text_value: asRichText(value) }) }
        : { ...state, value: value === '' ? null : value },
    );
  };
  const held = state.rich_text_value === undefined ? (state.value ?? '') : plainTextOf(state.rich_text_value);
  if (!isRich && element.multiline !== true)
    return fieldView(scene, spot, state, labelled, { type: 'text', held, keep: (value) => ({ value }) });
  return html`<textarea
    id=${labelled.id}
    class="field"
    rows="4"
    aria-label=${labelled.label}
    aria-describedby=${ifDefined(labelled.describedBy)}
    aria-invalid=${labelled.isInvalid === true}
    aria-required=${labelled.isRequired === true}
    placeholder=${placeholderOf(element)}
    .value=${live(held)}
    @input=${(event: InputEvent) => {
      if (event.target instanceof HTMLTextAreaElement) keep(event.target.value);
    }}
  ></textarea>`;
}

const placeholderOf = (element: InteractiveElement): string =>
  'placeholder' in element ? withEmoji(element.placeholder?.text ?? '') : '';

function onEnter(scene: Scene, spot: Spot): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || spot.block.type !== 'input' || spot.block.dispatch_action !== true) return;
    event.preventDefault();
    scene.actions.enter(spot);
  };
}

type Choices = Extract<InteractiveElement, { type: 'checkboxes' | 'radio_buttons' }>;

function choicesView(
  scene: Scene,
  spot: Spot,
  element: Choices,
  state: InputState,
  labelled: Labelled,
): TemplateResult {
  const isMulti = element.type === 'checkboxes';
  const chosen = isMulti ? (state.selected_options ?? []) : [state.selected_option];
  const isChosen = (option: ChoiceOption): boolean => chosen.some((one) => one?.value === option.value);
  const toggle = (option: ChoiceOption): void => {
    const selected = element.options.filter((one) => (one === option ? !isChosen(one) : isChosen(one)));
    scene.actions.put(
      spot,
      isMulti ? { type: state.type, selected_options: selected } : { type: state.type, selected_option: option },
    );
  };
  return html`<div
    id=${labelled.id}
    class="choices"
    role=${isMulti ? 'group' : 'radiogroup'}
    aria-label=${labelled.label}
    aria-describedby=${ifDefined(labelled.describedBy)}
  >
    ${element.options.map(
      (option) =>
        html`<label>
          <input
            type=${isMulti ? 'checkbox' : 'radio'}
            name=${labelled.id}
            .checked=${live(isChosen(option))}
            @change=${() => {
              toggle(option);
            }}
          />
          <span
            >${anyText(scene, option.text)}${option.description === undefined ? '' : html`<small>${anyText(scene, option.description)}</small>`}</span
          >
        </label>`,
    )}
  </div>`;
}

function toLocal(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '';
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const fromLocal = (value: string | null): number | null =>
  value === null ? null : Math.floor(new Date(value).getTime() / 1000);
