import type { CallOptions } from '../quiz-api/transport.ts';

/** A list of the quiz service, cached. */
export interface CachedList<Item> {
  /** The cached list, however old; undefined before the first load. Never waits. */
  known(): readonly Item[] | undefined;
  /** When the list was read last, in milliseconds since the epoch; -Infinity before the first load. */
  readAt(): number;
  /** The cached list. Waits for the first load; reloads an old list in the background. */
  get(call?: CallOptions): Promise<readonly Item[]>;
  /** The list of the service, at most `maxAgeMs` old: 5 seconds unless given. */
  fresh(call?: CallOptions, maxAgeMs?: number): Promise<readonly Item[]>;
  /** Loads the list. Concurrent callers share one request. */
  refresh(call?: CallOptions): Promise<readonly Item[]>;
  /** Shows our own write at once. */
  change(edit: (items: readonly Item[]) => readonly Item[]): void;
}

const freshMs = 5_000;

export function createCachedList<Item>(options: {
  load: (call?: CallOptions) => Promise<readonly Item[]>;
  /** `get` reloads a list older than this in the background. */
  agesAfterMs: number;
  /** The same for calls with background priority: a campaign would otherwise read the list all the time. Default: `agesAfterMs`. */
  agesInBackgroundAfterMs?: number;
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
      // The service may have made this list before it took our writes.
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
    readAt: () => loadedAt,
    refresh,
    async fresh(call, maxAgeMs = freshMs) {
      return items !== undefined && options.now() - loadedAt <= maxAgeMs ? items : refresh(call);
    },
    async get(call) {
      if (items === undefined) return refresh(call);
      const { agesAfterMs, agesInBackgroundAfterMs = agesAfterMs } = options;
      const isOld =
        options.now() - loadedAt > (call?.priority === 'background' ? agesInBackgroundAfterMs : agesAfterMs);
      if (isOld) refresh({ priority: 'background' }).catch(options.onBackgroundError);
      return items;
    },
    change(edit) {
      if (flight) editsInFlight.push(edit);
      items = items && edit(items);
    },
  };
}
