import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { startQuizService, type QuizService, type QuizServiceOptions } from '../../src/sandbox/quiz-service/service.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../src/sandbox/workspace/workspace.ts';
import { systemClock, type Clock } from '../../src/time/clock.ts';
import { webhookSecret } from './event.ts';
import { recordingLog } from './log.ts';
import { createOpenBudget } from './mock-service.ts';
import { startRecordingProxy, type RecordingProxy, type ServiceFault } from './proxy.ts';
import { accountQuizzes } from './account-quizzes.ts';
import { createHash } from 'node:crypto';
import { standardNames } from '../../src/domain/own-names.ts';
import { manifestText } from '../../src/slack/app-manifest.ts';

/** The whole bot with a sandbox workspace and a sandbox quiz service, over HTTP or a WebSocket. */
export interface TestBed {
  workspace: Workspace;
  quizService: QuizService;
  /** The URL of the bot. */
  url: string;
  /** The log lines of the bot. */
  lines: string[];
  /** The requests of the bot to the quiz service, as `GET /api/v1/quizzes`. */
  requests: string[];
  setServiceFault: (fault: ServiceFault | undefined, matches?: (request: string) => boolean) => void;
  /** Holds the next matching request that changes something before the quiz service has it. */
  holdChange: RecordingProxy['holdChange'];
}

/** What stands around bots, however they run. */
export interface SurroundingsOptions {
  /** How Slack reaches the bots. Default: HTTP. */
  mode?: 'http' | 'socket';
  workspace?: Partial<WorkspaceOptions>;
  quizService?: Partial<QuizServiceOptions>;
  /** Which face the quiz service shows. Default: smooth. */
  account?: 'smooth' | 'rough' | undefined;
  /** For what the app is installed. Default: the workspace. */
  installation?: 'workspace' | 'organization' | undefined;
  /** Whether messages link to the page of each quiz, as in the sandbox. Default: no links. */
  hasQuizLinks?: boolean;
  /** Whether the quiz service takes 60 requests a minute, as the real one, and the bot keeps to that. */
  hasRequestLimit?: boolean;
  env?: Record<string, string>;
}

export interface TestBedOptions extends SurroundingsOptions {
  /** Changes the account before the bot reads it. */
  prepare?: (quizService: QuizService, workspace: Workspace) => void;
  now?: () => number;
  clock?: Clock;
  timeouts?: NonNullable<Parameters<typeof createApp>[0]['timeouts']>;
}

export const [botToken, signingSecret] = ['xoxb-of-the-test-bed', 'signing-secret-of-the-test-bed'];
const [appToken, apiKey] = ['xapp-of-the-test-bed', 'key-of-the-test-bed'];

/** An organization that has the app in one workspace, the sandbox's own. */
export const organization = { id: 'E0SANDBOX', name: 'Sandbox organization', isInstalledForAll: true };

type OnClose = (cleanUp: () => void | Promise<void>) => void;

/**
 * Starts a workspace and a quiz service.
 *
 * @param onClose registers a cleanup step; the caller runs the steps in reverse order
 * @returns them, and what a bot has in its environment, but for its folder and where it listens
 */
export async function openSurroundings(options: SurroundingsOptions, onClose: OnClose) {
  const { mode = 'http', hasRequestLimit = true } = options;
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken,
    signingSecret,
    ...(mode === 'socket' && { appToken }),
    ...(options.installation === 'organization' && { enterprise: organization }),
    ...options.workspace,
  });
  onClose(() => workspace.close());
  const quizService = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey,
    rough: options.account === 'rough' || undefined,
    ...(!hasRequestLimit && { ratePerMinute: 100_000, ratePerHour: 1_000_000 }),
    ...options.quizService,
  });
  onClose(() => quizService.close());
  const env = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_API_URL: workspace.apiUrl,
    ...(mode === 'socket' ? { SLACK_APP_TOKEN: appToken } : { SLACK_SIGNING_SECRET: signingSecret }),
    QUIZ_API_URL: quizService.url,
    QUIZ_API_KEY: apiKey,
    QUIZ_TIME_ZONE: quizService.timeZone,
    WEBHOOK_SECRET: webhookSecret,
    // Tests sign events of their own with the first scheme.
    WEBHOOK_SCHEME: [...new Set(['body', quizService.webhookScheme])].join(','),
    ALERTS_CHANNEL: workspace.channels.results.id,
    ...(options.hasQuizLinks && { QUIZ_TAKE_URL: `${quizService.url}/take/{quiz_id}` }),
  };
  return { workspace, quizService, env };
}

/** @param onClose registers a cleanup step; the caller runs the steps in reverse order */
export async function openTestBed(options: TestBedOptions, onClose: OnClose): Promise<TestBed> {
  const { workspace, quizService, env } = await openSurroundings(options, onClose);
  options.prepare?.(quizService, workspace);
  const proxy = await startRecordingProxy(quizService.url);
  onClose(() => proxy.close());
  const dataDir = mkdtempSync(join(tmpdir(), 'invigilator-'));
  onClose(() => rmSync(dataDir, { recursive: true, force: true }));

  const { log, lines } = recordingLog();
  const app = await createApp({
    config: readConfig({
      ...env,
      QUIZ_API_URL: proxy.url,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      ...options.env,
    }),
    log,
    clock: { ...(options.clock ?? systemClock), ...(options.now && { now: options.now }) },
    ...(options.timeouts && { timeouts: options.timeouts }),
    ...(options.hasRequestLimit === false && { budget: createOpenBudget() }),
  });
  const url = `http://127.0.0.1:${await app.start()}`;
  onClose(() => app.stop());
  if (options.mode !== 'socket') workspace.setBot(`${url}/slack/events`);
  quizService.setWebhook({ url: `${url}/webhooks/quiz`, secret: webhookSecret });
  const { requests, setFault: setServiceFault, holdChange } = proxy;
  return { workspace, quizService, url, lines, requests, setServiceFault, holdChange };
}

/** The text and the blocks of a message as JSON. */
export function textOf(message: { text?: string; blocks?: unknown } | undefined): string {
  return JSON.stringify([message?.text, message?.blocks]);
}

/** The manifest of an app for agents over HTTP or for steps of workflows, as `npm run manifest` prints it. @returns its path */
export function manifestWith(feature: 'agents' | 'steps'): string {
  const isForAgents = feature === 'agents';
  const text = manifestText(readFileSync('manifest.yml', 'utf8'), {
    names: standardNames,
    eventsUrl: isForAgents ? 'https://invigilator.example/slack/events' : undefined,
    agentsUrl: isForAgents ? 'https://invigilator.example/mcp' : undefined,
    hasSteps: feature === 'steps',
  });
  const path = join(tmpdir(), `invigilator-manifest-${createHash('sha256').update(text).digest('hex')}.yml`);
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}
