import type { Storage } from '../../../src/storage/storage.ts';

/** The store of the test that runs. */
export interface OpenedStore {
  storage(): Storage;
  /** Closes the store and opens what was kept. */
  restart(): Promise<void>;
}
