import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { openBatch, quizId } from '../features/batches/batch-bed.ts';
import { createBudgetedService } from '../features/batches/budgeted-service.ts';
import { assignRow } from '../support/builders/rows.ts';
import { quizUser } from '../support/builders/users.ts';
import { median, percentile } from '../support/measurements.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import type { BenchRow } from './bench-row.ts';

const requests = 1_000;
const minuteMs = 60_000;
const goalExcess = 0.03;
const goalSlowdown = 1.2;
/** From the bot to the service and back. */
const latencyMs = 150;
/** Everything of a command but its requests to the service. */
const ownMs = 300;
/** What people do within the 17 minutes of the batch. The slowest hundredth of fewer than some 600 commands would be chance. */
const usages = {
  'a person who sends 6 commands': { sessions: 1, commandsEach: 6, rounds: 100 },
  'people who send 48 commands': { sessions: 6, commandsEach: 8, rounds: 13 },
};
const betweenCommandsMs = { min: 5_000, max: 40_000 };
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
 * Carries out a batch of 1,000 requests in simulated time, alone and while people use the bot, and the same commands without a
 * batch. The floor is the service’s 60 requests a minute, less what people used. Each permit that is left to people costs 1.7%.
 */
export async function run(): Promise<BenchRow[]> {
  const alone = await play({ hasBatch: true, commands: [] });
  const rows = [durationRow('nobody else', [alone])];
  for (const [who, usage] of Object.entries(usages)) {
    const scripts = Array.from({ length: usage.rounds }, (_, round) => commandsOf(round, usage));
    const [during, without] = await Promise.all(
      [true, false].map(async (hasBatch) => Promise.all(scripts.map(async (commands) => play({ hasBatch, commands })))),
    );
    if (during === undefined || without === undefined) continue;
    rows.push(durationRow(who, during), commandsRow(who, during, without));
  }
  return rows;
}

type Played = Awaited<ReturnType<typeof play>>;

function durationRow(who: string, runs: readonly Played[]): BenchRow {
  const excess = median(
    runs.map(({ tookMs, usedByPeople }) => tookMs / (((requests + usedByPeople) * minuteMs) / 60) - 1),
  );
  const refused = runs.reduce((sum, one) => sum + one.refused, 0);
  return {
    name: `a batch of ${requests.toLocaleString('en')} requests beside ${who}`,
    figure: `${(median(runs.map(({ tookMs }) => tookMs)) / minuteMs).toFixed(1)} minutes, ${(100 * excess).toFixed(1)}% over the floor, ${refused} times 429`,
    goal: 'within 3%, no 429',
    met: excess <= goalExcess && refused === 0,
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
    goal: `at most ${goalSlowdown} times`,
    met: slow <= usual * goalSlowdown,
  };
}

function commandsOf(seed: number, { sessions, commandsEach }: (typeof usages)[keyof typeof usages]): Command[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: sessions }).flatMap(() => {
    let at = random.between(0, 14 * minuteMs);
    return Array.from({ length: commandsEach }, () => {
      at += random.between(betweenCommandsMs.min, betweenCommandsMs.max);
      return { at, requests: random.pick(requestsOfCommands) };
    });
  });
}

async function play({ hasBatch, commands }: { hasBatch: boolean; commands: readonly Command[] }) {
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
  await clock.runUntil(Promise.all([...(hasBatch ? [carryOut()] : []), ...commands.map(command)]));
  return { tookMs, usedByPeople, commandsMs, refused: service.refused() };
}
