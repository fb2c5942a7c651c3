import { createHash, randomInt, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createGathering } from '../../time/timers.ts';
import { defaultMarginMs, type Ledger, type Permit } from './ledger.ts';
import {
  distanceMs,
  inUseMs,
  othersStayMs,
  reserveOf,
  serviceWindows,
  spanMs,
  type RateWindow,
} from './rate-windows.ts';
import { answeredScript, claimScript, readScript, refuseScript } from './redis-scripts.ts';

/** The commands of a node-redis client that the ledger uses. */
export interface RedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  zRem(key: string, member: string): Promise<unknown>;
}

/** Answers recorded per step. */
const answeredAtOnce = 1_000;

const claimReply = z.tuple([z.number(), z.number(), z.number()]);
const readReply = z.tuple([z.number(), z.number(), z.array(z.number()), z.number()]);

/**
 * A ledger that all instances with the same API key share. All times are in Redis' clock, so the
 * instances' own clocks may differ.
 *
 * @param options.onError called when an answer could not be recorded; its request then counts a
 *   little longer than it must
 */
export function createRedisLedger(options: {
  client: RedisClient;
  apiKey: string;
  windows?: readonly RateWindow[] | undefined;
  marginMs?: number | undefined;
  onError?: ((error: unknown) => void) | undefined;
}): Ledger {
  const { client, windows = serviceWindows, marginMs = defaultMarginMs(windows), onError = () => {} } = options;
  const account = createHash('sha256').update(options.apiKey).digest('hex').slice(0, 32);
  const keyOf = (name: string) => `quiz-budget:{${account}}:${name}`;
  const countedKey = keyOf('counted');
  const keys = [countedKey, keyOf('refused'), keyOf('person')];
  const encodedWindows = JSON.stringify(
    windows
      .map((window) => ({
        limit: window.limit,
        windowMs: window.windowMs,
        spanMs: spanMs(window),
        othersStayMs: othersStayMs(windows, window),
        inUseMs: inUseMs(window),
        distanceMs: distanceMs(window),
        ...reserveOf(window),
      }))
      .toSorted((a, b) => a.windowMs - b.windowMs),
  );
  const run = async (script: string, ...parameters: string[]): Promise<unknown> =>
    client.eval(script, { keys, arguments: [encodedWindows, ...parameters] });

  const recordAnswer = createGathering(answeredAtOnce, async (requests: readonly string[]) => {
    await run(answeredScript, ...requests).catch(onError);
    return requests;
  });
  const createPermit = (request: string): Permit => ({
    answered: () => void recordAnswer(request),
    cancel: () => {
      client.zRem(countedKey, request).catch(onError);
    },
  });

  return {
    windows,
    claim: async (wanted) => {
      const claim = randomUUID();
      const reply = await run(claimScript, String(wanted.person), String(wanted.background), String(marginMs), claim);
      const [person, background, retryInMs] = claimReply.parse(reply);
      const permits = Array.from({ length: person + background }, (_, index) => createPermit(`${claim}:${index}`));
      return { granted: { person: permits.slice(0, person), background: permits.slice(person) }, retryInMs };
    },
    recordRefusal: async (retryAfterMs) => {
      await run(refuseScript, String(Math.ceil(retryAfterMs)), randomUUID(), String(randomInt(2 ** 31)));
    },
    read: async () => {
      const [now, refusedUntil, counted, personAt] = readReply.parse(await run(readScript));
      return { now, refusedUntil, counted, personAt };
    },
  };
}
