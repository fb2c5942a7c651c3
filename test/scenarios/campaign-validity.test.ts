import { expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { storesFor } from '../support/many-changes.ts';
import { actionIdOf, locationOf, safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const stores = storesFor(import.meta.filename);

const { ada, ravi, nora, rosa } = people;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const mondayMorning = Date.UTC(2030, 0, 7, 11);

test.each(stores)(
  'over %s, a pass that is valid at the due time counts, and one that is not is to be renewed',
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning);
    const { clock, workspace, account, reply, startShown, posted, report } = bed;
    account.pass('ravi', safetyQuiz, Date.UTC(2029, 2, 1, 10));
    account.pass('rosa', safetyQuiz, Date.UTC(2029, 0, 10, 10));
    account.fail('nora', safetyQuiz, 40, Date.UTC(2029, 2, 1, 10));

    const preview = await reply(
      ada.id,
      `/quiz-campaign start "${safetyQuiz}" for @ravi, @rosa, @nora due 2030-01-31 valid 12 months board #training`,
    );
    const said = textOf(preview);
    expect(said).toContain('*A pass counts*\\nFor 12 months');
    expect(said).toContain(
      '1 person passed it, which doesn’t count any more when it’s due. Valid until: Rosa Almeida (10 Jan 2030).',
    );
    expect(said).toContain('1 person passed it already. Valid until: Ravi Banerjee (1 Mar 2030).');
    await workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'View all'));
    const all = await workspace.until(() =>
      workspace.views(ada.id).find((view) => textOf(view).includes('2 people take part')),
    );
    expect(textOf(all)).toMatch(/Rosa Almeida[^•]+valid until 10 Jan 2030/);
    expect(textOf(all)).toContain('Ravi Banerjee · left out: valid until 1 Mar 2030');

    await startShown(ada.id, preview);
    await posted(channels.training.id, '0 of 2 passed');
    for (const { id } of [rosa, nora]) await bed.directMessage(id, safetyQuiz);
    expect(workspace.directMessages(ravi.id)).toEqual([]);
    const before = await report(ada.id, 'workplace');
    expect(before.get('Rosa Almeida')).toMatchObject({
      State: 'missing',
      Result: '',
      'Valid until (UTC)': '2030-01-11T00:00:00.000Z',
    });

    await clock.skip(dayMs);
    account.pass('rosa', safetyQuiz, clock.now());
    const after = await report(ada.id, 'workplace');
    expect(after.get('Rosa Almeida')).toMatchObject({
      State: 'done',
      Result: 'passed',
      'Valid until (UTC)': '2031-01-09T00:00:00.000Z',
    });
    await posted(channels.training.id, '1 of 2 passed');
  },
);

test('with one date for everyone, a pass of the month before it counts until the year after', async () => {
  const bed = await openSkippedCampaigns('SQLite', mondayMorning);
  const { clock, account, reply } = bed;
  account.pass('ravi', safetyQuiz, Date.UTC(2030, 0, 2, 10));
  account.pass('rosa', safetyQuiz, Date.UTC(2029, 10, 2, 10));
  const line = `"${safetyQuiz}" for @ravi, @rosa, @nora due 15 feb valid until 31 jan`;
  const said = textOf(await reply(ada.id, `/quiz-campaign start ${line}`));
  expect(said).toContain('*A pass counts*\\nUntil 31 Jan');
  expect(said).toContain('Ravi Banerjee (31 Jan 2031)');
  expect(said).toContain('Rosa Almeida (31 Jan 2030)');

  await bed.start(ada.id, line);
  account.pass('rosa', safetyQuiz, clock.now());
  account.fail('nora', safetyQuiz, 40, clock.now());
  const rows = await bed.report(ada.id, 'workplace');
  expect(rows.get('Rosa Almeida')).toMatchObject({ State: 'done', 'Valid until (UTC)': '2031-02-01T00:00:00.000Z' });
  expect(rows.get('Nora Fields')).toMatchObject({ State: 'missing', Result: 'failed', 'Valid until (UTC)': '' });
});
