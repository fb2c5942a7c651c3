import { setTimeout as pause } from 'node:timers/promises';
import { createBatches } from '../../src/batches/batches.ts';
import type { BatchPlan, BatchRow } from '../../src/domain/batch.ts';
import type { BatchResult, BatchService } from '../../src/operations/context.ts';
import { resultFile, rowResult } from '../../src/operations/import/result-file.ts';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { people, teamId } from '../../src/sandbox/workspace/people.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { systemClock } from '../../src/time/clock.ts';
import { openProcessTestBed, type ProcessTestBed } from './process-test-bed.ts';
import { startLossyProxy } from './proxy.ts';

export interface BatchChaosOptions {
  store: 'sqlite' | 'redis';
  instances?: number;
  seed: number;
  rows: number;
  /** How often a bot is killed or stopped, and started again. */
  kills: number;
}

export interface BatchChaosOutcome {
  /** People who are in the account twice, and people who are not there. */
  twice: number;
  lost: number;
  /** Rows whose outcome is not “done”. */
  notDone: number;
  /** Lines of the result file of the import that say which user was created. */
  resultLines: number;
}

/** Answers and requests that are lost. */
const lostShare = 0.08;
const betweenKillsMs = { min: 300, max: 2_500 };
/** 500 rows take ten minutes without kills. */
const timeoutMs = 25 * 60_000;

/** Has bots create people while they are killed and answers of the quiz service are lost, and compares the account with the rows. */
export async function runBatchChaos({ store, instances = 1, seed, rows: count, kills }: BatchChaosOptions): Promise<BatchChaosOutcome & { summary: string }> {
  const random = createSeededRandom(seed);
  const proxies: { lost: () => number; close(): void }[] = [];
  const testBed = await openProcessTestBed({
    store,
    instances,
    serviceUrl: async (url) => {
      const proxy = await startLossyProxy(url, { share: lostShare, random: random.number });
      proxies.push(proxy);
      return proxy.url;
    },
  });
  const { bots, folder, quizService } = testBed;
  try {
    const rows = Array.from({ length: count }, (_, index): BatchRow => newPerson(index));
    const plan: BatchPlan = { kind: 'batch', operation: 'import-users', action: `create ${count} users`, rows, approval: null, source: { header: ['E-mail'], cells: rows.map(({ name }) => [`${name}@import.example`]) } };
    await Promise.all(bots.map((bot) => bot.kill()));
    const id = await withBatches(testBed, async (batches) => (await batches.start(plan, people.ada.id)).id);
    await Promise.all(bots.map((bot) => bot.start()));

    const startedAt = performance.now();
    const created = () => quizService.database.all<{ user_name: string }>(`SELECT user_name FROM users WHERE user_name LIKE 'person-%'`, []).map(({ user_name }) => user_name);
    let killed = 0;
    while (performance.now() - startedAt < timeoutMs && (created().length < count || killed < kills)) {
      if (killed >= kills) {
        await pause(200);
        continue;
      }
      await pause(random.between(betweenKillsMs.min, betweenKillsMs.max));
      const bot = random.pick(bots);
      // Every second time with SIGTERM, as a new version is put into service.
      await (killed % 2 === 0 ? bot.kill() : bot.stop());
      killed += 1;
      await bot.start();
    }
    // The last row’s outcome may have to be looked up.
    await pause(10_000);
    await Promise.all(bots.map((bot) => bot.stop()));
    const result = await withBatches(testBed, async (batches) => batches.result(id));
    const outcome = compare(result, created(), count);
    const lost = proxies.reduce((sum, proxy) => sum + proxy.lost(), 0);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { ...outcome, summary: `twice ${outcome.twice}, lost ${outcome.lost}, not done ${outcome.notDone} (${count} rows, ${killed} kills, ${lost} answers lost, ${seconds} s, seed ${seed}${outcome.notDone > 0 ? `, ${folder}` : ''})` };
  } finally {
    for (const proxy of proxies) proxy.close();
    await testBed.close();
  }
}

function newPerson(index: number): BatchRow {
  const name = `person-${index}`;
  return { kind: 'create', name, user: { firstName: 'Person', lastName: String(index), userName: `${name}@import.example`, emailAddress: `${name}@import.example`, userType: 'respondent', flags: [], groups: [], quizzes: [] } };
}

/** Works with the bots’ batches while the bots are down, or beside them over Redis. */
async function withBatches<Value>({ folder, redis }: ProcessTestBed, work: (batches: BatchService) => Promise<Value>): Promise<Value> {
  const { storage } = await openStorage({ dataDir: `${folder}/kept`, redisUrl: redis?.url, clock: systemClock, onError: () => {} });
  await storage.open();
  try {
    return await work(createBatches({ storage, newId: () => 'batch-1', now: Date.now }).service(teamId));
  } finally {
    await storage.queues.stop();
    await storage.close();
  }
}

function compare(result: BatchResult | undefined, created: readonly string[], count: number): BatchChaosOutcome {
  const outcomes = result?.outcomes ?? [];
  return {
    twice: created.length - new Set(created).size,
    lost: count - new Set(created).size,
    notDone: count - outcomes.filter(({ kind }) => kind === 'done').length,
    // With the user’s ID, so that the file can be given back.
    resultLines: result?.source === undefined ? 0 : resultFile(result.source, result.rows.map((row, at) => rowResult(row, outcomes[at] ?? { kind: 'waiting' }))).toString('utf8').split('\r\n').filter((line) => /^person-\d+@import\.example,created,[\w-]+,/.test(line)).length,
  };
}
