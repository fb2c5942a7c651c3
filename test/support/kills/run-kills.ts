import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxClock } from '../../../src/sandbox/clock/sandbox-clock.ts';
import { createSeededRandom, type SeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Workspace } from '../../../src/sandbox/workspace/workspace.ts';
import { isReady, untilReady, type KillableBot } from '../killable-bot.ts';
import type { BotProcesses, ProcessTestBed, ProcessTestBedOptions } from '../process-test-bed.ts';
import { followOverRedis, untilJobsAreFreed } from '../redis-clock.ts';
import { untilDone } from '../watchdog.ts';

/** Processes of bots, and the workspaces at whose calls they can be killed. */
interface KillBed extends BotProcesses {
  workspaces: readonly Workspace[];
}

/**
 * What a kill test has of its own: between what its bots run, what they have to do, when and how they are killed. `runKills`
 * does the rest, which is the same for all: it opens the test bed, kills and starts, waits until all is over, measures and
 * judges.
 */
interface KillTest<Bed extends KillBed> {
  /** The clock of the test bed. Default: the system's. */
  clock?: ProcessTestBedOptions['clock'];
  open(options: Pick<ProcessTestBedOptions, 'store' | 'instances' | 'clock'>): Promise<Bed>;
  kills: KillPlan;
  /** Called with the open test bed. Nothing is killed before it resolves. */
  begin(testBed: Bed): Load | Promise<Load>;
  /** Closes what the test has opened besides the test bed. */
  close?(): unknown;
}

/** Everything that chance decides comes from `random`, so that a seed repeats it. */
export type MakeKillTest<Bed extends KillBed = ProcessTestBed> = (
  random: SeededRandom,
  size: KillSize,
) => KillTest<Bed>;

interface KillSize {
  /** How many bots are killed or stopped, and started again. */
  kills: number;
  /** How often Redis is killed and started again. Default: 0. */
  redisKills?: number | undefined;
}

export interface KillPlan {
  /**
   * When the next kill comes: after a pause in real time, when the next of equal shares of the load is done, or at times of the
   * simulated clock.
   */
  moments:
    | { after: 'a pause'; ms: { min: number; max: number } }
    | { after: 'a share'; of: number }
    | { after: 'a time'; pick: () => number };
  /** How bots are killed, in turn. */
  ways: readonly KillWay[];
  /** Which bot. Default: by chance. */
  victims?: 'in turn';
}

interface KillWay {
  /** Default: SIGKILL. */
  signal?: 'SIGTERM';
  /** Kills at the next call of this method of Slack. Slack gets the call, or never does. */
  atCall?: string;
  /** How long the bot stays away, by the simulated clock where there is one. Default: not at all. */
  awayMs?: { min: number; max: number };
  /** The share of starts during which the next kill may come. Default: 0. */
  cutStarts?: number;
  /** Whether the next kill waits until the bot is ready. Default: until it answers. */
  isAwaited?: boolean;
}

/** What the bots have to do. */
export interface Load {
  /** What happens at times of the simulated clock, which stands still meanwhile. */
  happens?: readonly Happening[];
  /** Sends the load, and resolves when the bots have taken everything. @param killed aborted when the last victim is up again */
  send?(killed: AbortSignal): Promise<unknown>;
  /** Counts what went on: announcements, rows, endings, messages. */
  done(): number;
  /** Whether there is something that a bot can go on with at once. */
  isWaiting(): boolean;
  /** Resolves when all is done, or nothing goes on any more. */
  over(): Promise<unknown>;
  judge(): Judgement | Promise<Judgement>;
}

interface Happening {
  at: number;
  run(): Promise<unknown>;
}

/** What went wrong, each with a sentence. */
export interface Judgement {
  lost: readonly string[];
  doubled: readonly string[];
  wrong: readonly string[];
  /** What there was to do, and what came of it, as people read it in the table of the benchmarks. */
  figure: string;
}

const failures = [
  { kind: 'rate-limited', retryAfterS: 1 },
  { kind: 'http-error', status: 500 },
  { kind: 'lost-answer' },
  { kind: 'lost-request' },
] as const;

/** Makes calls of these methods fail by chance, in each of these ways as often as `share` says. Default: in all of them. */
export function failByChance(
  workspace: Workspace,
  random: SeededRandom,
  { methods, share, kinds }: { methods: readonly string[]; share: number; kinds?: readonly string[] },
): void {
  for (const method of methods)
    for (const fault of failures.filter(({ kind }) => kinds?.includes(kind) ?? true))
      workspace.faults.inject(fault, { method, when: () => random.number() < share });
}

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

export interface KillOutcome extends Record<'lost' | 'doubled' | 'wrong', number> {
  /** Sentences; empty where all is right. */
  problems: readonly string[];
  /** The counts as people read them, in one line. */
  figure: string;
}

/** Longer than a bot waits before it looks up a message that it may have posted. */
const settleMs = 4_000;

/** Has bots in their own processes do what a test gives them while they are killed, and judges what came of it. */
export async function runKills<Bed extends KillBed = ProcessTestBed>(
  options: KillRunOptions,
  makeTest: MakeKillTest<Bed>,
): Promise<KillOutcome> {
  const { store, instances = 1, seed, kills, redisKills = 0 } = options;
  const random = createSeededRandom(seed);
  const test = makeTest(random, options);
  const testBed = await test.open({ store, instances, clock: test.clock });
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

    const { lost, doubled, wrong, figure } = await load.judge();
    const problems = Object.entries({ lost, twice: doubled, wrong }).flatMap(([what, all]) =>
      all.map((problem) => `${what}: ${problem}`),
    );
    isWhole = problems.length === 0;
    const stops = killer.stopsMs.length === 0 ? '' : ` (to stop, ${inSeconds(Math.max(...killer.stopsMs))} at most)`;
    const ofRedis = redisKills > 0 ? `, Redis killed ${redisKills} times` : '';
    return {
      lost: lost.length,
      doubled: doubled.length,
      wrong: wrong.length,
      problems: isWhole ? [] : [...problems, `The logs are in ${folder}`],
      figure: `lost ${lost.length}, twice ${doubled.length}, wrong ${wrong.length}: ${figure}, ${kills} kills${stops}${ofRedis}, ${seconds} s, seed ${seed}; ${waitIn(meter.longest())}`,
    };
  } finally {
    stopFollowing?.();
    await test.close?.();
    await testBed.close({ keepFolder: !isWhole });
  }
}

const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

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
    : `waited ${inSeconds(ms)} at most once ready again (${measured} measured)`;
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
