import { html, type TemplateResult } from 'lit-html';
import type { PageState } from '../../page-contract.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { RenderContext } from '../render-context.ts';
import { countWords, deadlineSkip, skipProgress } from './top-bar.ts';
import { homeView } from './panes.ts';

type Tour = NonNullable<PageState['tour']>;

/** Whether the tour has the room next to the main pane. */
export const isTourShown = ({ server, ui }: Pick<RenderContext, 'server' | 'ui'>): boolean =>
  server.tour !== null && ui.isTourOpen && ui.thread === null;

/** Renders the tour: its steps, ticked off as they happen, the way to the deadline, and the person’s Home. */
export function tourPane(context: RenderContext): TemplateResult | '' {
  const { server, ui, actions } = context;
  if (server.tour === null || !isTourShown(context)) return '';
  return html`<aside class="tour" aria-label="Tour">
    <div class="pane-head">
      <h2>Tour</h2>
      <p class="muted">${countWords(server.tour)}</p>
      <button
        type="button"
        class="button icon-button"
        aria-label="Close the tour"
        @click=${() => actions.toggleTour(false)}
      >
        ×
      </button>
    </div>
    <div class="tour-body" tabindex="0" role="region" aria-label="Steps and Home">
      ${stepList(context, server.tour)} ${deadlineView(context)}
      ${ui.route.kind === 'home' ? '' : html`<h3 class="tour-home">${server.me.realName}’s Home</h3>${homeView(context)}`}
    </div>
  </aside>`;
}

/** The first step that has not happened is open. */
function stepList(context: RenderContext, { steps }: Tour): TemplateResult {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return html`<ol class="tour-steps">
    ${steps.map(
      ({ title, text, isDone }, index) => html`<li data-done=${isDone}>
        <details ?open=${index === next}>
          <summary>
            <span class="tour-mark" role="img" aria-label=${isDone ? 'Done' : 'To do'}>${isDone ? '✓' : index + 1}</span>
            <span>${title}</span>
          </summary>
          ${mrkdwn(context, text)}
        </details>
      </li>`,
    )}
  </ol>`;
}

function deadlineView(context: RenderContext): TemplateResult | '' {
  if (context.server.skipping !== null)
    return html`<div class="tour-skip">${skipProgress(context, context.server.skipping)}</div>`;
  const skip = deadlineSkip(context);
  if (skip === undefined) return '';
  return html`<div class="tour-skip">
    <button type="button" class="button primary" @click=${skip.act}>${skip.label}</button>
    <small class="muted">${skip.description}</small>
  </div>`;
}
