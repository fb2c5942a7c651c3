import { type TemplateResult, html } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import type { CommandHelp } from '../../model.ts';
import { type RenderContext, domId, draftKey } from '../ui.ts';
import { type Completion, completionsFor, isWholeCommand, usageOf } from '../text/completions.ts';
import { chosenFiles, fileChooser } from '../block-kit/inputs.ts';

const sendIcon = html`<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
  <path fill="currentColor" d="M3 20.5v-6.8L14 12 3 10.3V3.5L22 12 3 20.5Z" />
</svg>`;

/** Renders the input for messages and commands. As in Slack, threads accept no commands. */
export function composer(context: RenderContext, channel: string, name: string, threadTs?: string): TemplateResult {
  const key = draftKey(channel, threadTs);
  const attached = context.ui.attached[key] ?? [];
  const draft = context.ui.drafts[key] ?? '';
  const completions = context.ui.isCompletionHidden
    ? []
    : completionsFor(draft, threadTs === undefined ? context.server : { ...context.server, commands: [] });
  const active = activeOf(context, draft, completions);
  const usage = usageOf(draft, context.server.commands);
  const list = domId('completions', key);
  const write = (text: string) =>
    context.change({ drafts: { ...context.ui.drafts, [key]: text }, completion: null, isCompletionHidden: false });
  const complete = (completion: Completion) => write(completion.draft);
  const send = () => context.actions.send(channel, threadTs);
  return html`<div class="composer">
    <div class="completions" id=${list} role="listbox" aria-label="Completions" ?hidden=${completions.length === 0}>
      ${completions.map((completion, index) => completionView(completion, `${list}-${index}`, index === active, complete))}
    </div>
    ${usage === undefined || usage.usage_hint === '' ? '' : usageView(usage, `${list}-usage`)}
    ${chosenFiles(attached, ({ id }) =>
      context.change({ attached: { ...context.ui.attached, [key]: attached.filter((file) => file.id !== id) } }),
    )}
    <div class="composer-box">
      ${fileChooser({
        id: `${list}-files`,
        label: 'Attach files',
        content: html`<span aria-hidden="true">📎</span>`,
        mayChooseSeveral: true,
        choose: (files) => context.actions.attach(key, files),
      })}
      <textarea
        rows="1"
        role="combobox"
        aria-autocomplete="list"
        aria-label="Message ${name}"
        aria-expanded=${completions.length > 0}
        aria-controls=${list}
        aria-activedescendant=${ifDefined(active < 0 ? undefined : `${list}-${active}`)}
        aria-describedby=${ifDefined(usage === undefined || usage.usage_hint === '' ? undefined : `${list}-usage`)}
        placeholder=${threadTs === undefined ? 'Message or /command' : 'Reply…'}
        .value=${live(draft)}
        @input=${(event: InputEvent) => {
          if (event.target instanceof HTMLTextAreaElement) write(event.target.value);
        }}
        @keydown=${(event: KeyboardEvent) => handleKey(context, event, completions, active, complete, send)}
      ></textarea>
      <button type="button" class="send" aria-label="Send" ?disabled=${draft.trim() === '' && attached.length === 0} @click=${send}>
        ${sendIcon}
      </button>
    </div>
  </div>`;
}

/** The index of the completion that Enter takes; -1 for none. A whole command is sent, unless an arrow key chose another. */
function activeOf(context: RenderContext, draft: string, completions: readonly Completion[]): number {
  if (completions.length === 0) return -1;
  const { completion } = context.ui;
  return completion === null
    ? isWholeCommand(draft, context.server.commands)
      ? -1
      : 0
    : completion % completions.length;
}

const usageView = (usage: CommandHelp, id: string): TemplateResult =>
  html`<p class="usage" id=${id}><strong>${usage.command}</strong> <span>${usage.usage_hint}</span></p>`;

function completionView(
  completion: Completion,
  id: string,
  isActive: boolean,
  complete: (completion: Completion) => void,
): TemplateResult {
  return html`<div
    class="completion"
    id=${id}
    role="option"
    aria-selected=${isActive}
    @mousedown=${(event: MouseEvent) => event.preventDefault()}
    @click=${() => complete(completion)}
  >
    <span class="completion-label">${completion.label}</span> <span class="completion-hint">${completion.hint}</span>
    <small>${completion.description}</small>
  </div>`;
}

const next = (active: number, by: number, count: number): number =>
  active < 0 ? (by > 0 ? 0 : count - 1) : (active + by + count) % count;

function handleKey(
  context: RenderContext,
  event: KeyboardEvent,
  completions: readonly Completion[],
  active: number,
  complete: (completion: Completion) => void,
  send: () => void,
): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (completions.length > 0 && by !== undefined) {
    event.preventDefault();
    context.change({ completion: next(active, by, completions.length) });
    return;
  }
  const current = completions[active];
  if (current !== undefined) {
    if (event.key === 'Tab' || event.key === 'Enter') {
      event.preventDefault();
      complete(current);
      return;
    }
    if (event.key === 'Escape') {
      context.change({ isCompletionHidden: true });
      return;
    }
  }
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    send();
  }
}
