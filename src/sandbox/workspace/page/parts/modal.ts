import { html, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { ref } from 'lit-html/directives/ref.js';
import { elementsOf } from '../../interactive-elements.ts';
import type { View } from '../../model.ts';
import { blocksView } from '../block-kit/blocks.ts';
import { type RenderContext, withEdits } from '../ui.ts';
import { withEmoji } from '../text/mrkdwn.ts';

/** Renders the top modal of the person's stack as a dialog that traps the focus. */
export function modalView(context: RenderContext): TemplateResult {
  const view = context.server.stack.at(-1);
  return html`<dialog
    class="modal"
    aria-labelledby="modal-title"
    ${ref((element) => showWhile(element, view !== undefined))}
    @cancel=${(event: Event) => {
      event.preventDefault();
      if (view !== undefined) context.act({ do: 'close', view: view.id, all: false });
    }}
  >
    ${view === undefined ? '' : keyed(view.id, formView(context, view))}
  </dialog>`;
}

/** Opens and closes a dialog. Its methods move the focus in and back; the `open` attribute does not. */
function showWhile(element: Element | undefined, isWanted: boolean): void {
  if (!(element instanceof HTMLDialogElement)) return;
  // lit-html calls a ref before it renders the element's content.
  queueMicrotask(() => {
    if (!isWanted) element.close();
    else if (element.isConnected && !element.open) {
      element.showModal();
      focusFirst(element);
    } else if (document.activeElement === document.body || document.activeElement === element)
      focusFirst(element, 'input, textarea, select');
  });
}

/** @param elements what may get the focus: in a modal that changed, a second Enter must not press the first button, such as Withdraw */
function focusFirst(dialog: HTMLDialogElement, elements = 'input, textarea, select, button'): void {
  const wanted =
    dialog.querySelector<HTMLElement>('[data-focus] input, [data-focus] textarea') ??
    dialog.querySelector<HTMLElement>(`.modal-body :is(${elements})`) ??
    dialog.querySelector<HTMLElement>('.modal-foot button');
  // A long text is read from its beginning, even if its first button is at the end.
  wanted?.focus({ preventScroll: wanted instanceof HTMLButtonElement });
}

function formView(context: RenderContext, view: View): TemplateResult {
  const { ui, actions, server } = context;
  const values = withEdits(view.state.values, ui.edits[view.id]);
  const depth = server.stack.length;
  // A body without elements takes the focus itself, so that the keyboard can scroll it.
  const hasElements = view.blocks.some((block) => elementsOf(block).length > 0);
  const close = (all: boolean) => () => context.act({ do: 'close', view: view.id, all });
  const back = close(false);
  return html`<form
    novalidate
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      actions.submit(view.id);
    }}
  >
    <div class="modal-head">
      ${depth > 1 ? html`<button type="button" class="button icon-button" aria-label="Back" @click=${back}>←</button>` : ''}
      <h2 id="modal-title">${withEmoji(view.title?.text ?? '')}</h2>
      <button
        type="button"
        class="button icon-button"
        aria-label="Close"
        @click=${close(true)}
      >
        ×
      </button>
    </div>
    <div class="modal-body" tabindex=${hasElements ? -1 : 0}>
      ${blocksView({ context, source: { kind: 'view', id: view.id }, values, errors: ui.errors[view.id] ?? {} }, view.blocks)}
    </div>
    <div class="modal-foot">
      <button type="button" class="button" @click=${back}>
        ${withEmoji(view.close?.text ?? (view.submit === undefined ? 'Close' : 'Cancel'))}
      </button>
      ${view.submit === undefined ? '' : submitButton(view.submit.text, ui.submitting === view.id)}
    </div>
  </form>`;
}

const submitButton = (label: string, isSubmitting: boolean): TemplateResult =>
  html`<button type="submit" class="button primary" ?disabled=${isSubmitting} aria-busy=${isSubmitting}>
    ${withEmoji(label)}
  </button>`;

/** Renders the confirmation dialog of an element. */
export function confirmView(context: RenderContext): TemplateResult {
  const { question } = context.ui;
  const answer = (isConfirmed: boolean) => () => {
    context.change({ question: null });
    if (isConfirmed) question?.answer();
  };
  return html`<dialog
    class="modal confirm"
    aria-labelledby="confirm-title"
    aria-describedby="confirm-text"
    ${ref((element) => showWhile(element, question !== null))}
    @cancel=${(event: Event) => {
      event.preventDefault();
      context.change({ question: null });
    }}
  >
    ${
      question === null
        ? ''
        : html`<div class="modal-head"><h2 id="confirm-title">${question.confirm.title.text}</h2></div>
            <div class="modal-body" id="confirm-text">${withEmoji(question.confirm.text.text)}</div>
            <div class="modal-foot">
              <button type="button" class="button" @click=${answer(false)}>${question.confirm.deny.text}</button>
              <button type="button" class="button primary" @click=${answer(true)}>
                ${question.confirm.confirm.text}
              </button>
            </div>`
    }
  </dialog>`;
}
