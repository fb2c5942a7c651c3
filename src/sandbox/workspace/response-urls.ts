import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import { dropFirst } from './drop-first.ts';
import { limits } from './limits.ts';

export interface ResponseUrl {
  user: string;
  channel: string;
  threadTs?: string;
  /** The message acted on, or the first one that came of a command: what `replace_original` replaces. */
  originalTs?: string;
}

export type Spent = { target: ResponseUrl } | { error: 'used_url' | 'expired_url' | 'invalid_url' };

/** Response URLs take five posts within half an hour. */
export interface ResponseUrls {
  issue(target: ResponseUrl): string;
  /** Takes one use of the URL with this token. */
  spend(token: string): Spent;
}

/** So long an expired one is told from one that never was. */
const rememberedMs = 24 * 60 * 60_000;

export function createResponseUrls(clock: Clock, baseUrl: () => string): ResponseUrls {
  const issued = new Map<string, { target: ResponseUrl; at: number; uses: number }>();
  return {
    issue(target) {
      dropFirst(issued, ({ at }) => clock.now() - at > rememberedMs);
      const token = randomUUID();
      issued.set(token, { target, at: clock.now(), uses: 0 });
      return `${baseUrl()}/response/${token}`;
    },
    spend(token) {
      const found = issued.get(token);
      if (found === undefined) return { error: 'invalid_url' };
      if (clock.now() - found.at > limits.responseUrlLifeMs.max) return { error: 'expired_url' };
      if (found.uses >= limits.responseUrlUses.max) return { error: 'used_url' };
      found.uses += 1;
      return { target: found.target };
    },
  };
}
