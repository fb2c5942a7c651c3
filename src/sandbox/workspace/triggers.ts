import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import { dropFirst } from './drop-first.ts';
import { limits } from './limits.ts';

export interface Trigger {
  user: string;
  /** The view the person acted in, if it was one. */
  viewId?: string;
}

export type Redeemed =
  { trigger: Trigger } | { error: 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id' };

/** Trigger ids live three seconds and open one view. */
export interface Triggers {
  issue(trigger: Trigger): string;
  redeem(id: string): Redeemed;
}

/** So long an expired one is told from one that never was. */
const rememberedMs = 60 * 60_000;

export function createTriggers(clock: Clock): Triggers {
  const issued = new Map<string, Trigger & { at: number; used: boolean }>();
  return {
    issue(trigger) {
      dropFirst(issued, ({ at }) => clock.now() - at > rememberedMs);
      const id = `${clock.now()}.${issued.size}.${randomBytes(16).toString('hex')}`;
      issued.set(id, { ...trigger, at: clock.now(), used: false });
      return id;
    },
    redeem(id) {
      const found = issued.get(id);
      if (found === undefined) return { error: 'invalid_trigger_id' };
      if (clock.now() - found.at > limits.triggerLifeMs.max) return { error: 'expired_trigger_id' };
      if (found.used) return { error: 'exchanged_trigger_id' };
      found.used = true;
      return { trigger: found };
    },
  };
}
