import { alertsKilled } from '../support/kills/loads/alerts.ts';
import { campaignKilled } from '../support/kills/loads/campaign.ts';
import { standingKilled } from '../support/kills/loads/standing-campaign.ts';
import { importKilled } from '../support/kills/loads/imports.ts';
import { waitsKilled } from '../support/kills/loads/waits.ts';
import { runKills, type KillRunOptions, type MakeKillTest } from '../support/kills/run-kills.ts';
import { redisMissing } from '../support/redis.ts';
import { heldAgainst, type Bench, type BenchRow } from './bench-row.ts';

/** A row of the benchmarks in which bots are killed. */
interface KilledRow extends Omit<KillRunOptions, 'seed' | 'kills'> {
  name: string;
  test: (size: number) => MakeKillTest;
  /** How much there is to do, in what the test counts. */
  size: number;
  /** Default: 20. */
  kills?: number;
}

const alerts = (events: number) => alertsKilled({ events });
const alertsWhileSlackFails = (events: number) => alertsKilled({ events, slackFails: true });
const imports = (rows: number) => importKilled({ rows });
const standing = (people: number) => standingKilled({ people, joins: people / 10, leaves: people / 10 });
const waits = (count: number) => waitsKilled({ waits: count, begun: Math.min(10, count) });

/** Rows of a group run at the same time: killed bots wait more than they work. */
const groups = {
  'alerts-killed': [
    [
      { name: 'killed over SQLite', store: 'sqlite', test: alerts, size: 2_000 },
      { name: 'killed over SQLite, while Slack fails', store: 'sqlite', test: alertsWhileSlackFails, size: 2_000 },
    ],
    [
      { name: 'killed over Redis, which is also killed', store: 'redis', redisKills: 8, test: alerts, size: 2_000 },
      {
        name: 'killed two instances over Redis, which is also killed, while Slack fails',
        store: 'redis',
        instances: 2,
        redisKills: 8,
        test: alertsWhileSlackFails,
        size: 2_000,
      },
    ],
  ],
  'batches-killed': [
    [
      { name: 'an import over sqlite, killed', store: 'sqlite', test: imports, size: 500 },
      { name: 'an import over redis, killed', store: 'redis', instances: 2, test: imports, size: 500 },
      { name: 'an import over redis, on its only instance, killed', store: 'redis', test: imports, size: 500 },
    ],
  ],
  'campaigns-killed': [
    [
      {
        name: 'campaign killed over SQLite',
        store: 'sqlite',
        size: 1_000,
        test: (people) => campaignKilled({ people, days: 30 }),
      },
    ],
    // Redis takes longer: the clock waits for it at every step, and after every kill for locks to expire.
    [
      {
        name: 'campaign killed over Redis',
        store: 'redis',
        size: 24,
        kills: 4,
        redisKills: 8,
        test: (people) => campaignKilled({ people, days: 8 }),
      },
    ],
  ],
  'standing-killed': [
    [
      {
        name: 'a standing campaign killed over SQLite, while Slack fails and loses events',
        store: 'sqlite',
        size: 1_000,
        test: standing,
      },
    ],
    [
      {
        name: 'a standing campaign killed over Redis, which is also killed, while Slack fails and loses events',
        store: 'redis',
        size: 1_000,
        redisKills: 4,
        test: standing,
      },
    ],
  ],
  'waits-killed': [
    [{ name: 'open waits over sqlite, killed', store: 'sqlite', size: 10_000, test: waits }],
    // After each kill, locks in Redis take seconds to expire.
    [{ name: 'open waits over redis, killed', store: 'redis', size: 500, kills: 8, test: waits }],
  ],
} satisfies Record<string, KilledRow[][]>;

/** Kills bots in each row of a benchmark. */
export function killed(name: keyof typeof groups): Bench {
  return async ({ seed = Date.now() % 1_000_000, ...given }) => {
    const smaller = ({ size, kills = 20, redisKills, ...row }: KilledRow) => ({
      ...row,
      size: given.size ?? size,
      kills: given.kills ?? kills,
      redisKills: redisKills && (given.kills ?? redisKills),
    });
    const rows: BenchRow[] = [];
    for (const group of groups[name] as readonly KilledRow[][]) {
      const runnable = group.filter(({ store }) => store === 'sqlite' || redisMissing === null);
      rows.push(...(await Promise.all(runnable.map((row) => measure(smaller(row), seed)))));
    }
    return rows;
  };
}

async function measure(
  { name, test, size, ...options }: KilledRow & { kills: number },
  seed: number,
): Promise<BenchRow> {
  const { lost, doubled, wrong, problems, figure } = await runKills({ ...options, seed }, test(size));
  if (lost + doubled + wrong > 0) {
    process.stderr.write(`${problems.slice(0, 50).join('\n')}\n`);
    process.exitCode = 1;
  }
  return { name, figure, ...heldAgainst('killed', { lost, doubled, wrong }) };
}
