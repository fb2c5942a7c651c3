import { expect, test } from 'vitest';
import { redisMissing } from '../support/redis.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../../src/sandbox/workspace/actor/outcome.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startBalancer, haproxyMissing, startHaproxy } from '../support/balancer.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';

/** What came of the commands that people sent once paused bots worked again. */
interface AfterPause {
  commands: number;
  /** What Slack told the people whose commands failed. */
  failed: readonly string[];
  /** The bots’ answers to `/healthz` right after they work again. */
  health: readonly number[];
}

/** Between the ends of two checks of a balancer, also of one that times out. */
const steadyMs = 6_000;
const betweenMs = 200;

/** Two bots behind a balancer stand still for a time, as on a frozen host; people use them before, meanwhile and after. */
async function pauseBots({ pauseMs }: { pauseMs: number }): Promise<AfterPause> {
  const testBed = await openProcessTestBed({ store: 'redis', instances: 2 });
  const { bots, workspace } = testBed;
  const balancer = await start(bots.map(({ url }) => url));
  try {
    workspace.setBot(`${balancer.url}/slack/events`);
    const send = async (forMs: number): Promise<Outcome[]> => {
      const sent: Promise<Outcome>[] = [];
      for (const end = performance.now() + forMs; performance.now() < end; await pause(betweenMs))
        sent.push(workspace.as(people.ada.id).command('/quiz list'));
      return Promise.all(sent);
    };
    await send(steadyMs);
    for (const bot of bots) bot.freeze();
    const meanwhile = send(pauseMs);
    await pause(pauseMs);
    for (const bot of bots) bot.thaw();
    const asked = bots.map(async ({ url }) => (await fetch(`${url}/healthz`)).status);
    const outcomes = await send(steadyMs);
    await meanwhile;
    const failed = outcomes.flatMap(({ error }) => (error === undefined ? [] : [error]));
    return { commands: outcomes.length, failed, health: await Promise.all(asked) };
  } finally {
    for (const bot of bots) bot.thaw();
    balancer.close();
    await testBed.close();
  }
}

const start = haproxyMissing === null ? startHaproxy : startBalancer;

test.skipIf(redisMissing !== null)(
  `both bots stand still for 12 seconds, as on a frozen host, and then both are well, and no command is refused${redisMissing ? ` (${redisMissing})` : ''}`,
  async () => {
    const { commands, failed, health } = await pauseBots({ pauseMs: 12_000 });
    expect(commands).toBeGreaterThan(10);
    expect(failed).toEqual([]);
    expect(health).toEqual([200, 200]);
  },
);
