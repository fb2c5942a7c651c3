import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startQuizService, type QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { webhookSecret } from './event.ts';
import { createKillableBot, type KillableBot } from './killable-bot.ts';
import { startRedis, type TestRedis } from './redis.ts';
import { addQuizzes, subscribeRooms, type Room } from './rooms.ts';

/** Bots as processes of their own, between a workspace and a quiz service: known from outside only. */
export interface ProcessTestBed {
  workspace: Workspace;
  quizService: QuizService;
  /** They are up. */
  bots: readonly KillableBot[];
  redis: TestRedis | undefined;
  /** Where logs are, and what the bots keep. */
  folder: string;
  close(options?: { keepFolder?: boolean }): Promise<void>;
}

export interface ProcessTestBedOptions {
  store: 'sqlite' | 'redis';
  /** Bots over one store; more than one only over Redis. Default: 1. */
  instances?: number;
  /** Channels that are subscribed to a quiz of their own, beside the sample ones. */
  rooms?: readonly Room[];
  /** Which face the quiz service shows. Default: smooth. */
  account?: 'smooth' | 'rough';
  env?: Record<string, string>;
  nodeOptions?: readonly string[];
}

export const signingSecret = 'signing-of-the-box';
const [botToken, apiKey] = ['xoxb-of-the-box', 'key-of-the-box'];

export async function openProcessTestBed(options: ProcessTestBedOptions): Promise<ProcessTestBed> {
  const { rooms = [] } = options;
  const takeDown: (() => Promise<unknown>)[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-box-'));
  const close: ProcessTestBed['close'] = async ({ keepFolder = false } = {}) => {
    for (const step of takeDown.splice(0).toReversed()) await step();
    if (!keepFolder) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const workspace = await startWorkspace({
      manifestPath: 'manifest.yml',
      botToken,
      signingSecret,
      channels: rooms.map(({ channel }) => channel),
    });
    takeDown.push(() => workspace.close());
    const quizService = await startQuizService({
      dataDir: ':memory:',
      apiKey,
      ratePerMinute: 100_000,
      ratePerHour: 1_000_000,
      rough: options.account === 'rough' || undefined,
    });
    takeDown.push(() => quizService.close());
    addQuizzes(quizService, rooms);
    const redis = options.store === 'redis' ? await openRedis(join(folder, 'redis')) : undefined;
    if (redis) takeDown.push(() => redis.stop());
    const env = {
      SLACK_API_URL: workspace.apiUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      QUIZ_API_URL: quizService.url,
      QUIZ_API_KEY: apiKey,
      QUIZ_TIME_ZONE: quizService.timeZone,
      WEBHOOK_SECRET: webhookSecret,
      WEBHOOK_SCHEME: quizService.webhookScheme,
      ALERTS_CHANNEL: workspace.channels.results.id,
      ...(redis ? { REDIS_URL: redis.url } : { DATA_DIR: join(folder, 'kept') }),
      ...options.env,
    };
    const bots = await Promise.all(
      Array.from({ length: options.instances ?? 1 }, (_, index) =>
        createKillableBot({ env, logFile: join(folder, `bot-${index + 1}.log`), nodeOptions: options.nodeOptions ?? [] }),
      ),
    );
    // What Node is told to write at its end, a profile say, it writes at an ordinary one only.
    takeDown.push(() => Promise.all(bots.map((bot) => (options.nodeOptions ? bot.stop() : bot.kill()))));
    await Promise.all(bots.map((bot) => bot.start()));
    workspace.setBot(`${bots[0]?.url}/slack/events`);
    await subscribeRooms(workspace, rooms);
    return { workspace, quizService, bots, redis, folder, close };
  } catch (error) {
    await close({ keepFolder: true });
    throw error;
  }
}

async function openRedis(directory: string): Promise<TestRedis> {
  mkdirSync(directory);
  return startRedis(directory);
}
