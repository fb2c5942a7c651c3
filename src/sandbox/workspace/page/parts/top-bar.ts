import { html, type TemplateResult } from 'lit-html';
import type { Person } from '../../model.ts';
import type { PageState } from '../../page-contract.ts';
import { menuView } from '../block-kit/buttons.ts';
import { hrefFor, type RenderContext } from '../ui.ts';

export function topBar(context: RenderContext): TemplateResult {
  const { server, ui, actions, act, change } = context;
  const shortcuts = server.shortcuts
    .filter((shortcut) => shortcut.type === 'global')
    .map((shortcut) => ({
      label: shortcut.name,
      description: shortcut.description,
      act: () => act({ do: 'shortcut', callbackId: shortcut.callback_id }),
    }));
  return html`<header class="top-bar">
    <button
      type="button"
      class="button icon-button only-narrow"
      aria-label="Channels"
      aria-expanded=${ui.isSidebarOpen}
      @click=${() => change({ isSidebarOpen: !ui.isSidebarOpen })}
    >
      ☰
    </button>
    <h1>${server.teamName}</h1>
    <nav aria-label="Links" class="top-links only-wide">${links(context)}</nav>
    ${clockView(context)} ${tourButton(context)}
    ${shortcuts.length === 0 ? '' : menuView(context, 'shortcuts', 'Shortcuts', shortcutsIcon, shortcuts)}
    <label class="acting-as">
      <span class="only-wide">Acting as</span>
      <select
        aria-label="Acting as"
        @change=${(event: Event) => {
          if (event.target instanceof HTMLSelectElement) actions.actAs(event.target.value);
        }}
      >
        ${server.people
          .filter((person) => person.isBot !== true && person.isDeleted !== true)
          .map((person) => personOption(person, person.id === server.me.id))}
      </select>
    </label>
  </header>`;
}

const shortcutsIcon = html`<span aria-hidden="true">⚡</span><span class="only-wide">Shortcuts</span>`;

const personOption = (person: Person, isMe: boolean): TemplateResult =>
  html`<option value=${person.id} ?selected=${isMe}>${person.realName} · ${person.title}</option>`;

/** The links are in the top bar where there is room for them, else in the sidebar. */
export const links = (context: RenderContext): TemplateResult[] =>
  context.server.links.map(
    (link) =>
      html`<a href=${hrefFor(context, link.url)} target="_blank" rel="noopener">${link.label}<span aria-hidden="true"> ↗</span></a>`,
  );

/** Renders the button that opens and closes the tour. */
function tourButton({ server: { tour }, ui, actions }: RenderContext): TemplateResult | '' {
  if (tour === null) return '';
  return html`<button
    type="button"
    class="button icon-button tour-button"
    aria-label="Tour: ${countWords(tour)}"
    title="Tour"
    aria-pressed=${ui.isTourOpen}
    @click=${() => actions.toggleTour(!ui.isTourOpen)}
  >
    <span aria-hidden="true">🧭</span><span class="only-wide">Tour</span>
  </button>`;
}

export const countWords = ({ steps }: NonNullable<PageState['tour']>): string =>
  `${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const longestSkipMs = 7 * 24 * hourMs;

const skips = [
  { label: 'Skip an hour', ms: hourMs },
  { label: 'Skip a day', ms: 24 * hourMs },
  { label: 'Skip a week', ms: 7 * 24 * hourMs },
];

/** Renders the sandbox's time and the menu that skips ahead. */
function clockView(context: RenderContext): TemplateResult | '' {
  const { server, act, now } = context;
  if (!server.canSkip) return '';
  const shown = momentText(now, server.me.timeZone);
  if (server.skipping !== null)
    return html`<div class="clock-skip" role="status">
      ${timeView(now, shown, server.me.timeZone)} ${skipProgress(context, server.skipping)}
    </div>`;
  const deadline = deadlineSkip(context);
  const fixed = skips.map(({ label, ms }) => ({
    label,
    description: `To ${momentText(new Date(now.getTime() + ms), server.me.timeZone)}`,
    act: () => act({ do: 'skip', ms }),
  }));
  const items = [...fixed, ...(deadline === undefined ? [] : [deadline])];
  return menuView(context, 'clock', `Clock: ${shown}`, timeView(now, shown, server.me.timeZone), items);
}

/** The way to the next due time that a board shows, and a little further, so that what is due then has happened. */
export function deadlineSkip({ server, act, now }: RenderContext) {
  const { deadlineMs, canSkip, me } = server;
  const ms = (deadlineMs ?? 0) - now.getTime() + minuteMs;
  if (!canSkip || deadlineMs === null || ms > longestSkipMs) return undefined;
  return {
    label: 'Skip to the deadline',
    description: `To ${momentText(new Date(deadlineMs), me.timeZone)}`,
    act: () => act({ do: 'skip', ms }),
  };
}

/** Shows how far a skip is. */
export const skipProgress = (
  { now }: RenderContext,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): TemplateResult =>
  html`<progress aria-label="Skipping ahead" max=${toMs - fromMs} .value=${now.getTime() - fromMs}></progress>`;

/** Shows the date where there is room for it. */
function timeView(now: Date, shown: string, timeZone: string): TemplateResult {
  const time = new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(now);
  return html`<span class="clock-time"
    ><span aria-hidden="true">🕘 </span><span class="only-wide">${shown}</span><span class="only-narrow">${time}</span></span
  >`;
}

/** A date and time in a person's time zone, for example “Mon, Nov 23, 9:00 AM”. */
const momentText = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(moment);
