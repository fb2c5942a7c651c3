import type { SeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Workspace } from '../../../src/sandbox/workspace/workspace.ts';
import type { BotProcesses, ProcessTestBed, ProcessTestBedOptions } from '../process-test-bed.ts';

/**
 * What a kill test has of its own: between what its bots run, what they have to do, when and how they are killed. `runKills`
 * does the rest, which is the same for all: it opens the test bed, kills and starts, waits until all is over, measures and
 * judges.
 */
interface KillTest extends KillTestParts<ProcessTestBed> {
  bed: Omit<ProcessTestBedOptions, 'store' | 'instances'>;
}

/** A kill test that opens a test bed of another kind. */
interface KillTestOver<Bed extends KillBed> extends KillTestParts<Bed> {
  clock?: ProcessTestBedOptions['clock'];
  open(options: Pick<ProcessTestBedOptions, 'store' | 'instances'>): Promise<Bed>;
}

interface KillTestParts<Bed> {
  kills: KillPlan;
  /** Called with the open test bed. Nothing is killed before it resolves. */
  begin(testBed: Bed): Load | Promise<Load>;
  /** Closes what the test has opened besides the test bed. */
  close?(): unknown;
}

/** What a kill test needs of a test bed: the processes, and the workspaces at whose calls they can be killed. */
export interface KillBed extends BotProcesses {
  workspaces: readonly Workspace[];
}

/** Everything that chance decides comes from `random`, so that a seed repeats it. */
export type MakeKillTest = (random: SeededRandom, size: KillSize) => KillTest;
export type MakeKillTestOver<Bed extends KillBed> = (random: SeededRandom, size: KillSize) => KillTestOver<Bed>;

export interface KillSize {
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

export interface KillWay {
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

export interface Judgement {
  lost: number;
  doubled: number;
  wrong: number;
  /** Sentences that explain the counts, where there are any. */
  problems?: readonly string[];
  /** What people read in the table of the benchmarks. */
  figure(run: KillCounts): string;
}

interface KillCounts extends Required<{ [Key in keyof KillSize]: NonNullable<KillSize[Key]> }> {
  seed: number;
  /** From the beginning of the load until it was over. */
  seconds: number;
  /** How long each stop with SIGTERM took. */
  stopsMs: readonly number[];
}

const faults = [
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
    for (const fault of faults.filter(({ kind }) => kinds?.includes(kind) ?? true))
      workspace.faults.inject(fault, { method, when: () => random.number() < share });
}
