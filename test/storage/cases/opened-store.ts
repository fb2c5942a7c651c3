import type { Storage } from '../../../src/storage/records.ts';
import type { createHandTimers } from '../../support/virtual-clock.ts';

/** The store of the test that runs. */
export interface OpenedStore {
  storage(): Storage;
  /** Those of its leases. */
  timers(): ReturnType<typeof createHandTimers>;
  /** Closes the store and opens what was kept. */
  restart(): Promise<void>;
}
