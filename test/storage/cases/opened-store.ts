import type { Storage } from '../../../src/storage/storage.ts';

/** The store of the current test. */
export interface OpenedStore {
  storage(): Storage;
  /** Closes and reopens the store. */
  restart(): Promise<void>;
}
