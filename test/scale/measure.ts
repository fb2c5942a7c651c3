import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { startBot } from '../../src/sandbox/bot-process.ts';
import { countAnnounced, readAnnouncements } from '../support/delivery-report.ts';
import { metricIn } from '../support/measurements.ts';
import { costOf } from '../support/process-cost.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { connectRedis, startRedis } from '../support/redis.ts';
import { numberedSubmission, sendEvent } from '../support/event.ts';
import { openTenantWorld } from '../support/tenant-world.ts';

/** What a process with idle tenants costs. */
export interface IdleCost {
  tenants: number;
  /** From the start of the process until every bot is up. */
  startMs: number;
  residentMB: number;
  cpuPercent: number;
  /** Of Redis; 0 over SQLite. */
  redisMB: number;
  redisConnections: number;
  redisCommandsASecond: number;
  /** Requests of all bots together. */
  slackAMinute: number;
  serviceAMinute: number;
  /** Of `/metrics`: the fastest of ten scrapes, and their series. */
  scrapeMs: number;
  series: number;
}

export interface IdleSize {
  /** What begins at the start is over. */
  settledAfterMs: number;
  measuredMs: number;
}

const fullSize: IdleSize = { settledAfterMs: 30_000, measuredMs: 60_000 };

/** Runs a process with tenants that nobody uses. */
export async function measureIdle(
  tenants: number,
  store: 'sqlite' | 'redis',
  size: IdleSize = fullSize,
): Promise<IdleCost> {
  const cleanUps: (() => void | Promise<void>)[] = [];
  try {
    return await measure(tenants, store, size, (cleanUp) => cleanUps.push(cleanUp));
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

async function measure(
  count: number,
  store: 'sqlite' | 'redis',
  { settledAfterMs, measuredMs }: IdleSize,
  onClose: (cleanUp: () => void | Promise<void>) => void,
): Promise<IdleCost> {
  const names = Array.from({ length: count }, (_, index) => `t${index}`);
  const world = await openTenantWorld({ names }, onClose);
  const redis = store === 'redis' ? await openRedis(onClose) : undefined;
  const begin = performance.now();
  const bot = startBot({
    logFile: join(world.dataDir, 'bot.log'),
    env: {
      ...world.secrets,
      TENANTS_FILE: world.path,
      DATA_DIR: world.dataDir,
      ...(redis && { REDIS_URL: redis.url }),
    },
  });
  onClose(() => bot.stop());
  const url = await bot.up;
  if (url === undefined) throw new Error('the process with the tenants did not start');
  const startMs = performance.now() - begin;
  world.connect(url);
  await pause(settledAfterMs);

  const look = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return {
      slack: [...world.tenants.values()].reduce((sum, { workspace }) => sum + workspace.calls.length, 0),
      service: sumIn(text, 'invigilator_quiz_calls_total'),
      residentMB: metricIn(text, 'process_resident_memory_bytes') / 1e6,
      redis: await redis?.look(),
      at: performance.now(),
    };
  };
  const scrape = async () => {
    const asked = performance.now();
    const text = await (await fetch(`${url}/metrics`)).text();
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
    return { ms: performance.now() - asked, series };
  };
  const first = await look();
  const cpuBefore = costOf(bot.pid);
  await pause(measuredMs);
  const cpuMs = costOf(bot.pid).cpuMs - cpuBefore.cpuMs;
  const last = await look();
  const scrapes: Awaited<ReturnType<typeof scrape>>[] = [];
  while (scrapes.length < 10) scrapes.push(await scrape());
  const seconds = (last.at - first.at) / 1_000;
  const aMinute = (before: number, after: number) => ((after - before) / seconds) * 60;
  return {
    tenants: count,
    startMs,
    residentMB: last.residentMB,
    cpuPercent: cpuMs / 10 / seconds,
    redisMB: last.redis?.memoryMB ?? 0,
    redisConnections: last.redis?.connections ?? 0,
    redisCommandsASecond: ((last.redis?.commands ?? 0) - (first.redis?.commands ?? 0)) / seconds,
    slackAMinute: aMinute(first.slack, last.slack),
    serviceAMinute: aMinute(first.service, last.service),
    scrapeMs: Math.min(...scrapes.map(({ ms }) => ms)),
    series: scrapes[0]!.series,
  };
}

/** Adds up the series of a metric. */
function sumIn(text: string, name: string): number {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

async function openRedis(onClose: (cleanUp: () => void | Promise<void>) => void) {
  const server = await startRedis();
  onClose(() => server.stop());
  const client = await connectRedis(server.url);
  onClose(() => client.destroy());
  return {
    url: server.url,
    async look() {
      const [memory, clients, stats] = await Promise.all(
        ['memory', 'clients', 'stats'].map((part) => client.info(part)),
      );
      const numberIn = (text: string | undefined, name: string) =>
        Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text ?? '')?.[1] ?? Number.NaN);
      return {
        memoryMB: numberIn(memory, 'used_memory') / 1e6,
        // Without the one that looks.
        connections: numberIn(clients, 'connected_clients') - 1,
        commands: numberIn(stats, 'total_commands_processed'),
      };
    },
  };
}

/** What people cost. */
export interface WorkCost {
  commandCpuMs: number;
  submissionCpuMs: number;
  slackCallsOfCommand: number;
  slackCallsOfSubmission: number;
  serviceCallsOfCommand: number;
}

const commands = 200;
const submissions = 100;

/** Has a bot answer commands, and announce submissions in a channel, one after the other. */
export async function measureWork(): Promise<WorkCost> {
  const bed = await openProcessTestBed({ store: 'sqlite' });
  try {
    const { workspace, bots } = bed;
    const bot = bots[0]!;
    const ada = workspace.as(workspace.people.ada.id);
    const look = async () => {
      const text = await (await fetch(`${bot.url}/metrics`)).text();
      return {
        cpuMs: costOf(bot.pid()).cpuMs,
        slack: workspace.calls.length,
        service: sumIn(text, 'invigilator_quiz_calls_total'),
      };
    };
    const askOften = async (times: number) => {
      for (let count = 0; count < times; count += 1) await (await ada.command('/quiz list')).reply();
    };
    // A new process is slow.
    await askOften(50);
    const first = await look();
    await askOften(commands);
    const second = await look();
    for (let number = 1; number <= submissions; number += 1) {
      await sendEvent(bot.url, numberedSubmission(number));
      await workspace.until(
        () => countAnnounced(readAnnouncements(workspace.messages(workspace.channels.results.id))) >= number,
        60_000,
      );
    }
    const third = await look();
    return {
      commandCpuMs: (second.cpuMs - first.cpuMs) / commands,
      slackCallsOfCommand: (second.slack - first.slack) / commands,
      serviceCallsOfCommand: (second.service - first.service) / commands,
      submissionCpuMs: (third.cpuMs - second.cpuMs) / submissions,
      slackCallsOfSubmission: (third.slack - second.slack) / submissions,
    };
  } finally {
    await bed.close();
  }
}
