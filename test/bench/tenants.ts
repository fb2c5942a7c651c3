import { join } from 'node:path';
import { startBot } from '../../src/sandbox/bot-process.ts';
import { percentile } from '../support/measurements.ts';
import { sendWebhooks } from '../support/send-webhooks.ts';
import { openTenantWorld, type TenantWorld } from '../support/tenant-world.ts';
import { measureIdle, type IdleSize } from '../scale/measure.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';
import { sendCommands } from './send-commands.ts';

const fullSize = { tenants: 200, people: 50_000, webhooks: 10_000, bursts: 150, rounds: 3 };
const shortSize = { tenants: 3, people: 100, webhooks: 20, bursts: 3, rounds: 1 };
const shortIdle: IdleSize = { settledAfterMs: 0, measuredMs: 1_000 };

/** What many idle bots cost one process, and whether the commands of one wait for the work of another. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  const idleSize = isShort ? shortIdle : undefined;
  const alone = await measureIdle(1, 'sqlite', idleSize);
  const many = await measureIdle(size.tenants, 'sqlite', idleSize);
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

/** Compares the answers to `/quiz list` of a small tenant while a large one is quiet, and while it is as busy as it can be. */
async function fairness(size: typeof fullSize): Promise<BenchRow> {
  const cleanUps: (() => void | Promise<void>)[] = [];
  try {
    const world = await openTenantWorld(
      {
        names: ['small', 'large'],
        optionsOf: (name) => ({
          quizService: {
            ratePerMinute: 100_000,
            ratePerHour: 1_000_000,
            ...(name === 'large' && { sample: { users: size.people, responses: size.people } }),
          },
        }),
      },
      (cleanUp) => cleanUps.push(cleanUp),
    );
    const bot = startBot({
      logFile: join(world.dataDir, 'bot.log'),
      env: { ...world.secrets, TENANTS_FILE: world.path, DATA_DIR: world.dataDir },
    });
    cleanUps.push(() => bot.stop());
    const url = await bot.up;
    if (url === undefined) throw new Error('the process with the tenants did not start');
    world.connect(url);
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
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
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
  const app = {
    url,
    path: `/slack/events/${name}`,
    secret: world.secrets[`${name.toUpperCase()}_SIGNING`],
    answers: true,
  };
  const [times] = await sendCommands({ apps: [app], bursts, atOnce: 1 });
  return times!.answeredMs;
}
