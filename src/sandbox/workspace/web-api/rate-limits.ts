import type { Tier } from './method.ts';
import type { Clock } from '../clock.ts';

/**
 * Slack's rate limits as evenly refilling token buckets: https://docs.slack.dev/apis/web-api/rate-limits. Slack
 * documents the rates but only mentions "short bursts", so the burst sizes are assumptions.
 */
const tierRates: Readonly<Record<Exclude<Tier, 'special'>, Rate>> = {
  1: { perMinute: 1, burst: 10 },
  2: { perMinute: 20, burst: 20 },
  3: { perMinute: 50, burst: 50 },
  4: { perMinute: 100, burst: 100 },
};

/** One message per second per channel, after a short burst. */
const channelRate: Rate = { perMinute: 60, burst: 3 };

interface Rate {
  perMinute: number;
  burst: number;
}

export interface RateLimits {
  /** Takes one call. @returns the seconds to wait when the limit is reached */
  takeCall(method: string, tier: Tier): number | undefined;
  takeMessage(channel: string): number | undefined;
}

/** @param messagesPerMinute the limit of the whole workspace */
export function createRateLimits(clock: Clock, messagesPerMinute: number): RateLimits {
  const buckets = new Map<string, { tokens: number; at: number }>();

  const take = (key: string, rate: Rate): number | undefined => {
    const now = clock.now();
    const bucket = buckets.get(key) ?? { tokens: rate.burst, at: now };
    const tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) * rate.perMinute) / 60_000);
    const isTaken = tokens >= 1;
    buckets.set(key, { tokens: isTaken ? tokens - 1 : tokens, at: now });
    return isTaken ? undefined : Math.max(1, Math.ceil(((1 - tokens) * 60) / rate.perMinute));
  };

  return {
    takeCall: (method, tier) => (tier === 'special' ? undefined : take(`method ${method}`, tierRates[tier])),
    takeMessage: (channel) =>
      take(`channel ${channel}`, channelRate) ??
      take('workspace', { perMinute: messagesPerMinute, burst: messagesPerMinute }),
  };
}
