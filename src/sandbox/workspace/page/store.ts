import type { PageState } from '../page-contract.ts';
import type { Ui } from './ui.ts';

export interface State {
  /** Undefined until the first response. */
  server: PageState | undefined;
  ui: Ui;
}

export type Store = ReturnType<typeof createStore>;

/** Holds the page's state. Renders once per microtask after changes. @param draw renders the page */
export function createStore(initial: State, draw: (state: State) => void) {
  let state = initial;
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      draw(state);
    });
  };
  return {
    get state(): State {
      return state;
    },
    change(ui: Partial<Ui>): void {
      state = { ...state, ui: { ...state.ui, ...ui } };
      schedule();
    },
    receive(server: PageState): void {
      state = { ...state, server };
      schedule();
    },
  };
}

const seenKey = 'seen';

/** What this browser has shown before a reload. */
export const rememberedSeen = (): Record<string, string> => JSON.parse(localStorage.getItem(seenKey) ?? '{}');

const tourKey = 'tour';

/** Whether the tour fits beside the messages. Elsewhere it covers them. */
export const roomForTour = matchMedia('(min-width: 1000px)');

/** Whether the tour is open: where there is room for it, unless it was closed in this browser. */
export const isTourRemembered = (): boolean => roomForTour.matches && localStorage.getItem(tourKey) !== 'false';
export const rememberTour = (isOpen: boolean): void => {
  if (roomForTour.matches) localStorage.setItem(tourKey, String(isOpen));
};

/**
 * Computes the last message seen in each conversation. On first load, that is the latest of a channel, but none of the direct
 * messages.
 */
export function lastSeen({ server, ui }: State): Record<string, string> {
  const seen = { ...ui.seen };
  if (server === undefined) return seen;
  for (const channel of [...server.channels, server.direct]) {
    const key = `${server.me.id} ${channel.id}`;
    const isHere = ui.route.kind === 'channel' && ui.route.id === channel.id;
    if (isHere || (seen[key] === undefined && channel !== server.direct))
      seen[key] = server.messages[channel.id]?.at(-1)?.ts ?? '0';
    seen[key] ??= '0';
  }
  localStorage.setItem(seenKey, JSON.stringify(seen));
  return seen;
}
