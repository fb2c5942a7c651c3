import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import {
  compareDelivery,
  countAnnounced,
  readAnnouncements,
  type DeliveryReport,
  type Sending,
} from './delivery-report.ts';
import { numberedName, numberOfName } from './event.ts';
import { fastProcessClock } from './fast-process-clock.ts';
import type { KillableBot } from './killable-bot.ts';
import {
  openProcessTestBed,
  planQuizChannels,
  type ProcessTestBed,
  type ProcessTestBedOptions,
  type QuizChannel,
} from './process-test-bed.ts';
import type { TestRedis } from './redis.ts';
import { createWebhookSender, type WebhookSender } from './webhook-sender.ts';

export interface ChaosOptions extends Pick<ProcessTestBedOptions, 'store' | 'instances'> {
  /** Repeats the order and the delays of all actions, but not the scheduling of the processes. */
  seed: number;
  events: number;
  /** How often a bot is killed and restarted. */
  kills: number;
  /** How often Redis is killed and restarted. */
  redisKills?: number;
  /** Sends the results to this many respondents instead of channels: each event is announced once, to its respondent. */
  respondents?: number;
  /** Makes Slack return random 429s and 500s, drop connections, and lose responses after accepting messages. */
  slackFails?: boolean;
  /** How much faster than the system's the time of the bots and of Slack runs: a bot looks for 40 seconds for a message whose answer was lost. Default: 1. */
  clockRate?: number;
}

export interface ChaosOutcome extends Pick<
  DeliveryReport,
  'lost' | 'duplicated' | 'outOfOrder' | 'unnamed' | 'messages'
> {
  /** One report per channel or respondent. */
  reports: DeliveryReport[];
  /** Deliveries that the sender repeated. */
  redelivered: number;
  /** The last log lines of each bot; empty after a run without errors. */
  lastLogLines: string;
  /** The folder of the logs; empty after a run without errors, which deletes it. */
  logFolder: string;
}

/** Each channel subscribes to its own quiz and ALERTS_CHANNEL to every quiz, so two messages announce each event. */
const quizChannels = planQuizChannels(4);
/** Both shorter and longer than a bot waits before it looks up a message. */
const betweenKillsMs = { min: 50, max: 3_500 };
/** Sending time per kill, including the restart. */
const msPerKill = 2_500;
/** Missing announcements count as lost after this time without a new message. */
const timeoutMs = 120_000;
/** Longer than a bot waits before it looks up a message that it may have posted. */
const settleMs = 4_000;
/** The share of calls that fail with each kind of fault. */
const faultShare = 0.06;
const maxWaitForPostMs = 1_500;

/**
 * Sends events to bots while killing them, and compares the announcements with the events. The run ends when every
 * event is announced, or when no new message has arrived for 60 seconds. Bots and Redis run in their own processes.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const random = createSeededRandom(options.seed);
  const { respondents, clockRate = 1 } = options;
  const clock = clockRate === 1 ? undefined : fastProcessClock(clockRate);
  const testBed = await openProcessTestBed({
    ...options,
    clock,
    ...(respondents === undefined ? { quizChannels } : { env: { ALERTS_CHANNEL: '' } }),
  });
  const { workspace, bots, redis, folder, close } = testBed;
  const conversations = respondents === undefined ? channelsIn(workspace) : addRespondents(testBed, respondents);
  const sender = createWebhookSender({
    target: () => random.pick(bots).url,
    // A direct message names the quiz alone.
    quizOf: (number) =>
      respondents === undefined ? quizChannelOf(number).quiz : { id: 'q-1', name: numberedName(number) },
    userOf: (number) => (respondents === undefined ? null : respondentId(number % respondents)),
    random,
  });
  let hasErrors = true;
  try {
    if (options.slackFails) injectFaults(workspace, random);
    await Promise.all([sendAll(sender, options), killRepeatedly(options, { bots, redis, workspace, random })]);
    await untilAllIsAnnounced(workspace, conversations, (respondents === undefined ? 2 : 1) * options.events);
    // Bots that start now must find nothing left to post.
    await Promise.all(bots.map((bot) => bot.kill()));
    await Promise.all(bots.map((bot) => bot.start()));
    await pause(settleMs / clockRate);

    const reports = conversations.map(({ messages, isFor }) =>
      compareDelivery(readAnnouncements(messages()), expectedOf(isFor, sender.sendings)),
    );
    const sum = (key: 'lost' | 'duplicated' | 'outOfOrder' | 'unnamed' | 'messages') =>
      reports.reduce((total, report) => total + report[key], 0);
    const errors = { lost: sum('lost'), duplicated: sum('duplicated'), outOfOrder: sum('outOfOrder') };
    hasErrors = Object.values(errors).some((count) => count > 0);
    return {
      ...errors,
      messages: sum('messages'),
      unnamed: sum('unnamed'),
      redelivered: sender.redelivered,
      reports,
      lastLogLines: hasErrors ? bots.map((bot) => bot.lastLogLines()).join('\n---\n') : '',
      logFolder: hasErrors ? folder : '',
    };
  } finally {
    await sender.close();
    await close({ keepFolder: hasErrors });
  }
}

/** Prints a summary of the run and, after errors, the last log lines of the bots and the folder of the logs. */
export async function runAndDescribeChaos(
  options: ChaosOptions,
): Promise<Pick<ChaosOutcome, 'lost' | 'duplicated' | 'outOfOrder'>> {
  const outcome = await runChaos(options);
  const { lost, duplicated, outOfOrder, logFolder, lastLogLines } = outcome;
  const summary = [describeChaos(options, outcome), logFolder, lastLogLines].filter((part) => part !== '');
  process.stdout.write(`${summary.join('\n')}\n`);
  return { lost, duplicated, outOfOrder };
}

/** Summarizes a run in one line: the error counts and everything needed to repeat the run. */
export function describeChaos({ events, kills, redisKills, seed }: ChaosOptions, outcome: ChaosOutcome): string {
  const { lost, duplicated, outOfOrder, messages, unnamed, redelivered } = outcome;
  const redis = redisKills ? `, Redis killed ${redisKills} times` : '';
  return `lost ${lost}, duplicated ${duplicated}, out of order ${outOfOrder} (${events} events, ${kills} kills${redis}; ${messages} messages, ${unnamed} only counted, ${redelivered} redelivered, seed ${seed})`;
}

async function sendAll(sender: WebhookSender, { events, kills }: ChaosOptions): Promise<void> {
  const begin = performance.now();
  const betweenMs = (kills * msPerKill) / events;
  const sent: Promise<void>[] = [];
  for (let number = 1; number <= events; number += 1) {
    const dueMs = begin + number * betweenMs;
    if (dueMs > performance.now()) await pause(dueMs - performance.now());
    sent.push(sender.send(number));
  }
  await Promise.all(sent);
}

interface ChaosTargets {
  bots: readonly KillableBot[];
  redis: TestRedis | undefined;
  workspace: Workspace;
  random: SeededRandom;
}

/** Kills and restarts the bots and Redis one at a time, at random moments. Kills some bots again while they start. */
async function killRepeatedly(
  { kills, redisKills = 0 }: ChaosOptions,
  { bots, redis, workspace, random }: ChaosTargets,
): Promise<void> {
  const victims = shuffle([...Array<'bot'>(kills).fill('bot'), ...Array<'redis'>(redisKills).fill('redis')], random);
  const starts: Promise<void>[] = [];
  for (const victim of victims) {
    await pause(random.between(betweenKillsMs.min, betweenKillsMs.max));
    if (victim === 'redis') {
      await redis?.kill();
      await redis?.startAgain();
      continue;
    }
    const bot = random.pick(bots);
    if (random.number() < 0.5) await killDuringPost(bot, workspace, random);
    await bot.kill();
    const start = bot.start();
    starts.push(start);
    if (random.number() < 0.75) await start;
  }
  await Promise.all(starts);
}

/** Kills the bot while it posts. Slack accepts half of these messages and never receives the other half. */
async function killDuringPost(bot: KillableBot, workspace: Workspace, random: SeededRandom): Promise<void> {
  const killed = Promise.withResolvers<void>();
  const removeFault = workspace.faults.inject(
    { kind: random.pick(['lost-answer', 'lost-request'] as const) },
    {
      method: 'chat.postMessage',
      times: 1,
      when: () => {
        void bot.kill();
        killed.resolve();
        return true;
      },
    },
  );
  await Promise.race([killed.promise, pause(maxWaitForPostMs)]);
  removeFault();
}

function injectFaults(workspace: Workspace, random: SeededRandom): void {
  const often = (share: number) => ({ when: () => random.number() < share });
  for (const method of ['chat.postMessage', 'conversations.history', 'users.lookupByEmail', 'conversations.open']) {
    workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 1 }, { method, ...often(faultShare) });
    workspace.faults.inject({ kind: 'http-error', status: 500 }, { method, ...often(faultShare) });
    workspace.faults.inject({ kind: 'lost-answer' }, { method, ...often(faultShare) });
    workspace.faults.inject({ kind: 'lost-request' }, { method, ...often(faultShare) });
  }
}

async function untilAllIsAnnounced(
  workspace: Workspace,
  conversations: readonly Conversation[],
  expected: number,
): Promise<void> {
  const announced = () => countAnnounced(conversations.flatMap(({ messages }) => readAnnouncements(messages())));
  for (let last = -1; last < announced() && last < expected;) {
    last = announced();
    if (last < expected) await workspace.until(() => announced() > last, timeoutMs).catch(() => {});
  }
}

const quizChannelOf = (number: number): QuizChannel => quizChannels[number % quizChannels.length]!;

/** A channel, or the bot's direct messages with a person, and the numbers of the events that belong there. */
interface Conversation {
  messages: () => readonly Message[];
  isFor: (number: number) => boolean;
}

function channelsIn(workspace: Workspace): Conversation[] {
  const own = quizChannels.map((quizChannel) => ({
    messages: () => workspace.messages(quizChannel.channel.id),
    isFor: (number: number) => quizChannelOf(number) === quizChannel,
  }));
  return [{ messages: () => workspace.messages(workspace.channels.results.id), isFor: () => true }, ...own];
}

const respondentId = (index: number) => `u-respondent-${index}`;

/** Adds people to the workspace and to the account. The bots learn of them by asking the quiz service. */
function addRespondents(
  { workspace, quizService: { database } }: Pick<ProcessTestBed, 'workspace' | 'quizService'>,
  count: number,
): Conversation[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `U0RESPONDENT${index}`;
    const email = `respondent.${index}@quiz.example`;
    workspace.setPerson({
      id,
      name: `respondent-${index}`,
      realName: `Respondent ${index}`,
      title: 'Respondent',
      email,
      timeZone: 'Etc/UTC',
    });
    database.run(
      "INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, date_created) VALUES (?, ?, ?, 'respondent', ?, 'Respondent', ?, '2026-01-01 00:00:00')",
      [respondentId(index), email, email, email, String(index)],
    );
    return { messages: () => workspace.directMessages(id), isFor: (number: number) => number % count === index };
  });
}

const expectedOf = (
  isFor: Conversation['isFor'],
  sendings: ReadonlyMap<string, Sending>,
): ReadonlyMap<string, Sending> => new Map([...sendings].filter(([name]) => isFor(numberOfName(name))));

function shuffle<Item>(items: readonly Item[], random: SeededRandom): Item[] {
  return items
    .map((item) => ({ item, place: random.number() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
