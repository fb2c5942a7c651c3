import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { startQuizService, type QuizService, type QuizServiceOptions } from '../../src/sandbox/quiz-service/service.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../src/sandbox/workspace/workspace.ts';
import { webhookSecret } from './event.ts';
import { recordingLog } from './log.ts';
import { startRecordingProxy, type ServiceFault } from './recording-proxy.ts';

/** The whole bot between a workspace and a quiz service, over real HTTP or a real socket. */
export interface TestBed {
  workspace: Workspace;
  quizService: QuizService;
  /** Where the bot listens. */
  url: string;
  lines: string[];
  /** What the bot asked of the quiz service. */
  requests: string[];
  setServiceFault: (fault: ServiceFault | undefined) => void;
}

export interface TestBedOptions {
  mode?: 'http' | 'socket';
  workspace?: Partial<WorkspaceOptions>;
  quizService?: Partial<QuizServiceOptions>;
  /** Which face the quiz service shows. Default: smooth. */
  account?: 'smooth' | 'rough';
  env?: Record<string, string>;
  now?: () => number;
}

export const [botToken, signingSecret] = ['xoxb-of-the-house', 'signing-of-the-house'];
const [appToken, apiKey] = ['xapp-of-the-house', 'key-of-the-house'];

/** `atEnd` is handed what takes the house down again, to be called in the reverse order. */
export async function openTestBed(options: TestBedOptions, atEnd: (takeDown: () => void | Promise<void>) => void): Promise<TestBed> {
  const { mode = 'http' } = options;
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken,
    signingSecret,
    ...(mode === 'socket' && { appToken }),
    ...options.workspace,
  });
  atEnd(() => workspace.close());
  const quizService = await startQuizService({
    dataDir: ':memory:',
    apiKey,
    rough: options.account === 'rough' || undefined,
    ...options.quizService,
  });
  atEnd(() => quizService.close());

  const proxy = await startRecordingProxy(quizService.url);
  atEnd(() => proxy.close());
  const dataDir = mkdtempSync(join(tmpdir(), 'invigilator-'));
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));

  const { log, lines } = recordingLog();
  const config = readConfig({
    SLACK_BOT_TOKEN: botToken,
    SLACK_API_URL: workspace.apiUrl,
    QUIZ_API_URL: proxy.url,
    QUIZ_API_KEY: apiKey,
    QUIZ_TIME_ZONE: quizService.timeZone,
    WEBHOOK_SECRET: webhookSecret,
    WEBHOOK_SCHEME: quizService.webhookScheme,
    ALERTS_CHANNEL: workspace.channels.results.id,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    ...(mode === 'socket' ? { SLACK_APP_TOKEN: appToken } : { SLACK_SIGNING_SECRET: signingSecret }),
    ...options.env,
  });
  const app = await createApp({ config, log, ...(options.now && { now: options.now }) });
  const url = `http://127.0.0.1:${await app.start()}`;
  atEnd(() => app.stop());
  if (mode === 'http') workspace.setBot(`${url}/slack/events`);
  quizService.setWebhook({ url: `${url}/webhooks/quiz`, secret: webhookSecret });
  return { workspace, quizService, url, lines, requests: proxy.requests, setServiceFault: proxy.setFault };
}

/** Everything a message says, as one text. */
export function textOf(message: { text?: string; blocks?: unknown } | undefined): string {
  return JSON.stringify([message?.text, message?.blocks]);
}
