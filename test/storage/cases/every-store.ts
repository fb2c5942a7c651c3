import { afterEach, beforeEach } from 'vitest';
import type { Storage } from '../../../src/storage/records.ts';
import type { SetTimer } from '../../../src/time/clock.ts';
import { createHandTimers } from '../../support/hand-timers.ts';
import { approvalsCases } from './approvals.ts';
import { auditCases } from './audit.ts';
import { cleansingCases } from './cleansing.ts';
import { inboxCases } from './inbox.ts';
import { keyedValuesCases } from './kv.ts';
import { leasesCases } from './leases.ts';
import { outboxCases } from './outbox.ts';
import { subscriptionsCases } from './subscriptions.ts';
import { talliesCases } from './counters.ts';

/** What holds for a store, whichever it is. `open` opens what there is: a second call is a restart. `setTimer` is for its leases. */
export function holdsFor(open: (setTimer: SetTimer) => Promise<Storage>): void {
  let storage: Storage;
  let timers: ReturnType<typeof createHandTimers>;
  beforeEach(async () => {
    timers = createHandTimers();
    storage = await open(timers.setTimer);
  });
  afterEach(() => storage.close().catch(() => {}));

  const store = {
    storage: () => storage,
    timers: () => timers,
    async restart() {
      await storage.close();
      storage = await open(timers.setTimer);
    },
  };
  inboxCases(store);
  outboxCases(store);
  subscriptionsCases(store);
  talliesCases(store);
  keyedValuesCases(store);
  approvalsCases(store);
  auditCases(store);
  cleansingCases(store);
  leasesCases(store);
}
