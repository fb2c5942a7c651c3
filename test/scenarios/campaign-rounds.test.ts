import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { CampaignSummary } from '../../src/domain/campaign.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { inTheAccount, stores } from '../support/many-changes.ts';
import { safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { editStates } from '../support/stored-states.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, ravi, nora, rosa } = people;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const mondayMorning = Date.UTC(2030, 0, 7, 11);
const yearLater = Date.UTC(2031, 0, 7, 11);
const [privacyQuiz, forkliftQuiz] = ['Data protection refresher', 'Forklift theory test'];

test.each(stores)(
  'over %s, a campaign that a version up to 1.6 stored with “repeat yearly” goes on after a year as one that stands',
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning, {
      async beforeStart(_, started) {
        const before = inTheAccount(started);
        before.forgetAttempts();
        before.setStatus(forkliftQuiz, 'open');
      },
    });
    const { clock, workspace, account, reply, start, posted, directMessage, report, testBed } = bed;
    const refused = await reply(ada.id, `/quiz-campaign start "${safetyQuiz}" for @ravi due 2030-01-18 repeat yearly`);
    expect(textOf(refused)).toContain('Campaigns don’t repeat any more');
    for (const [quiz, who] of [
      [safetyQuiz, '@ravi, @nora, @rosa'],
      [privacyQuiz, '@ravi'],
      [forkliftQuiz, '@nora'],
    ])
      await start(ada.id, `"${quiz}" for ${who} due 2030-01-18 12:00 board #training complete when passed remind 7d`);
    await bed.skipStopped(hourMs, async () => {
      await editStates(testBed, 'campaign', (state) => ({
        ...state,
        campaign: { ...(state['campaign'] as object), repeats: 'yearly' },
      }));
      await editStates(testBed, 'campaigns', ({ campaigns }) => ({
        campaigns: (campaigns as CampaignSummary[]).map((one) => ({ ...one, repeatsAt: yearLater })),
      }));
    });
    account.pass('ravi', privacyQuiz, clock.now());
    account.pass('nora', forkliftQuiz, clock.now());
    for (const name of ['ravi', 'nora', 'rosa']) account.pass(name, safetyQuiz, clock.now());
    for (const quiz of ['workplace', 'protection', 'forklift']) await report(ada.id, quiz);
    for (const quiz of [safetyQuiz, privacyQuiz, forkliftQuiz])
      expect(
        textOf(await posted(channels.training.id, `🏁 The campaign for *${quiz}* is over. Everyone passed`)),
      ).toMatch(/🔁 It goes on <!date\^\d+\^.+Don’t repeat/);
    expect(textOf(await reply(ada.id, '/quiz-campaign list')).match(/goes on/g)).toHaveLength(3);
    expect(textOf(await reply(ada.id, '/quiz-campaign end forklift'))).toContain(
      `Stopped the campaign for *${forkliftQuiz}* from going on.`,
    );
    expect(textOf(await reply(ada.id, '/quiz-campaign list')).match(/goes on/g)).toHaveLength(2);

    await bed.skipStopped(364 * dayMs);
    account.remove('rosa');
    account.setStatus(privacyQuiz, 'closed');
    await clock.skip(dayMs + hourMs);
    const explained = textOf(await directMessage(ada.id, `goes on with 2 people, as you ordered a year ago.`));
    expect(explained).toContain('From now on it stands');
    expect(explained).toContain('A pass counts until 18 Jan. Everyone is asked again 12 days before, each year');
    for (const label of ['View all', 'Change…', 'End']) expect(explained).toContain(label);
    const stopped = await directMessage(ada.id, `didn’t go on.`);
    expect(textOf(stopped)).toContain(`*${privacyQuiz}* is closed.`);
    expect(textOf(stopped)).toContain('Start a campaign…');
    for (const { id } of [ravi, nora])
      expect(workspace.directMessages(id).filter((message) => textOf(message).includes('2031'))).toHaveLength(1);
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toContain(
      'Until 18 Jan, and is to be renewed 12 days before',
    );

    account.pass('ravi', safetyQuiz, clock.now());
    const rows = await report(ada.id, 'workplace');
    expect(rows.get('Ravi Banerjee')).toMatchObject({
      State: 'valid',
      'Valid until (UTC)': '2032-01-19T00:00:00.000Z',
    });
    expect(rows.get('Nora Fields')).toMatchObject({
      State: 'valid, to be renewed',
      'Due (UTC)': '2031-01-19T00:00:00.000Z',
    });
    const trail = await bed.fileFor(ada.id, '/quiz-admin audit since 1d csv', 'of the audit trail');
    const record: Record<string, string>[] = parse(trail, { bom: true, columns: true });
    expect(record.filter(({ through }) => through === 'campaign')).toMatchObject([
      {
        by: ada.id,
        operation: 'start-campaign',
        to: expect.stringContaining(safetyQuiz),
        details: expect.stringContaining('Members: 2'),
        reference: expect.stringMatching(/\.2$/),
      },
    ]);
    expect(workspace.directMessages(tom.id)).toEqual([]);
    expect(workspace.directMessages(rosa.id)).toEqual([]);

    // Everyone is asked again by itself.
    await bed.skipStopped(364 * dayMs);
    await clock.skip(dayMs + hourMs);
    await directMessage(ravi.id, '2032');
  },
);
