import { describe, expect, test } from 'vitest';
import { startBalancer, haproxyMissing, startHaproxy } from '../support/balancer.ts';
import { alertsKilled } from '../support/kills/loads/alerts.ts';
import { campaignKilled } from '../support/kills/loads/campaign.ts';
import { rollingRestart } from '../support/kills/loads/commands-and-webhooks.ts';
import { importKilled } from '../support/kills/loads/imports.ts';
import { standingKilled } from '../support/kills/loads/standing-campaign.ts';
import { tenantsKilled } from '../support/kills/loads/tenants.ts';
import { waitsKilled } from '../support/kills/loads/waits.ts';
import { runKills, type KillOutcome, type KillRunOptions } from '../support/kills/run-kills.ts';
import { redisMissing } from '../support/redis.ts';
import { leftToCi } from '../support/drawn.ts';

/** `CHAOS_SEED` repeats a run. */
const seed = Number(process.env['CHAOS_SEED'] ?? 20_261_121);
const [overSqlite, overRedis] = [{ store: 'sqlite' }, { store: 'redis', redisKills: 1 }] as const;
const instances = 2;

type Size = Omit<KillRunOptions, 'seed'>;
type Run = (options: KillRunOptions) => Promise<KillOutcome>;

/**
 * Each load once, killed in each of its ways: the two tenants have alerts, approvals, an import and a campaign at the same time, over
 * both stores. With `npm run bench -- alerts-killed`, and likewise for the others, more variants run for longer.
 */
const loads: Record<string, [Size, Run]> = {
  'announces every event once and in order, while Slack fails': [
    { ...overSqlite, kills: 3 },
    (options) => runKills(options, alertsKilled({ events: 120, clockRate: 5, slackFails: true })),
  ],
  // Few: after a lost answer, the bot looks for the message for 40 seconds before it posts it again, and each person has a queue.
  'tells every respondent each result once and in order': [
    { ...overRedis, instances, kills: 2 },
    (options) => runKills(options, alertsKilled({ events: 32, respondents: 8, clockRate: 5 })),
  ],
  'creates each person of an import once, while answers are lost': [
    { ...overSqlite, kills: 2 },
    (options) => runKills(options, importKilled({ rows: 6 })),
  ],
  'writes to the people of a campaign once, in their hours, and never after their result, while Slack fails and webhooks are lost':
    [{ ...overSqlite, kills: 2 }, (options) => runKills(options, campaignKilled({ people: 18, days: 5 }))],
  'takes in who joins a campaign, once, and writes to nobody who left, while Slack fails and loses events': [
    { ...overRedis, kills: 2 },
    (options) => runKills(options, standingKilled({ people: 16, joins: 6, leaves: 4 })),
  ],
  'ends each wait of a workflow once, while answers of Slack are lost': [
    { ...overSqlite, kills: 2 },
    (options) => runKills(options, waitsKilled({ waits: 40, begun: 10 })),
  ],
  'gives each of two tenants everything once, and nothing of another': [{ ...overSqlite, kills: 4 }, killTenants],
  'gives each of two tenants everything once, with two processes': [{ ...overRedis, instances, kills: 4 }, killTenants],
  'restarted in turn in HTTP mode leaves no command unanswered, and loses and repeats no webhook': restarted('http'),
  'restarted in turn in Socket Mode leaves no command unanswered, and loses and repeats no webhook':
    restarted('socket'),
};

function restarted(mode: 'http' | 'socket'): [Size, Run] {
  // What is sent at the moment of a close is out of the bot's hands, and moments are longer on a busy machine.
  const start = haproxyMissing === null ? startHaproxy : startBalancer;
  const restart = rollingRestart({ mode, perSecond: 20, failingShare: 0.05, start });
  return [{ store: 'redis', instances, kills: 2 }, (options) => runKills(options, restart)];
}

async function killTenants(options: KillRunOptions): Promise<KillOutcome> {
  return runKills(options, tenantsKilled({ tenants: 2, events: 12, people: 5, rows: 3, approvals: 2 }));
}

describe.skipIf(leftToCi).concurrent('a bot killed at random moments', () => {
  for (const [does, [size, run]] of Object.entries(loads))
    test.skipIf(size.store === 'redis' && redisMissing !== null)(`over ${size.store} ${does}`, async () => {
      const { figure, ...outcome } = await run({ ...size, seed });
      process.stdout.write(`${figure}\n`);
      expect(outcome).toEqual({ lost: 0, doubled: 0, wrong: 0, problems: [] });
    });
});
