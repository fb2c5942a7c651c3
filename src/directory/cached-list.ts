import type { CallOptions } from '../quiz-api/transport.ts';

/** A list of the quiz service, kept at hand. */
export interface CachedList<Item> {
  /** What is at hand, however old; undefined before the first load. Never waits. */
  known(): readonly Item[] | undefined;
  /** What is at hand; loaded first where there is nothing, and in the background where it has aged. */
  get(call?: CallOptions): Promise<readonly Item[]>;
  /** What the service says now, give or take a few seconds. */
  fresh(call?: CallOptions): Promise<readonly Item[]>;
  /** Asks the service. Callers at the same time share one request. */
  refresh(call?: CallOptions): Promise<readonly Item[]>;
  /** Our own write, seen at once. */
  change(edit: (items: readonly Item[]) => readonly Item[]): void;
}

const freshMs = 5_000;

export function createCachedList<Item>(options: {
  load: (call?: CallOptions) => Promise<readonly Item[]>;
  /** Older than this, the list is loaded anew in the background when it is asked for. */
  agesAfterMs: number;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
}): CachedList<Item> {
  let items: readonly Item[] | undefined;
  let loadedAt = -Infinity;
  let flight: Promise<readonly Item[]> | undefined;
  let editsInFlight: ((items: readonly Item[]) => readonly Item[])[] = [];

  async function load(call?: CallOptions): Promise<readonly Item[]> {
    editsInFlight = [];
    try {
      const loaded = await options.load(call);
      // A list asked for before one of our writes may not show it.
      items = editsInFlight.reduce((list, edit) => edit(list), loaded);
      loadedAt = options.now();
      return items;
    } finally {
      flight = undefined;
    }
  }

  function refresh(call?: CallOptions): Promise<readonly Item[]> {
    flight ??= load(call);
    return flight;
  }

  return {
    known: () => items,
    refresh,
    async fresh(call) {
      return items !== undefined && options.now() - loadedAt <= freshMs ? items : refresh(call);
    },
    async get(call) {
      if (items === undefined) return refresh(call);
      if (options.now() - loadedAt > options.agesAfterMs) refresh({ priority: 'background' }).catch(options.onBackgroundError);
      return items;
    },
    change(edit) {
      if (flight) editsInFlight.push(edit);
      items = items && edit(items);
    },
  };
}
