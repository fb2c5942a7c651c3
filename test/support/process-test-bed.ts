import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import type { Channel } from '../../src/sandbox/workspace/model.ts';
import { botUserId, people } from '../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { manifestWith, openSurroundings, type SurroundingsOptions } from './open-test-bed.ts';
import { createKillableBot, untilReady, type KillableBot } from './killable-bot.ts';
import { startRedis, type TestRedis } from './redis.ts';

export { botToken, signingSecret } from './open-test-bed.ts';

/** A channel and the quiz it subscribes to. */
export interface QuizChannel {
  channel: Channel;
  quiz: { id: string; name: string };
}

/** One person alone may not ask the quiz service as much within a minute as 50 subscriptions do. */
const subscribers = [people.ada.id, people.tom.id];

export function planQuizChannels(count: number): QuizChannel[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    return {
      channel: {
        id: `C0DRILL${number}`,
        name: `drill-${number}`,
        kind: 'public',
        members: [...subscribers, botUserId],
      },
      quiz: { id: `10000000-0000-4000-8000-000000000${number}`, name: `Drill ${number}` },
    };
  });
}

/** Processes of bots, and what they share. */
export interface BotProcesses extends AsyncDisposable {
  /** All started. */
  bots: readonly KillableBot[];
  redis: TestRedis | undefined;
  /** The folder of the logs and of the bots' store. */
  folder: string;
  close(options?: { keepFolder?: boolean }): Promise<void>;
}

/** A workspace and an account of a bot. */
export interface BotSurroundings {
  workspace: Workspace;
  quizService: QuizService;
  /** Where a process takes the webhooks of the account, and with which secret. Default: those of a single bot. */
  webhook?: { path: string; secret: string };
}

/** Bots in their own processes, with a sandbox workspace and a sandbox quiz service. */
export interface ProcessTestBed extends BotProcesses, BotSurroundings {
  /** The only one. */
  workspaces: readonly Workspace[];
}

export interface ProcessTestBedOptions extends Omit<SurroundingsOptions, 'workspace' | 'quizService'> {
  store: 'sqlite' | 'redis';
  /** When Redis has a write on its disk: before its answer, as by default, or within a second. */
  redisSync?: 'always' | 'everysec';
  /** The number of bots that share the store. More than one needs Redis. Default: 1. */
  instances?: number;
  /** Channels to create in addition to the sample ones, each subscribed to its quiz. */
  quizChannels?: readonly QuizChannel[];
  /** The manifest of the app. Default: manifest.yml, or that for agents with MCP_ENABLED. */
  manifestPath?: string;
  /** The clock of the workspace, the quiz service and the bots. Default: the system's. */
  clock?: Pick<SandboxClock, 'now' | 'after' | 'nodeFlags' | 'lead'> | undefined;
  /** Runs before the bots start, with the place of their store. */
  beforeStart?: (
    store: { DATA_DIR?: string; REDIS_URL?: string },
    testBed: Pick<ProcessTestBed, 'workspace' | 'quizService'>,
  ) => Promise<void>;
  nodeOptions?: readonly string[];
  /** Makes a bot. Default: in a process of its own. */
  createBot?: (options: { env: Record<string, string>; logFile: string }) => Promise<KillableBot>;
  /** Where the bots reach the quiz service, such as through a proxy. @param url of the service */
  serviceUrl?: (url: string) => Promise<string>;
  /** What the addresses of Slack and of the service begin with, where a proxy leads there. Default: where they listen. */
  publicUrls?: { slack: string; service: string };
  /** Where the bots reach Slack. @param origin of the workspace */
  slackUrl?: (origin: string) => Promise<string>;
}

/** What bots in processes of their own have around them. */
interface Around<Surroundings> {
  surroundings: Surroundings;
  /** What the process with this number has in its environment, counted from 0. */
  envOf(index: number): Record<string, string>;
  /** Called when the bots answer. Resolves when they are ready. */
  connect(bots: readonly KillableBot[]): Promise<unknown>;
}

/** @param surround is called with the folder of the logs and the Redis, if bots share one, and registers what has to be closed */
export async function openBotProcesses<Surroundings>(
  options: Pick<ProcessTestBedOptions, 'store' | 'redisSync' | 'instances' | 'nodeOptions' | 'createBot' | 'clock'>,
  surround: (
    place: Pick<BotProcesses, 'folder' | 'redis'>,
    onClose: (cleanUp: () => unknown) => void,
  ) => Promise<Around<Surroundings>>,
): Promise<BotProcesses & Surroundings> {
  const { nodeOptions, clock, createBot } = options;
  const cleanups: (() => unknown)[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-test-bed-'));
  const close: BotProcesses['close'] = async ({ keepFolder = false } = {}) => {
    for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
    if (!keepFolder) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const redis = options.store === 'redis' ? await openRedis(folder, options.redisSync) : undefined;
    if (redis) cleanups.push(() => redis.stop());
    const { surroundings, envOf, connect } = await surround({ folder, redis }, (cleanUp) => cleanups.push(cleanUp));
    const create = createBot ?? ((of) => createKillableBot({ ...of, nodeOptions: nodeOptions ?? [], clock }));
    const bots = await Promise.all(
      Array.from({ length: options.instances ?? 1 }, (_, index) =>
        create({
          env: { ...(redis && { REDIS_URL: redis.url }), ...envOf(index) },
          logFile: join(folder, `bot-${index + 1}.log`),
        }),
      ),
    );
    // Node writes profiles only on a regular exit.
    const isStopped = nodeOptions !== undefined || createBot !== undefined;
    cleanups.push(() => Promise.all(bots.map((bot) => (isStopped ? bot.stop() : bot.kill()))));
    await Promise.all(bots.map((bot) => bot.start()));
    await connect(bots);
    return { ...surroundings, bots, redis, folder, close, [Symbol.asyncDispose]: () => close() };
  } catch (error) {
    await close({ keepFolder: true });
    throw error;
  }
}

export async function openProcessTestBed(options: ProcessTestBedOptions): Promise<ProcessTestBed> {
  const { quizChannels = [], mode = 'http', clock } = options;
  return openBotProcesses(options, async ({ folder, redis }, onClose) => {
    const { workspace, quizService, env } = await openSurroundings(
      {
        ...options,
        hasRequestLimit: options.hasRequestLimit ?? false,
        workspace: {
          manifestPath:
            options.manifestPath ?? (options.env?.['MCP_ENABLED'] === 'true' ? manifestWith('agents') : 'manifest.yml'),
          ...(options.publicUrls && { publicUrl: options.publicUrls.slack }),
          channels: quizChannels.map(({ channel }) => channel),
          ...(clock && { clock }),
        },
        quizService: {
          ...(options.publicUrls && { publicUrl: options.publicUrls.service }),
          ...(clock && timeOfService(clock)),
        },
      },
      onClose,
    );
    for (const { quiz } of quizChannels) addOpenQuiz(quizService, quiz);
    const slackUrl = await options.slackUrl?.(new URL(workspace.apiUrl).origin);
    const ofBot = {
      ...env,
      ...(slackUrl !== undefined && { SLACK_API_URL: `${slackUrl}/api/` }),
      QUIZ_API_URL: (await options.serviceUrl?.(quizService.url)) ?? quizService.url,
      ...(quizChannels.length > 0 && { OWNERS: subscribers.join() }),
      DATA_DIR: join(folder, 'kept'),
      ...(redis && { REDIS_URL: redis.url }),
      ...options.env,
    };
    await options.beforeStart?.(ofBot, { workspace, quizService });
    return {
      surroundings: { workspace, quizService, workspaces: [workspace] },
      envOf: () => ofBot,
      async connect(bots) {
        if (mode === 'http') workspace.setBot(`${bots[0]?.url}/slack/events`);
        else await workspace.until(() => workspace.sockets === bots.length);
        await Promise.all(bots.map(untilReady));
        await subscribeQuizChannels(workspace, quizChannels);
      },
    };
  });
}

/** The options of a quiz service that goes by a clock. */
export const timeOfService = (clock: NonNullable<ProcessTestBedOptions['clock']>) => ({
  now: clock.now,
  startTimer: (wake: () => void, delayMs: number) => clock.after(delayMs, wake),
});

/** Adds a quiz to an account. */
export function addOpenQuiz({ database }: Pick<QuizService, 'database'>, { id, name }: QuizChannel['quiz']): void {
  addQuiz(database, { quiz_id: id, name, status: 'open', date_created: '2026-01-01 00:00:00' });
}

/** Subscribes each channel to its quiz with a command by an administrator, another one in turn. */
async function subscribeQuizChannels(workspace: Workspace, quizChannels: readonly QuizChannel[]): Promise<void> {
  for (const [index, { channel, quiz }] of quizChannels.entries()) {
    const person = workspace.as(subscribers[index % subscribers.length]!);
    const outcome = await person.command(`/quiz-alerts subscribe "${quiz.name}" each`, { channel: channel.id });
    await outcome.reply();
    await workspace.until(() => workspace.messages(channel.id).length > 0);
  }
}

/** A Redis that keeps its data in the folder of a test bed. */
async function openRedis(folder: string, sync?: ProcessTestBedOptions['redisSync']): Promise<TestRedis> {
  const directory = join(folder, 'redis');
  mkdirSync(directory);
  return startRedis(directory, sync);
}

/** Adds a person to the workspace and their user to the account. */
export function addAccountPerson(
  { workspace, quizService: { database } }: Pick<ProcessTestBed, 'workspace' | 'quizService'>,
  { personId, userId, timeZone = 'Etc/UTC' }: { personId: string; userId: string; timeZone?: string },
): void {
  const email = `${userId}@quiz.example`;
  workspace.setPerson({ id: personId, name: userId, realName: userId, title: 'Member', email, timeZone });
  database.run(
    "INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, date_created) VALUES (?, ?, ?, 'respondent', ?, 'Member', ?, '2026-01-01 00:00:00')",
    [userId, email, email, email, userId],
  );
}
