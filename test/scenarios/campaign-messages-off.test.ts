import { expect, inject, onTestFinished, test } from 'vitest';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { stores } from '../support/many-changes.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { locationOf } from '../support/results.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, ravi } = people;
const hourMs = 60 * 60_000;
const mondayEarly = Date.UTC(2030, 0, 7, 8);

/** An hour passes, to the beginning of working hours. */
test.each(stores)(
  'over %s, a person who turned messages off gets those of a campaign, unless it lets people stop them',
  { timeout: 120_000 },
  async (store) => {
    const clock = createSandboxClock(mondayEarly - Date.now());
    const testBed = await openProcessTestBed({
      store: store === 'Redis' ? 'redis' : 'sqlite',
      account: inject('account') ?? 'smooth',
      clock,
      env: { ALERTS_CHANNEL: '' },
    });
    onTestFinished(() => testBed.close());
    const { workspace } = testBed;
    testBed.quizService.database.run('DELETE FROM responses');
    const asAda = async (line: string) => (await workspace.as(ada.id).command(line)).reply();

    await workspace.as(ravi.id).openHome();
    const home = await workspace.until(() => workspace.home(ravi.id));
    await workspace.as(ravi.id).click({ view: home }, 'direct-messages:off');
    const turned = await workspace.until(() =>
      [workspace.home(ravi.id)].find((view) => textOf(view).includes('Turn messages on')),
    );
    expect(textOf(turned)).toContain('Campaigns still write to you');

    /** @returns whether the preview says that no message reaches Ravi */
    const start = async (line: string) => {
      const preview = await asAda(`/quiz-campaign start ${line}`);
      const isUnreached = textOf(preview).includes('No message reaches');
      await workspace.as(ada.id).click(locationOf(preview), 'choose:start');
      await workspace.until(() =>
        workspace.ephemerals(ada.id).find(({ ts, text }) => ts === preview.ts && text.includes('Started a campaign')),
      );
      return isUnreached;
    };
    expect([
      await start('"Workplace safety" for @ravi due 2030-01-18'),
      await start('"Data protection" for @ravi due 2030-01-18 allow stop'),
    ]).toEqual([false, true]);
    await clock.skip(2 * hourMs);

    const message = await workspace.until(() => workspace.directMessages(ravi.id)[0]);
    expect(textOf(message)).toContain('asks you to take *Workplace safety basics*');
    await expect
      .poll(async () => textOf(await asAda('/quiz-campaign show data')))
      .toContain('not reached: they turned messages off');
    expect(textOf(await asAda('/quiz-campaign show workplace'))).not.toContain('not reached');
    expect(workspace.directMessages(ravi.id)).toHaveLength(1);
  },
);
