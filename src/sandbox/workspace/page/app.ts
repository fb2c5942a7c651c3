import { html, type TemplateResult } from 'lit-html';
import { confirmView, modalView } from './parts/modal.ts';
import { mainPane, threadPane } from './parts/panes.ts';
import { sidebar } from './parts/sidebar.ts';
import { tourPane } from './parts/tour.ts';
import { topBar, topLinks } from './parts/top-bar.ts';
import type { RenderContext } from './render-context.ts';
import { avatar } from './parts/avatar.ts';

/** Renders the whole page. */
export function appView(context: RenderContext): TemplateResult {
  return html`<a class="skip" href="#composer" @click=${skipToComposer}>Skip to the composer</a>
    ${workspaceSwitch(context)} ${topBar(context)}
    <div class="columns">
      ${sidebar(context)}
      ${
        context.ui.isSidebarOpen
          ? html`<div
              class="scrim only-narrow"
              @click=${() => {
                context.actions.toggleSidebar(false);
              }}
            ></div>`
          : ''
      }
      ${mainPane(context)} ${threadPane(context)} ${tourPane(context)}
    </div>
    ${noticesView(context)} ${modalView(context)} ${confirmView(context)}`;
}

function skipToComposer(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.composer textarea')?.focus();
}

/** Renders notices: a failed click, a lost connection, a pending request. */
function noticesView(context: RenderContext): TemplateResult {
  const { server, ui } = context;
  const notices = server.notices.filter((notice) => ui.dismissed[notice.id] !== true).slice(-3);
  const problem = ui.isOffline ? 'Can’t reach the workspace. Trying again…' : ui.problem;
  return html`<div class="notices" role="status" aria-live="polite">
    ${problem === null ? '' : noticeView(context, 'problem', problem)}
    ${notices.map((notice) => noticeView(context, notice.id, notice.text))}
    ${server.isBotConnected ? '' : html`<div class="notice"><p>The bot isn’t connected yet.</p></div>`}
    ${ui.pending > 0 ? html`<div class="notice quiet"><p>Waiting for ${server.botName}…</p></div>` : ''}
  </div>`;
}

function noticeView(context: RenderContext, id: string, text: string): TemplateResult {
  return html`<div class="notice">
    <p>${text}</p>
    <button
      type="button"
      class="button icon-button"
      aria-label="Dismiss"
      @click=${() => {
        context.actions.dismiss(id);
      }}
    >
      ×
    </button>
  </div>`;
}

/** Renders links to all workspaces, in the same order on each of their pages. Each has a page of its own. */
function workspaceSwitch(context: RenderContext): TemplateResult | '' {
  const { teamName, workspaces } = context.server;
  if (workspaces.length === 0) return '';
  return html`<div class="workspaces">
    <nav aria-label="Workspaces">
      <ul>
        ${workspaces.map(
          ({ label, url }) =>
            html`<li>
              <a href=${url} aria-current=${label === teamName ? 'page' : 'false'}
                >${avatar({ id: label, realName: label }, 'small')}${label}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    ${topLinks(context)}
  </div>`;
}
