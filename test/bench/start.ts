import { fork } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { startBot } from '../../src/sandbox/bot-process.ts';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';
import { nextMessage, programEnv, serverUrl } from '../support/child-process.ts';
import { median, metricIn } from '../support/measurements.ts';
import { botToken, signingSecret } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const apiKey = 'key-bench';

interface Start {
  upMs: number;
  /** Until a person has the answer to a command. */
  answerMs: number;
  /** A while after that. */
  memoryMB: number;
}

/**
 * Time from start to the first answer, and memory of the idle program: of the bot, as `npm start` starts it with an empty folder,
 * and of a bare Bolt app that answers a fixed text. Both keep compiled code from one start to the next.
 */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const idleMs = isShort ? 0 : 5_000;
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, signingSecret });
  const quizService = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey,
    ratePerMinute: 10_000,
  });
  const starts = { bot: [] as Start[], bare: [] as Start[] };
  for (let count = 0; count < (isShort ? 1 : 5); count += 1) {
    starts.bot.push(await startOfBot(workspace, quizService.url, idleMs));
    starts.bare.push(await startOfBare(workspace, idleMs));
  }
  await Promise.all([workspace.close(), quizService.close()]);
  const of = (which: keyof typeof starts, part: keyof Start) => median(starts[which].map((start) => start[part]));
  const shown = (part: keyof Start, unit: string) =>
    `${of('bot', part).toFixed(0)} ${unit}, the Bolt app ${of('bare', part).toFixed(0)} ${unit}`;
  const ratio = of('bot', 'memoryMB') / of('bare', 'memoryMB');
  return [
    { name: 'from start to accepting requests, beside a bare Bolt app', figure: shown('upMs', 'ms') },
    {
      name: 'from start to the first list, beside the first answer of a bare Bolt app',
      figure: shown('answerMs', 'ms'),
      ...heldAgainst('first list', { ms: of('bot', 'answerMs') }),
    },
    {
      name: 'resident memory of the idle bot, against a bare Bolt app',
      figure: `${ratio.toFixed(2)} times its memory (${shown('memoryMB', 'MB')})`,
      ...heldAgainst('idle memory', { ratio }),
    },
  ];
}

async function startOfBot(workspace: Workspace, quizServiceUrl: string, idleMs: number): Promise<Start> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'invigilator-bench-'));
  const dataDir = folder.path;
  const begin = performance.now();
  const bot = startBot({
    logFile: join(dataDir, 'bot.log'),
    env: {
      SLACK_API_URL: workspace.apiUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      QUIZ_API_URL: quizServiceUrl,
      QUIZ_API_KEY: apiKey,
      DATA_DIR: dataDir,
    },
  });
  try {
    const url = await bot.up;
    const upMs = performance.now() - begin;
    await askForList(workspace, `${url}/slack/events`);
    const answerMs = performance.now() - begin;
    await pause(idleMs);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return { upMs, answerMs, memoryMB: metricIn(metrics, 'process_resident_memory_bytes') / 1e6 };
  } finally {
    await bot.stop();
  }
}

async function startOfBare(workspace: Workspace, idleMs: number): Promise<Start> {
  const begin = performance.now();
  using bare = fork('test/bench/bare-bolt.ts', ['answers', signingSecret, workspace.apiUrl, botToken], {
    env: programEnv,
  });
  const url = await serverUrl(bare);
  const upMs = performance.now() - begin;
  await askForList(workspace, `${url}/slack/events`);
  const answerMs = performance.now() - begin;
  await pause(idleMs);
  bare.send('memory');
  const { memoryMB } = z.object({ memoryMB: z.number() }).parse(await nextMessage(bare));
  return { upMs, answerMs, memoryMB };
}

async function askForList(workspace: Workspace, url: string): Promise<void> {
  workspace.setBot(url);
  await (await workspace.as(people.tom.id).command('/quiz list')).reply();
}
