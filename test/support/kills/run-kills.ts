import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxClock } from '../../../src/sandbox/clock/sandbox-clock.ts';
import { createSeededRandom, type SeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { openProcessTestBed, type ProcessTestBed, type ProcessTestBedOptions } from '../process-test-bed.ts';
import { followOverRedis, untilJobsAreFreed } from '../redis-clock.ts';
import type {
  Judgement,
  KillBed,
  KillPlan,
  KillSize,
  Load,
  MakeKillTest,
  MakeKillTestOver,
  KillWay,
} from './kill-test.ts';
import { startPollMs, untilDone, untilSo } from '../watchdog.ts';
import type { KillableBot } from '../killable-bot.ts';

/** A call that does not come, such as after the last message, is not waited for any longer. */
const callWithinMs = 2_000;

type Victim = 'bot' | 'redis';

/** Kills the bots and Redis of a test bed, and starts them again. */
function createKiller(options: {
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
function victimsOf({ kills, redisKills = 0 }: KillSize, random: SeededRandom): Victim[] {
  return [...Array<Victim>(kills).fill('bot'), ...Array<Victim>(redisKills).fill('redis')]
    .map((victim) => ({ victim, place: random.number() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ victim }) => victim);
}

export interface KillRunOptions extends KillSize, Pick<ProcessTestBedOptions, 'store' | 'instances'> {
  /** Repeats what happens and when, but not the scheduling of the processes. */
  seed: number;
}

export interface KillOutcome extends Pick<Judgement, 'lost' | 'doubled' | 'wrong'> {
  /** Sentences; empty where all is right. */
  problems: readonly string[];
  /** The counts as people read them, in one line. */
  figure: string;
}

/** Longer than a bot waits before it looks up a message that it may have posted. */
const settleMs = 4_000;

/** Has bots in their own processes do what a test gives them while they are killed, and judges what came of it. */
export async function runKills(options: KillRunOptions, makeTest: MakeKillTest): Promise<KillOutcome> {
  return runKillsOver<ProcessTestBed & KillBed>(options, (random, size) => {
    const { bed, ...test } = makeTest(random, size);
    return {
      ...test,
      clock: bed.clock,
      async open(shared) {
        const testBed = await openProcessTestBed({ ...bed, ...shared });
        return { ...testBed, workspaces: [testBed.workspace] };
      },
    };
  });
}

/** The same over a test bed of another kind. */
export async function runKillsOver<Bed extends KillBed>(
  options: KillRunOptions,
  makeTest: MakeKillTestOver<Bed>,
): Promise<KillOutcome> {
  const { store, instances = 1, seed, kills, redisKills = 0 } = options;
  const random = createSeededRandom(seed);
  const test = makeTest(random, options);
  const testBed = await test.open({ store, instances });
  const { redis, folder } = testBed;
  const clock = isSimulated(test.clock) ? test.clock : undefined;
  const stopFollowing = clock && redis && followOverRedis(clock, redis.url);
  let isWhole = false;
  try {
    const load = await test.begin(testBed);
    const meter = createWaitMeter(load, test.clock?.now ?? (() => performance.now()));
    const killer = createKiller({ testBed, plan: test.kills, meter, random, clock });
    const began = performance.now();
    const victims = victimsOf(options, random);
    if (clock) await happen(clock, [...(load.happens ?? []), ...killTimes(test.kills, victims, killer.kill)]);
    else await sendAndKill(test.kills, { load, victims, killer, random });
    await killer.settled();
    await load.over();
    meter.stop();
    const seconds = Math.round((performance.now() - began) / 1_000);
    if (!clock) await startOnceMore(testBed, test.clock);

    const judgement = await load.judge();
    const { lost, doubled, wrong, problems = [] } = judgement;
    isWhole = lost + doubled + wrong === 0;
    const figure = judgement.figure({ seed, kills, redisKills, seconds, stopsMs: killer.stopsMs });
    return {
      lost,
      doubled,
      wrong,
      problems: isWhole ? [] : [...problems, `The logs are in ${folder}`],
      figure: `${figure}; ${waitIn(meter.longest())}`,
    };
  } finally {
    stopFollowing?.();
    await test.close?.();
    await testBed.close({ keepFolder: !isWhole });
  }
}

type BedClock = ProcessTestBedOptions['clock'];

function isSimulated(clock: BedClock): clock is SandboxClock {
  return clock !== undefined && 'skip' in clock;
}

/** Lets the time pass, from one happening to the next. */
async function happen(clock: SandboxClock, happenings: NonNullable<Load['happens']>): Promise<void> {
  for (const { at, run } of happenings.toSorted((a, b) => a.at - b.at)) {
    if (at > clock.now()) await clock.skip(at - clock.now());
    await run();
  }
}

function killTimes(
  { moments }: KillPlan,
  victims: readonly Victim[],
  kill: (victim: Victim) => Promise<void>,
): NonNullable<Load['happens']> {
  if (moments.after !== 'a time') throw new Error('a simulated clock needs times');
  return victims.map((victim) => ({ at: moments.pick(), run: () => kill(victim) }));
}

/** Kills one after the other while the load is sent. */
async function sendAndKill(
  { moments }: KillPlan,
  run: { load: Load; victims: readonly Victim[]; killer: ReturnType<typeof createKiller>; random: SeededRandom },
): Promise<void> {
  const { load, victims, killer, random } = run;
  const killed = new AbortController();
  async function killAll(): Promise<void> {
    for (const [index, victim] of victims.entries()) {
      if (moments.after === 'a pause') await pause(random.between(moments.ms.min, moments.ms.max));
      else if (moments.after === 'a share') await untilDone(load.done, sharesBy(index) * moments.of);
      else throw new Error('times need a simulated clock');
      await killer.kill(victim);
    }
    await killer.settled();
    killed.abort();
  }
  const sharesBy = (index: number) => (index + 1) / (victims.length + 1);
  await Promise.all([load.send?.(killed.signal), killAll()]);
}

/** Bots that start when all is over find nothing left to do. */
async function startOnceMore({ bots }: KillBed, clock: BedClock): Promise<void> {
  await Promise.all(bots.map((bot) => bot.kill()));
  await Promise.all(bots.map((bot) => bot.start()));
  const settled = new Promise<void>((resolve) => void clock?.after(settleMs, resolve));
  await (clock ? settled : pause(settleMs));
}

function waitIn({ measured, ms }: { measured: number; ms: number }): string {
  return measured === 0
    ? 'no wait measured'
    : `waited ${(ms / 1_000).toFixed(1)} s at most once ready again (${measured} measured)`;
}

const pollMs = 50;

/** Measures how long what is left to do waits after bots are ready again, by the clock of the test bed. */
export function createWaitMeter({ done, isWaiting }: Pick<Load, 'done' | 'isWaiting'>, now: () => number) {
  const waits: number[] = [];
  const measuring = new Map<KillableBot, AbortController>();
  let isOver = false;

  /** Undefined where the bot is killed again, or nothing is left to do. */
  async function measure(bot: KillableBot, doneBefore: number, killed: AbortSignal): Promise<number | undefined> {
    const isGoingOn = () => done() > doneBefore;
    const isCutOff = () => killed.aborted || isOver;
    for (; !(await isReady(bot)); await pause(pollMs)) if (isCutOff()) return undefined;
    const readyAt = now();
    if (isGoingOn()) return 0;
    for (; !isGoingOn(); await pause(pollMs)) if (isCutOff() || !isWaiting()) return undefined;
    return isCutOff() ? undefined : now() - readyAt;
  }

  return {
    /** Call when a bot is gone. */
    killed(bot: KillableBot): void {
      measuring.get(bot)?.abort();
      const next = new AbortController();
      measuring.set(bot, next);
      void measure(bot, done(), next.signal).then((ms) => ms !== undefined && waits.push(ms));
    },
    stop(): void {
      isOver = true;
    },
    /** How many waits were measured, and the longest of them. */
    longest: () => ({ measured: waits.length, ms: Math.max(0, ...waits) }),
  };
}

export async function untilReady(bot: Pick<KillableBot, 'url'>): Promise<void> {
  await untilSo(() => isReady(bot), startPollMs);
}

/** Whether the bot of a process is ready, or every bot of a file of tenants. */
async function isReady({ url }: Pick<KillableBot, 'url'>): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`);
    const { tenants = {} } = (await answer.json()) as { tenants?: Record<string, string> };
    return answer.ok && Object.values(tenants).every((state) => state === 'up');
  } catch {
    return false;
  }
}
