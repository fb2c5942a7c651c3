import { setTimeout as pause } from 'node:timers/promises';
import { createChance, type Chance } from '../../src/sandbox/quiz-service/sample/chance.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { announcements, countAnnounced, reckon, type Reckoning } from './announced.ts';
import { openBlackBox, type BlackBoxOptions } from './black-box.ts';
import type { DurableRedis } from './durable-redis.ts';
import type { MortalBot } from './mortal-bot.ts';
import { createWebhookSender, type WebhookSender } from './webhook-sender.ts';

export interface StormOptions extends Pick<BlackBoxOptions, 'store' | 'instances'> {
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

export interface StormOutcome extends Reckoning {
  seed: number;
  events: number;
  messages: number;
  /** Deliveries the service had to make again. */
  redelivered: number;
  /** What a bot said last; only where something is wrong. */
  lastWords: string;
  /** Where the logs are; only where something is wrong, they are deleted otherwise. */
  logs: string;
}

const betweenKillsMs = { least: 50, most: 1_200 };
/** With the time that a start takes: how long the sending goes on for each kill. */
const msPerKill = 1_500;
/** With nothing new in the channel for so long, what is missing counts as lost. */
const patienceMs = 60_000;
/** Longer than a bot waits until it looks a message up that it may have posted. */
const silenceMs = 4_000;

/**
 * Sends events to bots that are killed while they take and post them, until everything is announced or nothing
 * happens any more, and reckons up what the channel heard. Bot and Redis are real processes over real HTTP.
 */
export async function runStorm(options: StormOptions): Promise<StormOutcome> {
  const chance = createChance(options.seed);
  const { workspace, bots, redis, folder, close } = await openBlackBox(options);
  const sender = createWebhookSender(() => chance.pick(bots).url, chance);
  let isWrong = true;
  try {
    if (options.slackFails) injectFaults(workspace, chance);
    await Promise.all([sendAll(sender, options), strike(options, { bots, redis, workspace, chance })]);
    await untilAllIsAnnounced(workspace, options.events);
    // Whoever starts now finds nothing left to do.
    await Promise.all(bots.map((bot) => bot.kill()));
    await Promise.all(bots.map((bot) => bot.start()));
    await pause(silenceMs);

    const read = announcements(workspace.messages(workspace.channels.results.id));
    const reckoning = reckon(read, sender.sendings);
    isWrong = reckoning.lost + reckoning.doubled + reckoning.disordered > 0;
    return {
      ...reckoning,
      seed: options.seed,
      events: options.events,
      messages: read.length,
      redelivered: sender.redelivered,
      lastWords: isWrong ? bots.map((bot) => bot.lastWords()).join('\n---\n') : '',
      logs: isWrong ? folder : '',
    };
  } finally {
    await sender.close();
    await close({ keepFolder: isWrong });
  }
}

/** One line: what must be 0, and what it takes to see it again. */
export function describeStorm({ events, kills, redisKills }: StormOptions, outcome: StormOutcome): string {
  const { lost, doubled, disordered, messages, unnamed, redelivered, seed } = outcome;
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
  bots: readonly MortalBot[];
  redis: DurableRedis | undefined;
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
      await redis?.killAndRestart();
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
async function killAsItPosts(bot: MortalBot, workspace: Workspace, chance: Chance): Promise<void> {
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
  await Promise.race([struck.promise, pause(betweenKillsMs.most)]);
  takeAway();
}

function injectFaults(workspace: Workspace, chance: Chance): void {
  const often = (share: number) => ({ when: () => chance.number() < share });
  for (const method of ['chat.postMessage', 'conversations.history']) {
    workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 1 }, { method, ...often(0.1) });
    workspace.faults.inject({ kind: 'http-error', status: 500 }, { method, ...often(0.1) });
    workspace.faults.inject({ kind: 'lost-answer' }, { method, ...often(0.1) });
    workspace.faults.inject({ kind: 'lost-request' }, { method, ...often(0.1) });
  }
}

async function untilAllIsAnnounced(workspace: Workspace, events: number): Promise<void> {
  const announced = () => countAnnounced(announcements(workspace.messages(workspace.channels.results.id)));
  for (let last = -1; last < announced() && last < events; ) {
    last = announced();
    if (last < events) await workspace.until(() => announced() > last, patienceMs).catch(() => {});
  }
}

function shuffle<Item>(items: readonly Item[], chance: Chance): Item[] {
  return items
    .map((item) => ({ item, place: chance.number() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
