import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { storesFor } from '../support/many-changes.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const stores = storesFor(import.meta.filename);

const { ada, ravi } = people;
const hourMs = 60 * 60_000;
const mondayEarly = Date.UTC(2030, 0, 7, 8);

/** An hour passes, to the beginning of working hours. */
test.each(stores)(
  'over %s, a person who turned messages off gets those of a campaign, unless it lets people stop them',
  async (store) => {
    const { clock, workspace, reply, start } = await openSkippedCampaigns(store, mondayEarly);

    await workspace.as(ravi.id).openHome();
    const home = await workspace.until(() => workspace.home(ravi.id));
    await workspace.as(ravi.id).click({ view: home }, 'button:turn-messages');
    const turned = await workspace.until(() =>
      [workspace.home(ravi.id)].find((view) => textOf(view).includes('Turn messages on')),
    );
    expect(textOf(turned)).toContain('Campaigns still write to you');

    const line = '"Workplace safety" for @ravi due 2030-01-18';
    expect(textOf(await reply(ada.id, `/quiz-campaign start ${line}`))).not.toContain('No message reaches');
    await start(ada.id, line);
    await clock.skip(2 * hourMs);

    const message = await workspace.until(() => workspace.directMessages(ravi.id)[0]);
    expect(textOf(message)).toContain('asks you to take *Workplace safety basics*');
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).not.toContain('not reached');
    expect(workspace.directMessages(ravi.id)).toHaveLength(1);
  },
);
