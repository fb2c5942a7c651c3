import type { Leases } from '../storage/storage.ts';

/** What came of work that only one instance does at a time. */
export type Turn<Value> = { isBusy: false; value: Value } | { isBusy: true };

/** Work that only one instance does at a time, by a name. */
export interface OneAtATime {
  /** `isBusy`, without working, while another one does. */
  unlessBusy<Value>(name: string, work: () => Promise<Value>): Promise<Turn<Value>>;
  /** Waits for its turn. `isBusy`, without working, where it does not come within some ten seconds. */
  inTurn<Value>(name: string, work: () => Promise<Value>): Promise<Turn<Value>>;
}

/** How long others wait after the crash of the instance that worked. */
const leaseMs = 60_000;
const turnMs = 200;
const turnsAtMost = 50;

export function createOneAtATime({
  leases,
  sleep,
}: {
  leases: Leases;
  sleep: (ms: number) => Promise<void>;
}): OneAtATime {
  async function unlessBusy<Value>(name: string, work: () => Promise<Value>): Promise<Turn<Value>> {
    const lease = await leases.withLease(name, leaseMs, work);
    return lease.held ? { isBusy: false, value: lease.value } : { isBusy: true };
  }

  return {
    unlessBusy,
    async inTurn(name, work) {
      for (let turn = 0; turn < turnsAtMost; turn += 1) {
        const done = await unlessBusy(name, work);
        if (!done.isBusy) return done;
        await sleep(turnMs);
      }
      return { isBusy: true };
    },
  };
}
