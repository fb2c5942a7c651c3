import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import type { Told } from './bot.ts';

export const signingSecret = 'signing-of-the-fuzz';
export const fuzzWebhookSecret = 'webhook-of-the-fuzz';

export interface FuzzedBot {
  url: string;
  /** What nobody caught. */
  faults: string[];
  /** After a forced collection, in MiB. */
  memory(): Promise<number>;
  close(): Promise<void>;
}

/** A bot of its own process, between the sandbox's workspace and quiz service, which take as many calls as come. */
export async function startFuzzedBot(env: Record<string, string> = {}): Promise<FuzzedBot> {
  const [botToken, apiKey] = ['xoxb-of-the-fuzz', 'key-of-the-fuzz'];
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, signingSecret, strictness: { rateLimits: false } });
  const quizService = await startQuizService({ dataDir: ':memory:', apiKey, ratePerMinute: 1e9, ratePerHour: 1e9 });
  const dataDir = mkdtempSync(join(tmpdir(), 'invigilator-fuzz-'));
  const child = fork('test/fuzz/bot.ts', {
    env: {
      PATH: process.env['PATH'],
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: workspace.apiUrl,
      QUIZ_API_URL: quizService.url,
      QUIZ_API_KEY: apiKey,
      WEBHOOK_SECRET: fuzzWebhookSecret,
      ALERTS_CHANNEL: workspace.channels.results.id,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      ...env,
    },
  });
  const faults: string[] = [];
  let told: (said: Told) => void = () => {};
  child.on('message', (message) => {
    const said = message as Told;
    if (said.kind === 'fault') faults.push(said.what);
    else told(said);
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let isClosing = false;
  void exited.then(() => isClosing || faults.push('the bot’s process ended'));
  const next = () =>
    new Promise<Told>((resolve, reject) => {
      told = resolve;
      void exited.then(() => reject(new Error(`the bot’s process ended: ${faults.join('\n')}`)));
    });
  const up = await next();
  if (up.kind !== 'up') throw new Error('the bot did not start');
  return {
    url: up.url,
    faults,
    async memory() {
      const answer = next();
      child.send('memory');
      const said = await answer;
      return said.kind === 'memory' ? said.bytes / 1024 ** 2 : NaN;
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
