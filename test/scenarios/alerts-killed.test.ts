import { describe, expect, test } from 'vitest';
import { redisMissing } from '../support/redis.ts';
import { describeStorm, runStorm, type StormOptions } from '../support/chaos-run.ts';

type Variant = Omit<StormOptions, 'seed' | 'events' | 'kills'>;

/** `npm run bench -- alerts-killed` runs the same for longer. */
const size = { seed: Number(process.env['STORM_SEED'] ?? 20_261_121), events: 200, kills: 5 };
const timeout = 180_000;
const nothingWrong = { lost: 0, doubled: 0, disordered: 0 };

describe.concurrent('a bot killed at random moments announces every event once, in order', () => {
  test.each<[string, Variant]>([
    ['over SQLite', { store: 'sqlite' }],
    ['over SQLite, while Slack fails', { store: 'sqlite', slackFails: true }],
  ])('%s', { timeout }, async (_, variant) => {
    expect(await wrongsAfter(variant)).toEqual(nothingWrong);
  });

  test.skipIf(redisMissing !== null).each<[string, Variant]>([
    ['over a Redis that is killed as well', { store: 'redis', redisKills: 2 }],
    ['two of them over a Redis that is killed as well, while Slack fails', { store: 'redis', instances: 2, redisKills: 2, slackFails: true }],
  ])('%s', { timeout }, async (_, variant) => {
    expect(await wrongsAfter(variant)).toEqual(nothingWrong);
  });
});

/** Prints what happened; where something is wrong, also what the bots said last, and where the rest of it is. */
async function wrongsAfter(variant: Variant) {
  const options = { ...variant, ...size };
  const outcome = await runStorm(options);
  const { lost, doubled, disordered, logs, lastWords } = outcome;
  const told = [describeStorm(options, outcome), logs, lastWords].filter((part) => part !== '');
  process.stdout.write(`${told.join('\n')}\n`);
  return { lost, doubled, disordered };
}
