import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { openBatch, quizId, createBudgetedService } from '../features/batches/batch-bed.ts';
import { assignRow } from '../support/builders/rows.ts';
import { quizUser } from '../support/builders/users.ts';
import { median, percentile } from '../support/measurements.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const minuteMs = 60_000;
/** From the bot to the service and back. */
const latencyMs = 150;
/** Everything of a command but its requests to the service. */
const ownMs = 300;
/**
 * What people do while the batch runs, which is some 17 minutes without them: when the first command comes, and how often it is
 * played, as the slowest hundredth of fewer than some 600 commands would be chance.
 */
const usages = [
  {
    who: 'people who send 6 commands a minute',
    goal: 'batch beside people',
    commands: 110,
    firstMs: { min: 0, max: 10_000 },
    betweenMs: { min: 5_000, max: 15_000 },
    rounds: 8,
  },
  {
    who: 'a person who sends 6 commands in all',
    goal: 'batch beside a person',
    commands: 6,
    firstMs: { min: 0, max: 14 * minuteMs },
    betweenMs: { min: 5_000, max: 40_000 },
    rounds: 100,
  },
] as const;
/** The requests of commands, of a hundred: lists are at hand, a view of a user looks much up. */
const requestsOfCommands = [
  ...Array<number>(30).fill(0),
  ...Array<number>(35).fill(1),
  ...Array<number>(25).fill(2),
  ...Array<number>(8).fill(3),
  ...Array<number>(2).fill(9),
];

interface Command {
  at: number;
  requests: number;
}

/**
 * Carries out a batch in simulated time, alone and while people use the bot, and the same commands without a
 * batch. The floor is the service’s 60 requests a minute, less what people used. Each permit that is left to people costs 1.7%.
 */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const requests = isShort ? 20 : 1_000;
  const alone = await play({ requests, commands: [] });
  const rows = [durationRow('nobody else', 'batch alone', requests, [alone])];
  for (const usage of usages) {
    const scripts = Array.from({ length: isShort ? 1 : usage.rounds }, (_, round) => commandsOf(round, usage));
    const playAll = async (count: number) =>
      Promise.all(scripts.map(async (commands) => play({ requests: count, commands })));
    const [during, without] = [await playAll(requests), await playAll(0)];
    rows.push(durationRow(usage.who, usage.goal, requests, during), commandsRow(usage.who, during, without));
  }
  return rows;
}

type Played = Awaited<ReturnType<typeof play>>;

function durationRow(
  who: string,
  goal: 'batch alone' | (typeof usages)[number]['goal'],
  requests: number,
  runs: readonly Played[],
): BenchRow {
  const excess = median(
    runs.map(({ tookMs, usedByPeople }) => tookMs / (((requests + usedByPeople) * minuteMs) / 60) - 1),
  );
  const refused = runs.reduce((sum, one) => sum + one.refused, 0);
  return {
    name: `a batch of ${requests.toLocaleString('en')} requests beside ${who}`,
    figure: `${(median(runs.map(({ tookMs }) => tookMs)) / minuteMs).toFixed(1)} minutes, ${(100 * excess).toFixed(1)}% over the floor, ${refused} times 429`,
    ...heldAgainst(goal, { excessPercent: 100 * excess, refused }),
  };
}

function commandsRow(who: string, during: readonly Played[], without: readonly Played[]): BenchRow {
  const p99 = (runs: readonly Played[]) =>
    percentile(
      runs.flatMap(({ commandsMs }) => commandsMs),
      99,
    );
  const [slow, usual] = [p99(during), p99(without)];
  return {
    name: `99% of the commands of ${who}, during a batch and without`,
    figure: `${slow} ms and ${usual} ms`,
    ...heldAgainst('commands beside a batch', { ratio: slow / usual }),
  };
}

function commandsOf(seed: number, { commands, firstMs, betweenMs }: (typeof usages)[number]): Command[] {
  const random = createSeededRandom(seed);
  let at = random.between(firstMs.min, firstMs.max);
  return Array.from({ length: commands }, () => {
    at += random.between(betweenMs.min, betweenMs.max);
    return { at, requests: random.pick(requestsOfCommands) };
  });
}

/** @param script.requests of the batch; without any, people are alone */
async function play({ requests, commands }: { requests: number; commands: readonly Command[] }) {
  const clock = createVirtualClock();
  const { now, sleep } = clock;
  const startedAt = now();
  const service = createBudgetedService(clock, latencyMs);
  let tookMs = 0;
  const carryOut = async (): Promise<void> => {
    const users = Array.from({ length: requests }, (_, index) =>
      quizUser({ user_id: `u-${index}`, user_name: `u-${index}` }),
    );
    const rows = users.map(({ user_id: userId }) => assignRow(quizId, { userId }));
    const bed = await openBatch(rows, { users, clock, send: service.call });
    await bed.until();
    tookMs = now() - startedAt;
  };
  const commandsMs: number[] = [];
  let usedByPeople = 0;
  const command = async ({ at, requests: count }: Command): Promise<void> => {
    await sleep(at);
    const begunAt = now();
    await sleep(ownMs);
    for (let index = 0; index < count; index += 1) {
      await service.send({});
      if (tookMs === 0) usedByPeople += 1;
    }
    commandsMs.push(now() - begunAt);
  };
  await clock.runUntil(Promise.all([...(requests > 0 ? [carryOut()] : []), ...commands.map(command)]));
  return { tookMs, usedByPeople, commandsMs, refused: service.refused() };
}
