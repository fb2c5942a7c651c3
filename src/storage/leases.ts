import { randomUUID } from 'node:crypto';
import type { Leases, Lease } from './storage.ts';
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

/** Leases over a store: each hold has a token of its own and is renewed every third of its time. */
export function createLeases(
  store: LeaseStore,
  setTimer: SetTimer = systemClock.setTimer,
  now: Now = monotonicNow,
): Leases {
  return {
    async withLease(name, ttlMs, run) {
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

/** Work that only one instance does at a time, by a name. */
export interface OneAtATime {
  /** `isBusy`, without working, while another one does. */
  unlessBusy<Value>(name: string, work: (lease: Lease) => Promise<Value>): Promise<Turn<Value>>;
  /** Waits for its turn. `isBusy`, without working, where it does not come within some ten seconds. A crash costs the others three. */
  inTurn<Value>(name: string, work: (lease: Lease) => Promise<Value>): Promise<Turn<Value>>;
}

/** How long nobody works after the crash of the instance that worked: short where others wait. */
const [leaseMs, turnLeaseMs] = [60_000, 3_000];
const turnMs = 200;
const turnsAtMost = 50;

export function createOneAtATime({
  leases,
  sleep,
}: {
  leases: Leases;
  sleep: (ms: number) => Promise<void>;
}): OneAtATime {
  async function take<Value>(name: string, ms: number, work: (lease: Lease) => Promise<Value>): Promise<Turn<Value>> {
    const lease = await leases.withLease(name, ms, work);
    return lease.held ? { isBusy: false, value: lease.value } : { isBusy: true };
  }

  return {
    unlessBusy: async (name, work) => take(name, leaseMs, work),
    async inTurn(name, work) {
      for (let turn = 0; turn < turnsAtMost; turn += 1) {
        const done = await take(name, turnLeaseMs, work);
        if (!done.isBusy) return done;
        await sleep(turnMs);
      }
      return { isBusy: true };
    },
  };
}
