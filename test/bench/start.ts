import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBot } from '../../src/sandbox/bot-process.ts';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { median, metricIn } from '../support/measurements.ts';
import type { BenchRow } from './bench-row.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';

const starts = 5;
const idleMs = 5_000;
const goals = { startMs: 700, memoryMB: 145 };

/** Time from start to first answer, and memory of the idle bot: each start as `npm start` does it, with an empty folder. */
export async function run(): Promise<BenchRow[]> {
  const [botToken, signingSecret, apiKey] = ['xoxb-bench', 'signing-bench', 'key-bench'];
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, signingSecret });
  const quizService = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey,
    ratePerMinute: 10_000,
  });
  const timings: { upMs: number; listMs: number }[] = [];
  let memoryMB = Number.NaN;
  for (let count = 0; count < starts; count += 1) {
    const dataDir = mkdtempSync(join(tmpdir(), 'invigilator-bench-'));
    const begin = performance.now();
    const bot = startBot({
      logFile: join(dataDir, 'bot.log'),
      env: {
        SLACK_API_URL: workspace.apiUrl,
        SLACK_BOT_TOKEN: botToken,
        SLACK_SIGNING_SECRET: signingSecret,
        QUIZ_API_URL: quizService.url,
        QUIZ_API_KEY: apiKey,
        DATA_DIR: dataDir,
      },
    });
    const url = await bot.up;
    const upMs = performance.now() - begin;
    workspace.setBot(`${url}/slack/events`);
    await (await workspace.as(people.tom.id).command('/quiz list')).reply();
    timings.push({ upMs, listMs: performance.now() - begin });
    if (count === starts - 1) {
      await sleep(idleMs);
      memoryMB = await residentMB(`${url}/metrics`);
    }
    await bot.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  await Promise.all([workspace.close(), quizService.close()]);
  const upMs = Math.round(median(timings.map((timing) => timing.upMs)));
  return [
    {
      name: 'from start to accepting requests',
      figure: `${upMs} ms`,
      goal: `under ${goals.startMs} ms`,
      met: upMs < goals.startMs,
    },
    { name: 'from start to the first list', figure: `${Math.round(median(timings.map(({ listMs }) => listMs)))} ms` },
    {
      name: 'resident memory of the idle bot',
      figure: `${Math.round(memoryMB)} MB`,
      goal: `under ${goals.memoryMB} MB`,
      met: memoryMB < goals.memoryMB,
    },
  ];
}

async function residentMB(metricsUrl: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  return metricIn(metrics, 'process_resident_memory_bytes') / 1e6;
}
