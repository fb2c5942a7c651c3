import { sleep as realSleep } from '../time.ts';
import type { Now, Sleep } from '../time.ts';
import type { Claim, Ledger, Place } from './ledger.ts';
import { createMemoryLedger } from './memory-ledger.ts';
import { Forecast, placesFor, placesLeft } from './rate-windows.ts';
import type { Priority, RateWindow } from './rate-windows.ts';

export interface TakeOptions {
  /** Who waits for it: `person` unless given. */
  priority?: Priority | undefined;
  /** Milliseconds since the epoch. */
  deadline?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface BudgetLeft {
  windows: { windowMs: number; limit: number; left: number }[];
  waiting: Record<Priority, number>;
  /** When a person's next request could go if nobody waited before it. */
  availableAt: Date;
}

/** The requests the service takes, spent exactly: people before background work, each in order of arrival. */
export interface RequestBudget {
  /**
   * Waits for leave to make one request.
   *
   * @throws {TurnTooLateError} as soon as it is known that the turn comes after the deadline
   * @throws the signal's reason
   */
  take(options?: TakeOptions): Promise<Place>;
  /** Tells of a 429: somebody else uses the key too. Nothing is sent for so long. */
  learnRefusal(retryAfterMs: number): Promise<void>;
  left(): Promise<BudgetLeft>;
}

/** The caller's deadline is before its turn. */
export class TurnTooLateError extends Error {
  readonly availableAt: Date;

  constructor(availableAt: Date) {
    super(`The next request can be made at ${availableAt.toISOString()}`);
    this.name = 'TurnTooLateError';
    this.availableAt = availableAt;
  }
}

interface Waiter {
  priority: Priority;
  deadline: number | undefined;
  signal: AbortSignal | undefined;
  /** Listens to the signal, where there is one. */
  giveUp: () => void;
  resolve: (place: Place) => void;
  reject: (reason: unknown) => void;
}

/** A budget on top of a ledger; without one, it is this instance's alone, with the service's limits. */
export function createRequestBudget(options: {
  ledger?: Ledger | undefined;
  now?: Now | undefined;
  sleep?: Sleep | undefined;
} = {}): RequestBudget {
  const { now = Date.now, sleep = realSleep } = options;
  const { ledger = createMemoryLedger({ now: options.now }) } = options;
  refuseImpossible(ledger.windows);

  const waiting: Record<Priority, Set<Waiter>> = { person: new Set(), background: new Set() };
  let isServing = false;
  let hasNews = false;
  let alarm: AbortController | undefined;

  const isAnybodyWaiting = () => waiting.person.size + waiting.background.size > 0;
  const ring = () => {
    hasNews = true;
    alarm?.abort();
  };

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    try {
      while (isAnybodyWaiting()) {
        hasNews = false;
        const claim = await ledger.claim({ person: waiting.person.size, background: waiting.background.size });
        handOut(claim);
        if (!isAnybodyWaiting()) break;
        if (isAnybodyInHurry()) await dismissTheLate();
        if (isAnybodyWaiting()) await pause(claim.retryInMs);
      }
    } catch (error) {
      for (const waiter of [...waiting.person, ...waiting.background]) dismiss(waiter, error);
    } finally {
      isServing = false;
    }
  }

  function handOut({ granted }: Claim): void {
    for (const priority of ['person', 'background'] as const) {
      for (const place of granted[priority]) {
        const [next] = waiting[priority];
        if (next === undefined) place.cancel();
        else admit(next, place);
      }
    }
  }

  function admit(waiter: Waiter, place: Place): void {
    leave(waiter);
    waiter.resolve(place);
  }

  function dismiss(waiter: Waiter, reason: unknown): void {
    leave(waiter);
    waiter.reject(reason);
  }

  function leave(waiter: Waiter): void {
    waiting[waiter.priority].delete(waiter);
    waiter.signal?.removeEventListener('abort', waiter.giveUp);
  }

  function isAnybodyInHurry(): boolean {
    return [...waiting.person, ...waiting.background].some((waiter) => waiter.deadline !== undefined);
  }

  /** Tells those whose turn comes after their deadline, and when it would have come. */
  async function dismissTheLate(): Promise<void> {
    const forecast = new Forecast(await ledger.read(), ledger.windows);
    for (const priority of ['person', 'background'] as const) {
      for (const waiter of waiting[priority]) {
        const inMs = forecast.nextTurnInMs(priority);
        const turn = now() + inMs;
        if (waiter.deadline !== undefined && waiter.deadline < turn) dismiss(waiter, new TurnTooLateError(new Date(turn)));
        else forecast.go(inMs);
      }
    }
  }

  async function pause(ms: number): Promise<void> {
    if (hasNews) return;
    const thisAlarm = new AbortController();
    alarm = thisAlarm;
    try {
      await sleep(ms, thisAlarm.signal);
    } catch (error) {
      if (!thisAlarm.signal.aborted) throw error;
    }
  }

  return {
    async take({ priority = 'person', deadline, signal } = {}) {
      signal?.throwIfAborted();
      return new Promise<Place>((resolve, reject) => {
        const giveUp = () => {
          dismiss(waiter, signal?.reason);
          ring();
        };
        const waiter: Waiter = { priority, deadline, signal, giveUp, resolve, reject };
        signal?.addEventListener('abort', giveUp);
        waiting[priority].add(waiter);
        ring();
        void serve();
      });
    },

    async learnRefusal(retryAfterMs) {
      await ledger.refuse(retryAfterMs);
      ring();
    },

    async left() {
      const reading = await ledger.read();
      return {
        windows: ledger.windows.map((window) => ({
          windowMs: window.windowMs,
          limit: window.limit,
          left: placesLeft(reading, window),
        })),
        waiting: { person: waiting.person.size, background: waiting.background.size },
        availableAt: new Date(now() + new Forecast(reading, ledger.windows).nextTurnInMs('person')),
      };
    },
  };
}

function refuseImpossible(windows: readonly RateWindow[]): void {
  for (const window of windows) {
    if (!(window.limit >= 1 && window.windowMs >= 1 && placesFor(window, 'background') >= 1)) {
      throw new RangeError(`No request fits into ${JSON.stringify(window)}`);
    }
  }
}
