import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom as createChance, type SeededRandom as Chance } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { announcements, countAnnounced, reckon, type Reckoning, type Sending } from './announced.ts';
import { openProcessTestBed, type ProcessTestBedOptions } from './process-test-bed.ts';
import type { KillableBot } from './killable-bot.ts';
import { numberOf } from './numbered-person.ts';
import type { TestRedis } from './redis.ts';
import { planRooms, type Room } from './rooms.ts';
import { createWebhookSender, type WebhookSender } from './webhook-sender.ts';

export interface StormOptions extends Pick<ProcessTestBedOptions, 'store' | 'instances'> {
  /** Decides what happens when; how the processes interleave, it cannot decide. */
  seed: number;
  events: number;
  /** How often a bot is killed and started again. */
  kills: number;
  /** How often Redis is killed and started again. */
  redisKills?: number;
  /** Slack answers 429 and 500 at random, cuts connections, and loses answers after taking messages. */
  slackFails?: boolean;
}

export interface StormOutcome extends Pick<Reckoning, 'lost' | 'doubled' | 'disordered' | 'unnamed' | 'messages'> {
  /** Of each channel. */
  reckonings: Reckoning[];
  /** Deliveries the service had to make again. */
  redelivered: number;
  /** What a bot said last; only where something is wrong. */
  lastWords: string;
  /** Where the logs are; only where something is wrong, they are deleted otherwise. */
  logs: string;
}

/** Each hears of a quiz of its own, while the channel that the configuration names hears of all: every event has two messages to be in. */
const rooms = planRooms(4);
/** Less than a bot waits until it looks a message up, and more. */
const betweenKillsMs = { least: 50, most: 3_500 };
/** With the time that a start takes: how long the sending goes on for each kill. */
const msPerKill = 2_500;
/** With nothing new in the channel for so long, what is missing counts as lost. */
const timeoutMs = 60_000;
/** Longer than a bot waits until it looks a message up that it may have posted. */
const silenceMs = 4_000;
/** Of each kind of fault, of all calls. */
const faultShare = 0.06;
const postWithinMs = 1_500;

/**
 * Sends events to bots that are killed while they take and post them, until everything is announced or nothing
 * happens any more, and reckons up what the channel heard. Bot and Redis are real processes over real HTTP.
 */
export async function runStorm(options: StormOptions): Promise<StormOutcome> {
  const chance = createChance(options.seed);
  const { workspace, bots, redis, folder, close } = await openProcessTestBed({ ...options, rooms });
  const sender = createWebhookSender({ target: () => chance.pick(bots).url, quizOf: (number) => roomOf(number).quiz, chance });
  let isWrong = true;
  try {
    if (options.slackFails) injectFaults(workspace, chance);
    await Promise.all([sendAll(sender, options), strike(options, { bots, redis, workspace, chance })]);
    const channels = [workspace.channels.results.id, ...rooms.map(({ channel }) => channel.id)];
    await untilAllIsAnnounced(workspace, channels, 2 * options.events);
    // Whoever starts now finds nothing left to do.
    await Promise.all(bots.map((bot) => bot.kill()));
    await Promise.all(bots.map((bot) => bot.start()));
    await pause(silenceMs);

    const reckonings = channels.map((id) => reckon(announcements(workspace.messages(id)), expectedIn(id, sender.sendings)));
    const sum = (what: 'lost' | 'doubled' | 'disordered' | 'unnamed' | 'messages') => reckonings.reduce((total, one) => total + one[what], 0);
    const wrong = { lost: sum('lost'), doubled: sum('doubled'), disordered: sum('disordered') };
    isWrong = Object.values(wrong).some((count) => count > 0);
    return {
      ...wrong,
      messages: sum('messages'),
      unnamed: sum('unnamed'),
      redelivered: sender.redelivered,
      reckonings,
      lastWords: isWrong ? bots.map((bot) => bot.lastWords()).join('\n---\n') : '',
      logs: isWrong ? folder : '',
    };
  } finally {
    await sender.close();
    await close({ keepFolder: isWrong });
  }
}

/** One line: what must be 0, and what it takes to see it again. */
export function describeStorm({ events, kills, redisKills, seed }: StormOptions, outcome: StormOutcome): string {
  const { lost, doubled, disordered, messages, unnamed, redelivered } = outcome;
  const redis = redisKills ? `, Redis killed ${redisKills} times` : '';
  return `lost ${lost}, doubled ${doubled}, out of order ${disordered} (${events} events, ${kills} kills${redis}; ${messages} messages, ${unnamed} only counted, ${redelivered} redelivered, seed ${seed})`;
}

async function sendAll(sender: WebhookSender, { events, kills }: StormOptions): Promise<void> {
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

interface Scene {
  bots: readonly KillableBot[];
  redis: TestRedis | undefined;
  workspace: Workspace;
  chance: Chance;
}

/** Kills one after the other, at moments of every kind, and starts again; some are killed again while they start. */
async function strike({ kills, redisKills = 0 }: StormOptions, { bots, redis, workspace, chance }: Scene): Promise<void> {
  const order = shuffle([...Array<'bot'>(kills).fill('bot'), ...Array<'redis'>(redisKills).fill('redis')], chance);
  const starts: Promise<void>[] = [];
  for (const whom of order) {
    await pause(chance.between(betweenKillsMs.least, betweenKillsMs.most));
    if (whom === 'redis') {
      await redis?.kill();
      await redis?.startAgain();
      continue;
    }
    const bot = chance.pick(bots);
    if (chance.number() < 0.5) await killAsItPosts(bot, workspace, chance);
    await bot.kill();
    const start = bot.start();
    starts.push(start);
    if (chance.number() < 0.75) await start;
  }
  await Promise.all(starts);
}

/** Kills when a message comes to Slack: half of them are taken and nobody hears the answer, half never arrive. */
async function killAsItPosts(bot: KillableBot, workspace: Workspace, chance: Chance): Promise<void> {
  const struck = Promise.withResolvers<void>();
  const takeAway = workspace.faults.inject(
    { kind: chance.pick(['lost-answer', 'lost-request'] as const) },
    {
      method: 'chat.postMessage',
      times: 1,
      when: () => {
        void bot.kill();
        struck.resolve();
        return true;
      },
    },
  );
  await Promise.race([struck.promise, pause(postWithinMs)]);
  takeAway();
}

function injectFaults(workspace: Workspace, chance: Chance): void {
  const often = (share: number) => ({ when: () => chance.number() < share });
  for (const method of ['chat.postMessage', 'conversations.history']) {
    workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 1 }, { method, ...often(faultShare) });
    workspace.faults.inject({ kind: 'http-error', status: 500 }, { method, ...often(faultShare) });
    workspace.faults.inject({ kind: 'lost-answer' }, { method, ...often(faultShare) });
    workspace.faults.inject({ kind: 'lost-request' }, { method, ...often(faultShare) });
  }
}

async function untilAllIsAnnounced(workspace: Workspace, channels: readonly string[], expected: number): Promise<void> {
  const announced = () => countAnnounced(channels.flatMap((id) => announcements(workspace.messages(id))));
  for (let last = -1; last < announced() && last < expected; ) {
    last = announced();
    if (last < expected) await workspace.until(() => announced() > last, timeoutMs).catch(() => {});
  }
}

const roomOf = (number: number): Room => rooms[number % rooms.length]!;

function expectedIn(channelId: string, sendings: ReadonlyMap<string, Sending>): ReadonlyMap<string, Sending> {
  const room = rooms.find(({ channel }) => channel.id === channelId);
  return room ? new Map([...sendings].filter(([name]) => roomOf(numberOf(name)) === room)) : sendings;
}

function shuffle<Item>(items: readonly Item[], chance: Chance): Item[] {
  return items
    .map((item) => ({ item, place: chance.number() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
