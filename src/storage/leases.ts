import { randomUUID } from 'node:crypto';
import { monotonicNow, systemClock, type Now, type SetTimer } from '../time/clock.ts';

/** Where leases are kept. A lease belongs to the token it was taken with, until it expires. */
export interface LeaseStore {
  /** False while another token has the lease. */
  take(name: string, token: string, ttlMs: number): Promise<boolean>;
  /** Extends the lease. False where the token does not have it any more. */
  renew(name: string, token: string, ttlMs: number): Promise<boolean>;
  /** Frees the lease where the token still has it. */
  release(name: string, token: string): Promise<void>;
}

/** Of its holder. It is lost where the store did not answer for its time, or the process stood still for as long: another may hold it then. */
export interface Lease {
  /** Aborts when the lease is lost. A process that stood still may go on for a moment before that. */
  signal: AbortSignal;
  /** Whether nobody else can hold it now, also right after the process stood still. */
  isHeld(): boolean;
}

export type Leases = ReturnType<typeof createLeases>;

/** Mutual exclusion over all instances: each hold has a token of its own and is renewed every third of its time. */
export function createLeases(store: LeaseStore, setTimer: SetTimer = systemClock.setTimer, now: Now = monotonicNow) {
  return {
    /**
     * Runs `run` while no other process holds the lease. The lease is renewed until `run` ends, and released after it; the lease
     * of a process that crashed ends after `ttlMs`.
     *
     * @returns `held: false`, without running, while another holds the lease
     */
    async withLease<Value>(
      name: string,
      ttlMs: number,
      run: (lease: Lease) => Promise<Value>,
    ): Promise<{ held: true; value: Value } | { held: false }> {
      const token = randomUUID();
      const lost = new AbortController();
      const lose = () => lost.abort(new Error(`the lease ${name} is lost`));
      // Counted from before the store is asked, so that it ends here no later than there.
      let endsAt = now() + ttlMs;
      let cancelExpiry = setTimer(lose, ttlMs);
      let cancelRenewal = () => {};
      let isOver = false;

      async function renew(): Promise<void> {
        const nextEndsAt = now() + ttlMs;
        const cancelNext = setTimer(lose, ttlMs);
        // A store that does not answer may answer the next time; until then the lease is still held.
        const isRenewed = await store.renew(name, token, ttlMs).catch(() => undefined);
        if (isRenewed !== true || isOver) cancelNext();
        if (isOver) return;
        if (isRenewed === false) return lose();
        if (isRenewed === true) {
          cancelExpiry();
          cancelExpiry = cancelNext;
          endsAt = nextEndsAt;
        }
        planRenewal();
      }

      function planRenewal(): void {
        cancelRenewal = setTimer(() => void renew(), ttlMs / 3);
      }

      try {
        if (!(await store.take(name, token, ttlMs))) return { held: false };
        planRenewal();
        try {
          const isHeld = () => !lost.signal.aborted && now() < endsAt;
          return { held: true, value: await run({ signal: lost.signal, isHeld }) };
        } finally {
          // A lease that cannot be released expires by itself; what was done stays done.
          await store.release(name, token).catch(() => {});
        }
      } finally {
        isOver = true;
        cancelExpiry();
        cancelRenewal();
      }
    },
  };
}

/** What came of work that only one instance does at a time. */
type Turn<Value> = { isBusy: false; value: Value } | { isBusy: true };

/** How long nobody works after the crash of the instance that worked: short where others wait. */
const [leaseMs, turnLeaseMs] = [60_000, 3_000];
const turnMs = 200;
const turnsAtMost = 50;

export type OneAtATime = ReturnType<typeof createOneAtATime>;

/** Work that only one instance does at a time, by a name. */
export function createOneAtATime({ leases, sleep }: { leases: Leases; sleep: (ms: number) => Promise<void> }) {
  async function take<Value>(name: string, ms: number, work: (lease: Lease) => Promise<Value>): Promise<Turn<Value>> {
    const lease = await leases.withLease(name, ms, work);
    return lease.held ? { isBusy: false, value: lease.value } : { isBusy: true };
  }

  return {
    /** `isBusy`, without working, while another one does. */
    unlessBusy: async <Value>(name: string, work: (lease: Lease) => Promise<Value>) => take(name, leaseMs, work),
    /** Waits for its turn. `isBusy`, without working, where it does not come within some ten seconds. A crash costs the others three. */
    async inTurn<Value>(name: string, work: (lease: Lease) => Promise<Value>): Promise<Turn<Value>> {
      for (let turn = 0; turn < turnsAtMost; turn += 1) {
        const done = await take(name, turnLeaseMs, work);
        if (!done.isBusy) return done;
        await sleep(turnMs);
      }
      return { isBusy: true };
    },
  };
}
