import { type TemplateResult, html } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { parseJson, propertyOf } from '../../json.ts';
import type { Call, Delivery } from '../../model.ts';
import type { RenderContext } from '../render-context.ts';

/** Renders the raw requests between Slack and the bot, newest first. */
export function drawerView(context: RenderContext): TemplateResult | '' {
  if (!context.ui.isDrawerOpen) return '';
  const { deliveries, calls } = context.ui.exchanges;
  const entries = [...deliveries.map(fromDelivery), ...calls.map(fromCall)].toSorted(
    (a, b) => b.at - a.at || b.id.localeCompare(a.id),
  );
  return html`<aside class="drawer" aria-label="Requests">
    <div class="pane-head">
      <h2>Requests</h2>
      <p class="muted">→ to the bot, ← to Slack</p>
      <button
        type="button"
        class="button icon-button"
        aria-label="Close requests"
        @click=${() => {
          context.actions.toggleDrawer(false);
        }}
      >
        ×
      </button>
    </div>
    <div class="drawer-list" tabindex="0" role="region" aria-label="Requests, newest first">
      ${entries.length === 0 ? html`<p class="empty">No requests yet.</p>` : repeat(entries, (entry) => entry.id, entryView)}
    </div>
  </aside>`;
}

interface Entry {
  id: string;
  at: number;
  arrow: string;
  name: string;
  result: string;
  isFine: boolean;
  parts: { label: string; content: unknown }[];
}

const fromDelivery = (delivery: Delivery): Entry => ({
  id: delivery.id,
  at: delivery.at,
  arrow: '→',
  name: [delivery.kind, subjectOf(delivery.body), delivery.retryNum === undefined ? '' : `(retry ${delivery.retryNum})`]
    .join(' ')
    .trim(),
  result:
    delivery.error ??
    (delivery.durationMs === undefined ? 'under way' : `${delivery.status ?? ''} · ${delivery.durationMs} ms`),
  isFine: delivery.error === undefined,
  parts: [
    { label: `Request by ${delivery.transport}`, content: delivery.body },
    { label: 'Acknowledgement', content: delivery.answer ?? '(empty)' },
  ],
});

/** The subject of a delivery: a command, an event type, a callback id or an action id. */
function subjectOf(body: unknown): string {
  const actions = propertyOf(body, 'actions');
  const subjects = [
    propertyOf(body, 'command'),
    propertyOf(propertyOf(body, 'event'), 'type'),
    propertyOf(body, 'callback_id'),
    propertyOf(Array.isArray(actions) ? actions[0] : body, 'action_id'),
    propertyOf(propertyOf(body, 'view'), 'callback_id'),
  ];
  return subjects.find((subject) => typeof subject === 'string') ?? '';
}

const fromCall = (call: Call): Entry => ({
  id: call.id,
  at: call.at,
  arrow: '←',
  name: call.method,
  result: call.error ?? 'ok',
  isFine: call.ok,
  parts: [
    { label: 'Arguments', content: unpacked(call.args) },
    { label: `Answer ${call.status}`, content: call.answer },
  ],
});

/** Parses the arguments that contain JSON. */
function unpacked(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' && /^[[{]/.test(value) ? (parseJson(value) ?? value) : value,
    ]),
  );
}

function entryView(entry: Entry): TemplateResult {
  return html`<details class="exchange">
    <summary>
      <span aria-hidden="true">${entry.arrow}</span> <code>${entry.name}</code>
      <span class="result" data-fine=${entry.isFine}>${entry.result}</span>
      <time>${new Date(entry.at).toLocaleTimeString()}</time>
    </summary>
    ${entry.parts.map(
      (part) =>
        html`<h3>${part.label}</h3>
          <pre tabindex="0">
${typeof part.content === 'string' ? part.content : JSON.stringify(part.content, null, 2)}</pre>`,
    )}
  </details>`;
}
