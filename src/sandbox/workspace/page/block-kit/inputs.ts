import { html, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import type { InteractiveElement } from '../../block-kit/elements.ts';
import type { ChoiceOption } from '../../block-kit/composition-objects.ts';
import type { InputState } from '../../model.ts';
import { limits } from '../../limits.ts';
import type { PageFile } from '../../page-contract.ts';
import { asRichText, plainTextOf } from '../../plain-text.ts';
import { chosenFiles, fileChooser } from '../parts/chosen-files.ts';
import { fromWallTime, zoneOffsetMs } from '../../time-zones.ts';
import type { RenderContext, LocatedElement } from '../render-context.ts';
import { withEmoji } from '../text/emoji.ts';
import { type FieldLabel, pickerView } from './picker.ts';
import { isPicker } from './picker-options.ts';
import { anyText } from './text.ts';

/** Renders an element that holds a value, in an input block or elsewhere. */
export function inputView(
  context: RenderContext,
  located: LocatedElement,
  state: InputState,
  fieldLabel: FieldLabel,
): TemplateResult {
  const { element } = located;
  if (isPicker(element)) return pickerView(context, located, element, state, fieldLabel);
  switch (element.type) {
    case 'checkboxes':
    case 'radio_buttons':
      return choicesView(context, located, element, state, fieldLabel);
    case 'plain_text_input':
    case 'rich_text_input':
      return textView(context, located, element, state, fieldLabel);
    case 'email_text_input':
      return fieldView(context, located, state, fieldLabel, {
        type: 'email',
        value: state.value ?? '',
        toState: (value) => ({ value }),
      });
    case 'url_text_input':
      return fieldView(context, located, state, fieldLabel, {
        type: 'url',
        value: state.value ?? '',
        toState: (value) => ({ value }),
      });
    case 'number_input':
      return fieldView(context, located, state, fieldLabel, {
        type: 'text',
        mode: element.is_decimal_allowed ? 'decimal' : 'numeric',
        value: state.value ?? '',
        toState: (value) => ({ value }),
      });
    case 'datepicker':
      return fieldView(context, located, state, fieldLabel, {
        type: 'date',
        value: state.selected_date ?? '',
        toState: (selected_date) => ({ selected_date }),
      });
    case 'timepicker':
      return fieldView(context, located, state, fieldLabel, {
        type: 'time',
        value: state.selected_time ?? '',
        toState: (selected_time) => ({ selected_time }),
      });
    case 'datetimepicker':
      return fieldView(context, located, state, fieldLabel, {
        type: 'datetime-local',
        value: toLocal(state.selected_date_time, context.server.me.timeZone),
        toState: (value) => ({ selected_date_time: fromLocal(value, context.server.me.timeZone) }),
      });
    case 'file_input':
      return fileInputView(context, located, element, state, fieldLabel);
    default:
      return html`<p class="muted">The sandbox can’t show ${element.type}.</p>`;
  }
}

type FileInput = Extract<InteractiveElement, { type: 'file_input' }>;

function fileInputView(
  context: RenderContext,
  located: LocatedElement,
  element: FileInput,
  state: InputState,
  fieldLabel: FieldLabel,
): TemplateResult {
  const files = (state.files ?? []) as PageFile[];
  const mostFiles = element.max_files ?? limits.fileInputFiles.max;
  const chooser = fileChooser({
    id: fieldLabel.id,
    label: fieldLabel.label,
    content: mostFiles === 1 ? 'Choose a file' : 'Choose files',
    describedBy: fieldLabel.describedBy,
    isInvalid: fieldLabel.isInvalid === true,
    extensions: element.filetypes,
    mayChooseSeveral: mostFiles > 1,
    choose(chosen) {
      context.actions.chooseFiles(located, mostFiles === 1 ? { ...state, files: [] } : state, chosen);
    },
  });
  const remove = (file: PageFile): void => {
    context.actions.setInput(located, { ...state, files: files.filter((other) => other.id !== file.id) });
  };
  return html`<div class="file-input">${chosenFiles(files, remove)}${chooser}</div>`;
}

interface Field {
  type: string;
  mode?: string;
  value: string;
  toState(value: string | null): Partial<InputState>;
}

function fieldView(
  context: RenderContext,
  located: LocatedElement,
  state: InputState,
  fieldLabel: FieldLabel,
  field: Field,
): TemplateResult {
  const onInput = (event: Event): void => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const value = event.target.value === '' ? null : event.target.value;
    context.actions.setInput(located, { ...state, ...field.toState(value) });
  };
  return html`<input
    id=${fieldLabel.id}
    class="field"
    type=${field.type}
    inputmode=${ifDefined(field.mode)}
    aria-label=${fieldLabel.label}
    aria-describedby=${ifDefined(fieldLabel.describedBy)}
    aria-invalid=${fieldLabel.isInvalid === true}
    aria-required=${fieldLabel.isRequired === true}
    placeholder=${placeholderOf(located.element)}
    .value=${live(field.value)}
    @input=${['date', 'time', 'datetime-local'].includes(field.type) ? null : onInput}
    @change=${onInput}
    @keydown=${onEnter(context, located)}
  />`;
}

type TextElement = Extract<InteractiveElement, { type: 'plain_text_input' | 'rich_text_input' }>;

function textView(
  context: RenderContext,
  located: LocatedElement,
  element: TextElement,
  state: InputState,
  fieldLabel: FieldLabel,
): TemplateResult {
  const isRich = element.type === 'rich_text_input';
  const setText = (value: string): void => {
    context.actions.setInput(
      located,
      isRich
        ? { type: state.type, ...(value !== '' && { rich_text_value: asRichText(value) }) }
        : { ...state, value: value === '' ? null : value },
    );
  };
  const text = state.rich_text_value === undefined ? (state.value ?? '') : plainTextOf(state.rich_text_value);
  if (!isRich && element.multiline !== true)
    return fieldView(context, located, state, fieldLabel, {
      type: 'text',
      value: text,
      toState: (value) => ({ value }),
    });
  return html`<textarea
    id=${fieldLabel.id}
    class="field"
    rows="4"
    aria-label=${fieldLabel.label}
    aria-describedby=${ifDefined(fieldLabel.describedBy)}
    aria-invalid=${fieldLabel.isInvalid === true}
    aria-required=${fieldLabel.isRequired === true}
    placeholder=${placeholderOf(element)}
    .value=${live(text)}
    @input=${(event: InputEvent) => {
      if (event.target instanceof HTMLTextAreaElement) setText(event.target.value);
    }}
  ></textarea>`;
}

const placeholderOf = (element: InteractiveElement): string =>
  'placeholder' in element ? withEmoji(element.placeholder?.text ?? '') : '';

function onEnter(context: RenderContext, located: LocatedElement): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || located.block.type !== 'input' || located.block.dispatch_action !== true) return;
    event.preventDefault();
    context.actions.enter(located);
  };
}

type Choices = Extract<InteractiveElement, { type: 'checkboxes' | 'radio_buttons' }>;

function choicesView(
  context: RenderContext,
  located: LocatedElement,
  element: Choices,
  state: InputState,
  fieldLabel: FieldLabel,
): TemplateResult {
  const isMulti = element.type === 'checkboxes';
  const chosen = isMulti ? (state.selected_options ?? []) : [state.selected_option];
  const isChosen = (option: ChoiceOption): boolean => chosen.some((selected) => selected?.value === option.value);
  const toggle = (option: ChoiceOption): void => {
    const selected = element.options.filter((other) => (other === option ? !isChosen(other) : isChosen(other)));
    context.actions.setInput(
      located,
      isMulti ? { type: state.type, selected_options: selected } : { type: state.type, selected_option: option },
    );
  };
  return html`<div
    id=${fieldLabel.id}
    class="choices"
    role=${isMulti ? 'group' : 'radiogroup'}
    aria-label=${fieldLabel.label}
    aria-describedby=${ifDefined(fieldLabel.describedBy)}
  >
    ${element.options.map(
      (option) =>
        html`<label>
          <input
            type=${isMulti ? 'checkbox' : 'radio'}
            name=${fieldLabel.id}
            .checked=${live(isChosen(option))}
            @change=${() => {
              toggle(option);
            }}
          />
          <span
            >${anyText(context, option.text)}${option.description === undefined ? '' : html`<small>${anyText(context, option.description)}</small>`}</span
          >
        </label>`,
    )}
  </div>`;
}

function toLocal(seconds: number | null | undefined, timeZone: string): string {
  if (seconds === null || seconds === undefined) return '';
  const moment = seconds * 1000;
  return new Date(moment + zoneOffsetMs(timeZone, moment)).toISOString().slice(0, 16);
}

const fromLocal = (value: string | null, timeZone: string): number | null =>
  value === null ? null : Math.floor(fromWallTime(timeZone, Date.parse(`${value}Z`)) / 1000);
