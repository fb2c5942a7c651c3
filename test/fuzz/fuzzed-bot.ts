import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { programEnv } from '../support/child-process.ts';
import { botToken } from '../support/open-test-bed.ts';
import type { BotMessage } from './bot.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';

export const signingSecret = 'signing-of-the-fuzz';
export const fuzzWebhookSecret = 'webhook-of-the-fuzz';

export interface FuzzedBot {
  url: string;
  /** Uncaught errors, failed requests and unexpected exits. */
  faults: string[];
  /** The memory after a forced garbage collection, in MiB. */
  memory(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a bot in its own process, with a sandbox workspace and a sandbox quiz service without rate limits. */
export async function startFuzzedBot(env: Record<string, string> = {}): Promise<FuzzedBot> {
  const apiKey = 'key-of-the-fuzz';
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken,
    signingSecret,
    strictness: { rateLimits: false },
  });
  const quizService = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey,
    ratePerMinute: 1e9,
    ratePerHour: 1e9,
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'invigilator-fuzz-'));
  const child = fork('test/fuzz/bot.ts', {
    env: {
      ...programEnv,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: workspace.apiUrl,
      QUIZ_API_URL: quizService.url,
      QUIZ_API_KEY: apiKey,
      WEBHOOK_SECRET: fuzzWebhookSecret,
      ALERTS_CHANNEL: workspace.channels.results.id,
      // With the same token, the samples say who their steps act as.
      WORKFLOW_STEPS_ENABLED: 'true',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      ...env,
    },
  });
  const faults: string[] = [];
  let receive: (message: BotMessage) => void = () => {};
  child.on('message', (received) => {
    const message = received as BotMessage;
    if (message.kind === 'fault') faults.push(message.what);
    else receive(message);
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let isClosing = false;
  void exited.then(() => isClosing || faults.push('the process of the bot exited'));
  const next = () =>
    new Promise<BotMessage>((resolve, reject) => {
      receive = resolve;
      void exited.then(() => reject(new Error(`the process of the bot exited: ${faults.join('\n')}`)));
    });
  const up = await next();
  if (up.kind !== 'up') throw new Error('the bot did not start');
  return {
    url: up.url,
    faults,
    async memory() {
      const answer = next();
      child.send('memory');
      const message = await answer;
      return message.kind === 'memory' ? message.bytes / 1024 ** 2 : NaN;
    },
    async close() {
      isClosing = true;
      child.kill('SIGKILL');
      await exited;
      await workspace.close();
      await quizService.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
