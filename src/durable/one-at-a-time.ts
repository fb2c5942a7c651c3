import type { Lease, Leases } from '../storage/storage.ts';

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
