import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxClock } from '../../../src/sandbox/clock/sandbox-clock.ts';
import type { SeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { KillableBot } from '../killable-bot.ts';
import { untilJobsAreFreed } from '../redis-clock.ts';
import type { KillBed, KillPlan, KillSize, KillWay } from './kill-test.ts';
import { untilReady, type createWaitMeter } from './wait-meter.ts';

/** A call that does not come, such as after the last message, is not waited for any longer. */
const callWithinMs = 2_000;

export type Victim = 'bot' | 'redis';

/** Kills the bots and Redis of a test bed, and starts them again. */
export function createKiller(options: {
  testBed: KillBed;
  plan: KillPlan;
  meter: ReturnType<typeof createWaitMeter>;
  random: SeededRandom;
  /** The simulated clock, which stands still while Redis frees what killed bots held. */
  clock: SandboxClock | undefined;
}) {
  const { testBed, plan, meter, random, clock } = options;
  const { bots, redis, workspaces } = testBed;
  const stopsMs: number[] = [];
  const started: Promise<unknown>[] = [];
  const cancels: (() => void)[] = [];
  let kills = 0;

  async function end(bot: KillableBot, { signal }: KillWay): Promise<void> {
    const began = performance.now();
    await (signal === 'SIGTERM' ? bot.stop() : bot.kill());
    if (signal === 'SIGTERM') stopsMs.push(performance.now() - began);
    meter.killed(bot);
  }

  async function startAgain(bot: KillableBot, { awayMs, cutStarts = 0, isAwaited = false }: KillWay): Promise<void> {
    const away = awayMs && random.between(awayMs.min, awayMs.max);
    if (away !== undefined) await (clock ? clock.skip(away) : pause(away));
    const start = bot.start();
    started.push(start);
    if (cutStarts > 0 && random.number() < cutStarts) return;
    await start;
    if (isAwaited) await untilReady(bot);
    await untilFreed();
  }

  /** Locks in Redis expire in real time: a clock that skips passes over what the killed bot would have done. */
  async function untilFreed(): Promise<void> {
    if (clock && redis) await untilJobsAreFreed(redis.url);
  }

  /** Loses the next call of a method, or its answer. `act` begins with the call. */
  function atNextCall(method: string, act: () => Promise<void>): { called: Promise<void>; cancel: () => void } {
    const { promise: called, resolve } = Promise.withResolvers<void>();
    const [only, ...more] = workspaces;
    const { faults } = more.length === 0 ? only! : random.pick(workspaces);
    const cancel = faults.inject(
      { kind: random.pick(['lost-answer', 'lost-request'] as const) },
      {
        method,
        times: 1,
        when() {
          started.push(act());
          resolve();
          return true;
        },
      },
    );
    cancels.push(cancel);
    return { called, cancel };
  }

  async function killBot(): Promise<void> {
    const way = plan.ways[kills % plan.ways.length]!;
    const bot = plan.victims === 'in turn' ? bots[kills % bots.length]! : random.pick(bots);
    kills += 1;
    const { atCall } = way;
    if (atCall !== undefined && clock) {
      // The call comes when the clock goes on.
      const restart = () => end(bot, way).then(() => startAgain(bot, way));
      atNextCall(atCall, () => clock.hold(restart));
      return;
    }
    if (atCall !== undefined) {
      const next = atNextCall(atCall, () => end(bot, way));
      await Promise.race([next.called, pause(callWithinMs)]);
      next.cancel();
    }
    await end(bot, way);
    await startAgain(bot, way);
  }

  async function killRedis(): Promise<void> {
    await redis?.kill();
    await redis?.startAgain();
    if (!clock) return;
    await Promise.all(bots.map(untilReady));
    await untilFreed();
  }

  return {
    kill: (victim: Victim) => (victim === 'bot' ? killBot() : killRedis()),
    /** Resolves when every bot answers. Calls that have not come are awaited no longer. */
    async settled(): Promise<void> {
      for (const cancel of cancels) cancel();
      await Promise.all(started);
    },
    stopsMs,
  };
}

/** Bots and Redis in the order in which they are killed. */
export function victimsOf({ kills, redisKills = 0 }: KillSize, random: SeededRandom): Victim[] {
  return [...Array<Victim>(kills).fill('bot'), ...Array<Victim>(redisKills).fill('redis')]
    .map((victim) => ({ victim, place: random.number() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ victim }) => victim);
}
