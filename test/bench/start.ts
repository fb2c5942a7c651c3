import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBot } from '../../src/sandbox/bot-process.ts';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { median, type BenchRow } from './bench-row.ts';

const starts = 5;

/** From nothing to the first answer: the bot as its own process, each time with an empty folder. */
export async function run(): Promise<BenchRow[]> {
  const [botToken, signingSecret, apiKey] = ['xoxb-bench', 'signing-bench', 'key-bench'];
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, signingSecret });
  const quizService = await startQuizService({ dataDir: ':memory:', apiKey, ratePerMinute: 10_000 });
  const timings: { upMs: number; listMs: number }[] = [];
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
    await bot.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  await Promise.all([workspace.close(), quizService.close()]);
  return [
    { name: 'from start to taking requests', figure: `${Math.round(median(timings.map(({ upMs }) => upMs)))} ms` },
    { name: 'from start to the first list a person reads', figure: `${Math.round(median(timings.map(({ listMs }) => listMs)))} ms` },
  ];
}
