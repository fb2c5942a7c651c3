import { html, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import type { ElementOf, InputElement, Option } from '../../block-kit/elements.ts';
import { stateWith } from '../../interactive-elements.ts';
import type { InputState } from '../../model.ts';
import { limits } from '../../limits.ts';
import type { PageFile } from '../../page-contract.ts';
import { fromWallTime, zoneOffsetMs } from '../../locales.ts';
import type { LocatedElement, RenderContext } from '../ui.ts';
import { withEmoji } from '../text/mrkdwn.ts';
import { type FieldLabel, isPicker, pickerView } from './picker.ts';

/** Renders an element that holds a value, in an input block or elsewhere. */
export function inputView(
  context: RenderContext,
  located: LocatedElement,
  element: InputElement,
  state: InputState,
  fieldLabel: FieldLabel,
): TemplateResult {
  if (isPicker(element)) return pickerView(context, located, element, state, fieldLabel);
  const field = (type: string, value: string, toValue: (text: string | null) => unknown = (text) => text) =>
    fieldView(context, located, fieldLabel, { type, value, toState: (text) => stateWith(element, toValue(text)) });
  switch (element.type) {
    case 'checkboxes':
      return choicesView(context, located, element, state, fieldLabel);
    case 'plain_text_input':
      return field('text', state.value ?? '');
    case 'email_text_input':
      return field('email', state.value ?? '');
    case 'datepicker':
      return field('date', state.selected_date ?? '');
    case 'datetimepicker': {
      const { timeZone } = context.server.me;
      return field('datetime-local', toLocal(state.selected_date_time, timeZone), (text) => fromLocal(text, timeZone));
    }
    default:
      return fileInputView(context, located, element, state, fieldLabel);
  }
}

function fileInputView(
  context: RenderContext,
  located: LocatedElement,
  element: ElementOf<'file_input'>,
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
    choose: (chosen) => context.actions.chooseFiles(located, mostFiles === 1 ? { ...state, files: [] } : state, chosen),
  });
  const remove = (file: PageFile) =>
    context.actions.setInput(located, { ...state, files: files.filter((other) => other.id !== file.id) });
  return html`<div class="file-input">${chosenFiles(files, remove)}${chooser}</div>`;
}

interface Field {
  type: string;
  value: string;
  toState(text: string | null): InputState;
}

function fieldView(
  context: RenderContext,
  located: LocatedElement,
  fieldLabel: FieldLabel,
  field: Field,
): TemplateResult {
  const onInput = (event: Event): void => {
    if (!(event.target instanceof HTMLInputElement)) return;
    context.actions.setInput(located, field.toState(event.target.value === '' ? null : event.target.value));
  };
  return html`<input
    id=${fieldLabel.id}
    class="field"
    type=${field.type}
    aria-label=${fieldLabel.label}
    aria-describedby=${ifDefined(fieldLabel.describedBy)}
    aria-invalid=${fieldLabel.isInvalid === true}
    aria-required=${fieldLabel.isRequired === true}
    .value=${live(field.value)}
    @input=${field.type.startsWith('date') ? null : onInput}
    @change=${onInput}
  />`;
}

function choicesView(
  context: RenderContext,
  located: LocatedElement,
  element: ElementOf<'checkboxes'>,
  state: InputState,
  fieldLabel: FieldLabel,
): TemplateResult {
  const chosen = state.selected_options ?? [];
  const isChosen = (option: Option): boolean => chosen.some((selected) => selected.value === option.value);
  const toggle = (option: Option): void => {
    const selected = element.options.filter((other) => (other === option ? !isChosen(other) : isChosen(other)));
    context.actions.setInput(located, stateWith(element, selected));
  };
  return html`<div
    id=${fieldLabel.id}
    class="choices"
    role="group"
    aria-label=${fieldLabel.label}
    aria-describedby=${ifDefined(fieldLabel.describedBy)}
  >
    ${element.options.map(
      (option) =>
        html`<label>
          <input
            type="checkbox"
            name=${fieldLabel.id}
            .checked=${live(isChosen(option))}
            @change=${() => toggle(option)}
          />
          <span
            >${withEmoji(option.text.text)}${option.description === undefined ? '' : html`<small>${withEmoji(option.description.text)}</small>`}</span
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

interface FileChooser {
  id: string;
  label: string;
  content: TemplateResult | string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  /** The extensions that the dialog of the browser offers. Default: all. */
  extensions?: readonly string[] | undefined;
  mayChooseSeveral: boolean;
  choose(files: readonly File[]): void;
}

/** Renders a button that opens the browser's dialog to choose files. The input takes the focus, the label shows it. */
export function fileChooser(chooser: FileChooser): TemplateResult {
  return html`<label class="button file-chooser">
    <input
      id=${chooser.id}
      type="file"
      class="sr-only"
      aria-label=${chooser.label}
      aria-describedby=${chooser.describedBy ?? ''}
      aria-invalid=${chooser.isInvalid === true}
      accept=${(chooser.extensions ?? []).map((extension) => `.${extension}`).join(',')}
      ?multiple=${chooser.mayChooseSeveral}
      @change=${(event: Event) => {
        if (!(event.target instanceof HTMLInputElement)) return;
        chooser.choose([...(event.target.files ?? [])]);
        event.target.value = '';
      }}
    />${chooser.content}
  </label>`;
}

/** Renders the chosen files with a button each that takes the file out again. */
export function chosenFiles(files: readonly PageFile[], remove: (file: PageFile) => void): TemplateResult | '' {
  if (files.length === 0) return '';
  return html`<ul class="chips">
    ${files.map(
      (file) =>
        html`<li>
          📄 ${file.name}
          <button
            type="button"
            aria-label="Remove ${file.name}"
            @click=${() => remove(file)}
          >
            ×
          </button>
        </li>`,
    )}
  </ul>`;
}
