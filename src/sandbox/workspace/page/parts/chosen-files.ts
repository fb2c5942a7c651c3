import { html, type TemplateResult } from 'lit-html';
import type { PageFile } from '../../page-contract.ts';

export interface FileChooser {
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
