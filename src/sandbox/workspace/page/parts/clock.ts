import { html, type TemplateResult } from 'lit-html';
import { menuView } from '../block-kit/buttons.ts';
import type { RenderContext } from '../render-context.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const longestSkipMs = 7 * 24 * hourMs;

const skips = [
  { label: 'Skip an hour', ms: hourMs },
  { label: 'Skip a day', ms: 24 * hourMs },
  { label: 'Skip a week', ms: 7 * 24 * hourMs },
];

/** Renders the sandbox's time and the menu that skips ahead. */
export function clockView(context: RenderContext): TemplateResult | '' {
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
