import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database.ts';
import { readApiKey, writeApiKey } from '../store/account.ts';
import type { RateLimit } from './rate-limit.ts';
import type { RequestLog } from './request-log.ts';

/** The account's one API key (specification, section 5). */
export interface ApiKey {
  /** @returns undefined when there is none */
  current: () => string | undefined;
  isValid: (candidate: string | undefined) => boolean;
  set: (key: string) => void;
  /** Makes a new key, which replaces the one there was. @returns the new key */
  roll: () => string;
  /** Its log goes with it. */
  delete: () => void;
}

/** A new key has windows of its own: the limits are per key (section 8). */
export function keepApiKey(database: Database, requestLog: RequestLog, rateLimit: RateLimit): ApiKey {
  let key = readApiKey(database);

  function set(newKey: string | undefined): void {
    writeApiKey(database, newKey);
    key = newKey;
    rateLimit.clear();
  }

  return {
    current: () => key,
    isValid: (candidate) => key !== undefined && candidate !== undefined && isSame(candidate, key),
    set,
    roll() {
      const newKey = randomBytes(24).toString('base64url');
      set(newKey);
      return newKey;
    },
    delete() {
      database.transaction(() => {
        set(undefined);
        requestLog.clear();
      });
    },
  };
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
