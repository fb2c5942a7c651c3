import { minuteMs } from '../../domain/durations.ts';
import { InvigilatorError } from '../../domain/errors.ts';
import { sleep as realSleep, type Now, type Sleep } from '../../time/clock.ts';
import {
  createMemoryLedger,
  type Claim,
  type Ledger,
  type Permit,
  Forecast,
  permitsLeft,
  reserveOf,
  type Priority,
  type RateWindow,
} from './rate-windows.ts';

export interface TakeOptions {
  /** Who waits for the request; `person` unless given. */
  priority?: Priority | undefined;
  /** The person who caused the request; it counts towards their share. */
  personId?: string | undefined;
  /** Milliseconds since the epoch. */
  deadline?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface BudgetLeft {
  windows: { windowMs: number; limit: number; left: number }[];
  waiting: Record<Priority, number>;
  /** When a person's next request could be sent if no other request waited. */
  availableAt: Date;
}

/** The requests that the service accepts, spent exactly: people before background work, each in order of arrival. */
export interface RequestBudget {
  /**
   * Waits for the permit for a single request.
   *
   * @throws {TurnTooLateError} as soon as the turn is known to come after the deadline
   * @throws {ShareSpentError} at once, where the person has used up their share
   * @throws the signal's reason
   */
  take(options?: TakeOptions): Promise<Permit>;
  /** Records a 429: another program uses the key too. Nothing is sent for `retryAfterMs`. */
  recordRefusal(retryAfterMs: number): Promise<void>;
  left(): Promise<BudgetLeft>;
}

/** The caller's turn comes after its deadline. */
export class TurnTooLateError extends InvigilatorError {
  readonly code = 'turn_too_late';
  /** When the turn would have come, as things stand. */
  readonly availableAt: Date;

  constructor(availableAt: Date) {
    super(`The next request can be made at ${availableAt.toISOString()}`);
    this.availableAt = availableAt;
  }
}

/** The person has used up their share of the budget, whatever is left of it. */
export class ShareSpentError extends TurnTooLateError {}

interface Waiter {
  priority: Priority;
  deadline: number;
  signal: AbortSignal | undefined;
  /** Listens to the signal. */
  giveUp: () => void;
  resolve: (permit: Permit) => void;
  reject: (reason: unknown) => void;
}

/** A budget on top of a ledger; without a ledger, this instance's own with the service's limits. */
export function createRequestBudget(
  options: {
    ledger?: Ledger | undefined;
    now?: Now | undefined;
    sleep?: Sleep | undefined;
    /** Administrators unless given. */
    rankOf?: ((personId: string) => PersonRank) | undefined;
  } = {},
): RequestBudget {
  const { now = Date.now, sleep = realSleep, rankOf = () => 'administrator' } = options;
  const { ledger = createMemoryLedger({ now: options.now }) } = options;
  assertUsable(ledger.windows);
  const shares = createPersonShares(ledger.windows, now);
  const shortest = ledger.windows.toSorted((a, b) => a.windowMs - b.windowMs)[0]!;
  const windowsOfOthers = ledger.windows.map((window) =>
    window === shortest ? { ...window, limit: window.limit - keptForAdministrators(window) } : window,
  );
  /** People who find out whether there is room for them, in the order in which they came. */
  const arriving = new Set<symbol>();
  /** When requests of people who are not administrators found room in the shortest window, the oldest first. */
  let roomAt: number[] = [];

  const waiting: Record<Priority, Set<Waiter>> = { person: new Set(), background: new Set() };
  let isServing = false;
  let hasChanged = false;
  let wakeUp: AbortController | undefined;

  const isWaiting = () => waiting.person.size + waiting.background.size > 0;
  const wake = () => {
    hasChanged = true;
    wakeUp?.abort();
  };

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    try {
      while (isWaiting()) {
        hasChanged = false;
        const claim = await ledger.claim({ person: waiting.person.size, background: waiting.background.size });
        handOut(claim);
        if (hasDeadline()) await rejectLate();
        if (isWaiting()) await pause(claim.retryInMs);
      }
    } catch (error) {
      for (const waiter of [...waiting.person, ...waiting.background]) dismiss(waiter, error);
    } finally {
      isServing = false;
    }
  }

  function handOut({ granted }: Claim): void {
    for (const priority of ['person', 'background'] as const) {
      for (const permit of granted[priority]) {
        const [next] = waiting[priority];
        if (next === undefined) permit.cancel();
        else admit(next, permit);
      }
    }
  }

  function admit(waiter: Waiter, permit: Permit): void {
    leave(waiter);
    waiter.resolve(permit);
  }

  function dismiss(waiter: Waiter, reason: unknown): void {
    leave(waiter);
    waiter.reject(reason);
  }

  function leave(waiter: Waiter): void {
    waiting[waiter.priority].delete(waiter);
    waiter.signal?.removeEventListener('abort', waiter.giveUp);
  }

  function hasDeadline(): boolean {
    return [...waiting.person, ...waiting.background].some((waiter) => waiter.deadline < Infinity);
  }

  /** Rejects the callers whose turn comes after their deadline. */
  async function rejectLate(): Promise<void> {
    const forecast = new Forecast(await ledger.read(), ledger.windows);
    for (const priority of ['person', 'background'] as const) {
      for (const waiter of waiting[priority]) {
        const inMs = forecast.nextTurnInMs(priority);
        const turn = now() + inMs;
        if (waiter.deadline < turn) dismiss(waiter, new TurnTooLateError(new Date(turn)));
        else forecast.add(inMs);
      }
    }
  }

  async function pause(ms: number): Promise<void> {
    if (hasChanged) return;
    const thisWakeUp = new AbortController();
    wakeUp = thisWakeUp;
    try {
      await sleep(ms, thisWakeUp.signal);
    } catch (error) {
      if (!thisWakeUp.signal.aborted) throw error;
    }
  }

  // Joins those who wait at once: whoever looks for room next counts them.
  function waitForTurn(priority: Priority, deadline: number, signal: AbortSignal | undefined): Promise<Permit> {
    return new Promise<Permit>((resolve, reject) => {
      const giveUp = () => {
        dismiss(waiter, signal!.reason);
        wake();
      };
      const waiter: Waiter = { priority, deadline, signal, giveUp, resolve, reject };
      signal?.addEventListener('abort', giveUp);
      waiting[priority].add(waiter);
      wake();
      void serve();
    });
  }

  /**
   * Waits until more is left of the shortest window than what is kept for administrators. What background work leaves to people
   * beyond that is for the others in any case: after a quiet time, it leaves less than what is kept.
   *
   * @throws {TurnTooLateError}
   */
  async function waitForOthers(place: symbol, deadline: number, signal: AbortSignal | undefined): Promise<void> {
    roomAt = roomAt.filter((at) => at > now() - shortest.windowMs);
    if (roomAt.length < reserveOf(shortest).inUse - keptForAdministrators(shortest)) return void roomAt.push(now());
    arriving.add(place);
    for (;;) {
      const state = await ledger.read();
      const ahead = waiting.person.size + [...arriving].indexOf(place);
      if (permitsLeft(state, shortest) - ahead > keptForAdministrators(shortest)) return void roomAt.push(now());
      const forecast = new Forecast(state, windowsOfOthers);
      for (let n = 0; n < ahead; n += 1) forecast.add(forecast.nextTurnInMs('person'));
      const waitMs = Math.max(1, forecast.nextTurnInMs('person'));
      if (now() + waitMs > deadline) throw new TurnTooLateError(new Date(now() + waitMs));
      await sleep(waitMs, signal);
    }
  }

  return {
    async take({ priority = 'person', personId, deadline = Infinity, signal } = {}) {
      signal?.throwIfAborted();
      const rank = personId === undefined ? 'administrator' : rankOf(personId);
      const turn = personId === undefined ? undefined : shares.take(personId, rank);
      if (turn !== undefined) throw new ShareSpentError(new Date(turn));
      const place = Symbol('place');
      try {
        if (priority === 'person' && rank !== 'administrator') await waitForOthers(place, deadline, signal);
        return waitForTurn(priority, deadline, signal);
      } finally {
        arriving.delete(place);
      }
    },

    async recordRefusal(retryAfterMs) {
      await ledger.recordRefusal(retryAfterMs);
      wake();
    },

    async left() {
      const state = await ledger.read();
      return {
        windows: ledger.windows.map((window) => ({
          windowMs: window.windowMs,
          limit: window.limit,
          left: permitsLeft(state, window),
        })),
        waiting: { person: waiting.person.size, background: waiting.background.size },
        availableAt: new Date(now() + new Forecast(state, ledger.windows).nextTurnInMs('person')),
      };
    },
  };
}

/** Of the requests of a minute: 6. An administrator can act whatever everyone else does. */
function keptForAdministrators({ limit }: RateWindow): number {
  return Math.floor(limit / 10);
}

function assertUsable(windows: readonly RateWindow[]): void {
  for (const window of windows) {
    if (!(window.limit >= 1 && window.windowMs >= 1 && window.limit - reserveOf(window).inUse >= 1)) {
      throw new RangeError(`No request fits into ${JSON.stringify(window)}`);
    }
  }
}

/** What a person may do in the account, as far as it decides how much of the requests they can use. */
export type PersonRank = 'respondent' | 'trainer' | 'administrator';

/** Long changes are made in the background, so nobody needs a minute for themselves. */
const sharesOfMinute: Readonly<Record<PersonRank, number>> = { respondent: 0.25, trainer: 0.5, administrator: 0.75 };
const shareOfLongerWindow = 0.5;
/** With more people than this, those who sent nothing lately are forgotten. */
const peopleAtMost = 1_000;

/**
 * How much of each window one person can use, so that nobody uses up everyone's requests: of a minute, what their rank gives
 * them, and half of an hour. Each instance counts for itself.
 */
function createPersonShares(windows: readonly RateWindow[], now: Now) {
  const limitOf = ({ limit, windowMs }: RateWindow, rank: PersonRank) =>
    Math.max(1, Math.floor(limit * (windowMs <= minuteMs ? sharesOfMinute[rank] : shareOfLongerWindow)));
  const longestMs = Math.max(...windows.map(({ windowMs }) => windowMs));
  /** By person, the times of their requests, the oldest first. */
  const sentAt = new Map<string, number[]>();

  function forgetOld(): void {
    for (const [personId, times] of sentAt) if ((times.at(-1) ?? 0) <= now() - longestMs) sentAt.delete(personId);
  }

  return {
    /**
     * Counts a request, unless the share is used up.
     * @returns undefined, or when the person's next request can be sent, in milliseconds since the epoch
     */
    take(personId: string, rank: PersonRank): number | undefined {
      const time = now();
      const times = (sentAt.get(personId) ?? []).filter((at) => at > time - longestMs);
      const turns = windows.map((window) => (times.at(-limitOf(window, rank)) ?? -Infinity) + window.windowMs);
      const turn = Math.max(...turns);
      if (turn > time) return turn;
      if (sentAt.size >= peopleAtMost) forgetOld();
      sentAt.set(personId, [...times, time]);
      return undefined;
    },
  };
}

const ranksAtMost = 10_000;

/** The ranks of people as they were last known, for the request budget. */
export function createRanks() {
  const known = new Map<string, PersonRank>();
  return {
    note(personId: string, rank: PersonRank): void {
      known.delete(personId);
      known.set(personId, rank);
      const [oldest] = known.keys();
      if (known.size > ranksAtMost && oldest !== undefined) known.delete(oldest);
    },
    /** Of somebody who is not known yet, finding out who they are must not fail: they count as an administrator. */
    of: (personId: string): PersonRank => known.get(personId) ?? 'administrator',
  };
}
