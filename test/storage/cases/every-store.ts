import { afterEach, beforeEach } from 'vitest';
import type { Storage } from '../../../src/storage/storage.ts';
import { approvalsCases } from './approvals.ts';
import { auditCases } from './audit.ts';
import { inboxCases } from './inbox.ts';
import { keyedValuesCases } from './kv.ts';
import { leasesCases } from './leases.ts';
import { outboxCases } from './outbox.ts';
import { subscriptionsCases } from './subscriptions.ts';
import { talliesCases } from './counters.ts';

/** The tests of every store. `open` opens the existing data: a second call simulates a restart. */
export function holdsFor(open: () => Promise<Storage>): void {
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
  });
  afterEach(() => storage.close().catch(() => {}));

  const store = {
    storage: () => storage,
    async restart() {
      await storage.close();
      storage = await open();
    },
  };
  inboxCases(store);
  outboxCases(store);
  subscriptionsCases(store);
  talliesCases(store);
  keyedValuesCases(store);
  approvalsCases(store);
  auditCases(store);
  leasesCases(store);
}
