import { describe, expect, test } from 'vitest';
import { redisMissing } from '../support/redis.ts';
import { runRollingRestart } from '../support/rolling-restart.ts';

/** `npm run bench -- rolling` runs ten rounds. */
const options = { rounds: 1, perSecond: 20 };
const intact = { unanswered: 0, refused: [], lost: 0, duplicated: 0 };

describe.skipIf(redisMissing !== null).concurrent('A rolling restart of two instances under load', () => {
  test('behind a balancer leaves no command unanswered, and refuses and loses no webhook', async () => {
    expect(await runRollingRestart({ mode: 'http', ...options })).toMatchObject({ ...intact, failed: [] });
  });

  test('in Socket Mode leaves no command unanswered, and refuses and loses no webhook', async () => {
    const outcome = await runRollingRestart({ mode: 'socket', ...options });
    expect(outcome).toMatchObject(intact);
    // What Slack sends at the moment of a close is out of the bot's hands. Moments are longer on a busy machine.
    expect(outcome.failed.length).toBeLessThan(outcome.commands / 20);
  });
});
