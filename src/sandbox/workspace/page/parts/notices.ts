import { type TemplateResult, html } from 'lit-html';
import type { Scene } from '../scene.ts';

/** Passing words from the program: a failed click, a broken line. */
export function noticesView(scene: Scene): TemplateResult {
  const { server, ui } = scene;
  const notices = server.notices.filter((notice) => ui.dismissed[notice.id] !== true).slice(-3);
  const problem = ui.isOffline ? 'The workspace cannot be reached. Trying again…' : ui.problem;
  return html`<div class="notices" role="status" aria-live="polite">
    ${problem === null ? '' : noticeView(scene, 'problem', problem)}
    ${notices.map((notice) => noticeView(scene, notice.id, notice.text))}
    ${server.isBotConnected ? '' : html`<div class="notice"><p>No bot is connected yet.</p></div>`}
    ${ui.pending > 0 ? html`<div class="notice quiet"><p>Waiting for ${server.botName}…</p></div>` : ''}
  </div>`;
}

function noticeView(scene: Scene, id: string, text: string): TemplateResult {
  return html`<div class="notice">
    <p>${text}</p>
    <button
      type="button"
      class="button icon-button"
      aria-label="Dismiss"
      @click=${() => {
        scene.actions.dismiss(id);
      }}
    >
      ×
    </button>
  </div>`;
}
