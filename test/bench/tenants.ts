import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBot } from '../../src/sandbox/bot-process.ts';
import { askInTurn, sendWebhooks } from '../support/load.ts';
import { metricIn, percentile } from '../support/measurements.ts';
import { costOf } from '../support/process-cost.ts';
import { openTenantWorld, type TenantWorld, type WorldOptions } from '../support/tenants-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const fullSize = { tenants: 200, people: 50_000, webhooks: 10_000, bursts: 150, rounds: 3 };
const shortSize = { tenants: 3, people: 100, webhooks: 20, bursts: 3, rounds: 1 };
/** What begins at the start is over. */
const idleSize = { settledAfterMs: 30_000, measuredMs: 60_000 };
const shortIdleSize = { settledAfterMs: 0, measuredMs: 1_000 };
const scrapes = 10;

/** What many idle bots cost one process, and whether the commands of one wait for the work of another. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  const pauses = isShort ? shortIdleSize : idleSize;
  const alone = await costOfIdle(1, pauses);
  const many = await costOfIdle(size.tenants, pauses);
  const mbEach = (many.residentMB - alone.residentMB) / (size.tenants - 1);
  return [
    {
      name: `${size.tenants} idle tenants in one process`,
      figure: `up in ${(many.startMs / 1_000).toFixed(1)} s, ${mbEach.toFixed(1)} MB for each beyond the first, ${many.cpuPercent.toFixed(1)} % of a core in all; a scrape of /metrics ${many.scrapeMs.toFixed(0)} ms, ${many.series.toLocaleString('en')} series`,
      ...heldAgainst('idle tenants', {
        startS: many.startMs / 1_000,
        mbEach,
        cpuPercent: many.cpuPercent,
      }),
    },
    await fairness(size),
  ];
}

/** What a process with tenants that nobody uses costs, and the fastest of ten scrapes of its `/metrics`. */
async function costOfIdle(count: number, { settledAfterMs, measuredMs }: typeof idleSize) {
  const names = Array.from({ length: count }, (_, index) => `t${index}`);
  return withTenants({ names }, async ({ url, pid, startMs }) => {
    await pause(settledAfterMs);
    const [before, begin] = [costOf(pid), performance.now()];
    await pause(measuredMs);
    const cpuPercent = (costOf(pid).cpuMs - before.cpuMs) / ((performance.now() - begin) / 100);
    let [text, scrapeMs] = ['', Infinity];
    for (let scrape = 0; scrape < scrapes; scrape += 1) {
      const asked = performance.now();
      text = await (await fetch(`${url}/metrics`)).text();
      scrapeMs = Math.min(scrapeMs, performance.now() - asked);
    }
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
    return { startMs, residentMB: metricIn(text, 'process_resident_memory_bytes') / 1e6, cpuPercent, scrapeMs, series };
  });
}

interface Running {
  world: TenantWorld;
  url: string;
  pid: number | undefined;
  startMs: number;
}

async function withTenants<Value>(options: WorldOptions, use: (running: Running) => Promise<Value>): Promise<Value> {
  await using cleanUps = new AsyncDisposableStack();
  const world = await openTenantWorld(options, (cleanUp) => cleanUps.defer(cleanUp));
  const begin = performance.now();
  const bot = startBot({
    logFile: join(world.dataDir, 'bot.log'),
    env: { ...world.secrets, TENANTS_FILE: world.path, DATA_DIR: world.dataDir },
  });
  cleanUps.defer(() => bot.stop());
  const url = await bot.up;
  if (url === undefined) throw new Error('the process with the tenants did not start');
  const startMs = performance.now() - begin;
  world.connect(url);
  return await use({ world, url, pid: bot.pid, startMs });
}

/** Compares the answers to `/quiz list` of a small tenant while a large one is quiet, and while it is as busy as it can be. */
async function fairness(size: typeof fullSize): Promise<BenchRow> {
  const optionsOf = (name: string) => ({
    quizService: {
      ratePerMinute: 100_000,
      ratePerHour: 1_000_000,
      ...(name === 'large' && { sample: { users: size.people, responses: size.people } }),
    },
  });
  return withTenants({ names: ['small', 'large'], optionsOf }, async ({ world, url }) => {
    await commandsOf(world, 'large', url, 1);
    const [quiet, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round < size.rounds; round += 1) {
      quiet.push(...(await commandsOf(world, 'small', url, size.bursts)));
      const busy = keepBusy(world, url, size.webhooks, round);
      beside.push(...(await commandsOf(world, 'small', url, size.bursts)));
      await busy;
    }
    const ratio = percentile(beside, 99) / percentile(quiet, 99);
    const inMs = (times: readonly number[], rank: number) => percentile(times, rank).toFixed(1);
    return {
      name: `/quiz list of one tenant, while another with ${size.people.toLocaleString('en')} people gets ${size.webhooks.toLocaleString('en')} webhooks`,
      figure: `p99 ${ratio.toFixed(2)} times as long (${inMs(beside, 99)} ms against ${inMs(quiet, 99)}; p50 ${inMs(beside, 50)} against ${inMs(quiet, 50)})`,
      ...heldAgainst('commands beside another tenant', { ratio }),
    };
  });
}

/** A burst of webhooks, while people of the large tenant ask for long lists. */
async function keepBusy(world: TenantWorld, url: string, count: number, round: number): Promise<void> {
  await Promise.all([
    sendWebhooks({
      urls: [url],
      path: '/webhooks/quiz/large',
      secret: world.secrets['LARGE_HOOK']!,
      count,
      eventIdPrefix: `burst-${round}`,
    }),
    commandsOf(world, 'large', url, 20),
  ]);
}

async function commandsOf(world: TenantWorld, name: string, url: string, bursts: number): Promise<number[]> {
  const asked = {
    url,
    path: `/slack/events/${name}`,
    secret: world.secrets[`${name.toUpperCase()}_SIGNING`],
    answers: true,
  };
  const [times] = await askInTurn({ asked: [asked], bursts, atOnce: 1 });
  return times!.answeredMs;
}
