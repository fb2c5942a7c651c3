import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database.ts';
import { readApiKey, writeApiKey } from '../store/account.ts';
import type { RateLimit } from './rate-limit.ts';
import type { RequestLog } from './request-log.ts';

/** The account's only API key (specification, section 5). */
export interface ApiKey {
  /** @returns undefined when the account has no key */
  current: () => string | undefined;
  isValid: (candidate: string | undefined) => boolean;
  set: (key: string) => void;
  /** Replaces the key with a new one. @returns the new key */
  roll: () => string;
  /** Deletes the key and its request log. */
  delete: () => void;
}

/** Every change of the key clears the rate limit, because the limits apply per key (section 8). */
export function openApiKey(database: Database, requestLog: RequestLog, rateLimit: RateLimit): ApiKey {
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
