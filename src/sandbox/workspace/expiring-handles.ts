import { randomBytes, randomUUID } from 'node:crypto';
import { afterTurns, type Clock } from './clock.ts';
import { limits } from './limits.ts';

export interface Trigger {
  user: string;
  /** The view in which the person acted, if any. */
  viewId?: string;
}

type RedeemResult =
  | { trigger: Trigger }
  | { error: 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id' };

export type Triggers = ReturnType<typeof createTriggers>;

/** How long an expired id stays known. After that it counts as invalid. */
const triggerRecordMs = 60 * 60_000;

/** Trigger ids. Each lives 3 s and opens one view. */
export function createTriggers(clock: Clock) {
  const issued = new Map<string, Trigger & { at: number; isExpired: boolean; used: boolean }>();
  return {
    issue(trigger: Trigger): string {
      dropExpired(issued, ({ at }) => clock.now() - at > triggerRecordMs);
      const id = `${clock.now()}.${issued.size}.${randomBytes(16).toString('hex')}`;
      const one = { ...trigger, at: clock.now(), isExpired: false, used: false };
      issued.set(id, one);
      afterTurns(clock, limits.triggerLifeMs.max + 1, () => (one.isExpired = true));
      return id;
    },
    redeem(id: string): RedeemResult {
      const found = issued.get(id);
      if (found === undefined) return { error: 'invalid_trigger_id' };
      if (found.isExpired) return { error: 'expired_trigger_id' };
      if (found.used) return { error: 'exchanged_trigger_id' };
      found.used = true;
      return { trigger: found };
    },
  };
}

export interface ResponseTarget {
  user: string;
  channel: string;
  threadTs?: string;
  /** The message that `replace_original` replaces: the one acted on, or the first response to a command. */
  originalTs?: string;
}

type ResponseUrlResult = { target: ResponseTarget } | { error: 'used_url' | 'expired_url' | 'invalid_url' };

export type ResponseUrls = ReturnType<typeof createResponseUrls>;

/** How long an expired URL stays known. After that it counts as invalid. */
const responseUrlRecordMs = 24 * 60 * 60_000;

/** Response URLs. Each accepts five posts within 30 minutes. @param baseUrl the base of the URLs */
export function createResponseUrls(clock: Clock, baseUrl: () => string) {
  const issued = new Map<string, { target: ResponseTarget; at: number; uses: number }>();
  return {
    issue(target: ResponseTarget): string {
      dropExpired(issued, ({ at }) => clock.now() - at > responseUrlRecordMs);
      const token = randomUUID();
      issued.set(token, { target, at: clock.now(), uses: 0 });
      return `${baseUrl()}/response/${token}`;
    },
    /** Consumes one of the URL's five posts. */
    use(token: string): ResponseUrlResult {
      const found = issued.get(token);
      if (found === undefined) return { error: 'invalid_url' };
      if (clock.now() - found.at > limits.responseUrlLifeMs.max) return { error: 'expired_url' };
      if (found.uses >= limits.responseUrlUses.max) return { error: 'used_url' };
      found.uses += 1;
      return { target: found.target };
    },
  };
}

/** Deletes the oldest entries up to the first that has not expired. Relies on insertion order. */
function dropExpired<K, V>(entries: Map<K, V>, isExpired: (value: V) => boolean): void {
  for (const [key, value] of entries) {
    if (!isExpired(value)) return;
    entries.delete(key);
  }
}
