import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { inTheAccount, stores } from '../support/many-changes.ts';
import { safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, ravi, nora, rosa } = people;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const mondayMorning = Date.UTC(2030, 0, 7, 11);
const [privacyQuiz, forkliftQuiz] = ['Data protection refresher', 'Forklift theory test'];

test.each(stores)(
  'over %s, a campaign that everybody passed says when it starts again, which can be stopped, and looks at how things are before it does',
  { timeout: 180_000 },
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning, {
      async beforeStart(_, started) {
        const before = inTheAccount(started);
        before.forgetAttempts();
        before.setStatus(forkliftQuiz, 'open');
      },
    });
    const { clock, workspace, account, reply, start, posted, directMessage, report } = bed;
    for (const [quiz, who] of [
      [safetyQuiz, '@ravi, @nora, @rosa'],
      [privacyQuiz, '@ravi'],
      [forkliftQuiz, '@nora'],
    ])
      await start(
        ada.id,
        `"${quiz}" for ${who} due 2030-01-18 12:00 board #training complete when passed repeat yearly`,
      );
    account.pass('ravi', privacyQuiz, clock.now());
    account.pass('nora', forkliftQuiz, clock.now());
    for (const name of ['ravi', 'nora', 'rosa']) account.pass(name, safetyQuiz, clock.now());
    for (const quiz of ['workplace', 'protection', 'forklift']) await report(ada.id, quiz);
    for (const quiz of [safetyQuiz, privacyQuiz, forkliftQuiz])
      expect(
        textOf(await posted(channels.training.id, `🏁 The campaign for *${quiz}* is over. Everyone passed`)),
      ).toMatch(/🔁 It starts again <!date\^\d+\^.+Don’t repeat/);
    expect(textOf(await reply(ada.id, '/quiz-campaign list')).match(/starts again/g)).toHaveLength(3);
    expect(textOf(await reply(ada.id, '/quiz-campaign end forklift'))).toContain(
      `Stopped the campaign for *${forkliftQuiz}* from starting again.`,
    );
    expect(textOf(await reply(ada.id, '/quiz-campaign list')).match(/starts again/g)).toHaveLength(2);

    await bed.skipStopped(364 * dayMs);
    account.remove('rosa');
    account.setStatus(privacyQuiz, 'closed');
    await clock.skip(dayMs + hourMs);
    await directMessage(ada.id, `started again with 2 people, as you ordered a year ago.`);
    const refused = await directMessage(ada.id, `didn’t start again.`);
    expect(textOf(refused)).toContain(`*${privacyQuiz}* is closed.`);
    expect(textOf(refused)).toContain('Start a campaign…');
    for (const { id } of [ravi, nora])
      expect(workspace.directMessages(id).filter((message) => textOf(message).includes('2031'))).toHaveLength(1);
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toMatch(
      /\*Passed\*\\n0 of 2 people.*\*Missing\*\\n2/,
    );
    const trail = await bed.fileFor(ada.id, '/quiz-admin audit since 1d csv', 'of the audit trail');
    const record: Record<string, string>[] = parse(trail, { bom: true, columns: true });
    expect(record.filter(({ through }) => through === 'campaign')).toMatchObject([
      {
        by: ada.id,
        operation: 'start-campaign',
        to: expect.stringContaining(safetyQuiz),
        details: 'Members: 2',
        reference: expect.stringMatching(/\.2$/),
      },
    ]);
    expect(workspace.directMessages(tom.id)).toEqual([]);
    expect(workspace.directMessages(rosa.id)).toEqual([]);
  },
);
