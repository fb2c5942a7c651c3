import { randomBytes, randomUUID } from 'node:crypto';
import { afterTurns, type Clock } from './clock.ts';
import { limits } from './limits.ts';

export interface Trigger {
  user: string;
  /** The view in which the person acted, if any. */
  viewId?: string;
}

type RedeemResult =
  { trigger: Trigger } | { error: 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id' };

/** Trigger ids. Each lives 3 s and opens one view. */
export interface Triggers {
  issue(trigger: Trigger): string;
  redeem(id: string): RedeemResult;
}

/** How long an expired id stays known. After that it counts as invalid. */
const triggerRecordMs = 60 * 60_000;

export function createTriggers(clock: Clock): Triggers {
  const issued = new Map<string, Trigger & { at: number; isExpired: boolean; used: boolean }>();
  return {
    issue(trigger) {
      dropExpired(issued, ({ at }) => clock.now() - at > triggerRecordMs);
      const id = `${clock.now()}.${issued.size}.${randomBytes(16).toString('hex')}`;
      const one = { ...trigger, at: clock.now(), isExpired: false, used: false };
      issued.set(id, one);
      afterTurns(clock, limits.triggerLifeMs.max + 1, () => (one.isExpired = true));
      return id;
    },
    redeem(id) {
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

/** Response URLs. Each accepts five posts within 30 minutes. */
export interface ResponseUrls {
  issue(target: ResponseTarget): string;
  /** Consumes one of the URL's five posts. */
  use(token: string): ResponseUrlResult;
}

/** How long an expired URL stays known. After that it counts as invalid. */
const responseUrlRecordMs = 24 * 60 * 60_000;

/** @param baseUrl the base of the URLs */
export function createResponseUrls(clock: Clock, baseUrl: () => string): ResponseUrls {
  const issued = new Map<string, { target: ResponseTarget; at: number; uses: number }>();
  return {
    issue(target) {
      dropExpired(issued, ({ at }) => clock.now() - at > responseUrlRecordMs);
      const token = randomUUID();
      issued.set(token, { target, at: clock.now(), uses: 0 });
      return `${baseUrl()}/response/${token}`;
    },
    use(token) {
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
