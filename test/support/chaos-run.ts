import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { compareDelivery, countAnnounced, readAnnouncements, type DeliveryReport, type Sending } from './delivery-report.ts';
import { numberOfName } from './event.ts';
import type { KillableBot } from './killable-bot.ts';
import { openProcessTestBed, planQuizChannels, type ProcessTestBedOptions, type QuizChannel } from './process-test-bed.ts';
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
  /** Makes Slack return random 429s and 500s, drop connections, and lose responses after accepting messages. */
  slackFails?: boolean;
}

export interface ChaosOutcome extends Pick<DeliveryReport, 'lost' | 'duplicated' | 'outOfOrder' | 'unnamed' | 'messages'> {
  /** One report per channel. */
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
const timeoutMs = 60_000;
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
  const { workspace, bots, redis, folder, close } = await openProcessTestBed({ ...options, quizChannels });
  const sender = createWebhookSender({ target: () => random.pick(bots).url, quizOf: (number) => quizChannelOf(number).quiz, random });
  let hasErrors = true;
  try {
    if (options.slackFails) injectFaults(workspace, random);
    await Promise.all([sendAll(sender, options), killRepeatedly(options, { bots, redis, workspace, random })]);
    const channelIds = [workspace.channels.results.id, ...quizChannels.map(({ channel }) => channel.id)];
    await untilAllIsAnnounced(workspace, channelIds, 2 * options.events);
    // Bots that start now must find nothing left to post.
    await Promise.all(bots.map((bot) => bot.kill()));
    await Promise.all(bots.map((bot) => bot.start()));
    await pause(settleMs);

    const reports = channelIds.map((id) => compareDelivery(readAnnouncements(workspace.messages(id)), expectedIn(id, sender.sendings)));
    const sum = (key: 'lost' | 'duplicated' | 'outOfOrder' | 'unnamed' | 'messages') => reports.reduce((total, report) => total + report[key], 0);
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
async function killRepeatedly({ kills, redisKills = 0 }: ChaosOptions, { bots, redis, workspace, random }: ChaosTargets): Promise<void> {
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
  for (const method of ['chat.postMessage', 'conversations.history']) {
    workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 1 }, { method, ...often(faultShare) });
    workspace.faults.inject({ kind: 'http-error', status: 500 }, { method, ...often(faultShare) });
    workspace.faults.inject({ kind: 'lost-answer' }, { method, ...often(faultShare) });
    workspace.faults.inject({ kind: 'lost-request' }, { method, ...often(faultShare) });
  }
}

async function untilAllIsAnnounced(workspace: Workspace, channelIds: readonly string[], expected: number): Promise<void> {
  const announced = () => countAnnounced(channelIds.flatMap((id) => readAnnouncements(workspace.messages(id))));
  for (let last = -1; last < announced() && last < expected; ) {
    last = announced();
    if (last < expected) await workspace.until(() => announced() > last, timeoutMs).catch(() => {});
  }
}

const quizChannelOf = (number: number): QuizChannel => quizChannels[number % quizChannels.length]!;

function expectedIn(channelId: string, sendings: ReadonlyMap<string, Sending>): ReadonlyMap<string, Sending> {
  const quizChannel = quizChannels.find(({ channel }) => channel.id === channelId);
  return quizChannel ? new Map([...sendings].filter(([name]) => quizChannelOf(numberOfName(name)) === quizChannel)) : sendings;
}

function shuffle<Item>(items: readonly Item[], random: SeededRandom): Item[] {
  return items
    .map((item) => ({ item, place: random.number() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
