import { createHash } from 'node:crypto';
import { monotonicNow, type Now } from '../../time/clock.ts';
import { createMemoryLedger, defaultMarginMs, type Ledger } from './ledger.ts';
import { serviceWindows, spanMs, type RateWindow } from './rate-windows.ts';

/** The requests that still count, as they are kept. Times are milliseconds since the epoch. */
export interface KeptRequests {
  counted: readonly number[];
  /** When the latest request of a person was granted; undefined for none within the longest window. */
  personAt?: number;
  refusedUntil: number;
}

/** Keyed values, by a hash of the API key: another key has another budget. */
export interface KeptRequestsStore {
  get(key: string): Promise<KeptRequests | undefined>;
  set(key: string, value: KeptRequests, ttlMs: number): Promise<unknown>;
}

/**
 * The ledger of a single instance, which also remembers the requests from before a restart. A request is kept before it is sent.
 *
 * @param options.onError called when requests could not be read or kept; they are sent all the same
 */
export function createKeptLedger(options: {
  store: KeptRequestsStore;
  apiKey: string;
  windows?: readonly RateWindow[] | undefined;
  now?: Now | undefined;
  onError?: ((error: unknown) => void) | undefined;
}): Ledger {
  const { store, windows = serviceWindows, now = monotonicNow, onError = () => {} } = options;
  const key = createHash('sha256').update(options.apiKey).digest('hex').slice(0, 32);
  const longestMs = Math.max(...windows.map(spanMs));
  const marginMs = defaultMarginMs(windows);
  let loading: Promise<Ledger> | undefined;

  async function load(): Promise<Ledger> {
    const kept = await store.get(key).catch(onError);
    // A clock that was ahead must not block the budget for longer than a window.
    const counted = (kept?.counted ?? []).map((at) => Math.min(at, now() + marginMs)).toSorted((a, b) => a - b);
    const personAt = Math.min(kept?.personAt ?? -Infinity, now());
    return createMemoryLedger({
      windows,
      marginMs,
      now,
      before: { counted, personAt, refusedUntil: Math.min(kept?.refusedUntil ?? 0, now() + longestMs) },
    });
  }

  const opened = () => (loading ??= load());

  async function keep(ledger: Ledger): Promise<void> {
    const { counted, personAt, refusedUntil } = await ledger.read();
    const since = now() - longestMs;
    await store
      .set(
        key,
        { counted: counted.filter((at) => at > since), ...(personAt > since && { personAt }), refusedUntil },
        longestMs,
      )
      .catch(onError);
  }

  return {
    windows,
    async claim(wanted) {
      const ledger = await opened();
      const claim = await ledger.claim(wanted);
      if (claim.granted.person.length + claim.granted.background.length > 0) await keep(ledger);
      return claim;
    },
    async recordRefusal(retryAfterMs) {
      const ledger = await opened();
      await ledger.recordRefusal(retryAfterMs);
      await keep(ledger);
    },
    read: async () => (await opened()).read(),
  };
}
