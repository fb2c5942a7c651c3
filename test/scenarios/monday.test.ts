import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { inTheAccount, storesFor } from '../support/many-changes.ts';
import { actionIdOf, safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, rosa } = people;
const hourMs = 60 * 60_000;
const wednesdayEvening = Date.UTC(2030, 0, 9, 22);

test.each(storesFor(import.meta.filename))(
  'over %s, who answers for a campaign reads on Monday what was done, who is overdue, what expires and what most got wrong, once, until they turn it off',
  async (store) => {
    const { clock, workspace, account, start, directMessage, press } = await openSkippedCampaigns(
      store,
      wednesdayEvening,
      { beforeStart: async (_, started) => inTheAccount(started).forgetAttempts() },
    );
    await start(
      ada.id,
      `"${safetyQuiz}" for @ravi, @nora due 2030-01-11 12:00 remind none escalate none complete when passed`,
    );
    account.pass('rosa', 'Food hygiene, level 2', Date.UTC(2029, 0, 30, 10));
    await start(ada.id, '"Food hygiene" for @rosa within 14d valid 12 months renew 5d');
    await clock.skip(24 * hourMs);
    account.pass('ravi', safetyQuiz, clock.now());
    // Nobody asks for the questions: the answers are read in the background.
    for (const name of ['tom', 'uma', 'erin', 'rosa']) account.fail(name, safetyQuiz, 40, clock.now());
    await clock.skip(4 * 24 * hourMs);

    const message = await directMessage(ada.id, 'The week in your campaigns');
    expect(new Date(Number(message.ts) * 1_000).toISOString()).toMatch(/^2030-01-14T/);
    const text = textOf(message);
    expect(text).toContain(`✅ Done last week: 1 person · ${safetyQuiz} 1`);
    expect(text).toContain(`⏰ *${safetyQuiz}*: 1 person is overdue. Nora Fields`);
    expect(text).toContain('🔁 Within 30 days: 1 pass expires · Food hygiene, level 2 1');
    expect(text).toContain(`❓ *${safetyQuiz}*: 5 of 5 got this question wrong: `);
    expect(text).toContain('"Questions"');
    for (const { id } of [tom, rosa]) expect(JSON.stringify(workspace.directMessages(id))).not.toContain('The week in');

    await press(ada.id, message, 'Stop these messages');
    const weeks = () => workspace.directMessages(ada.id).filter((one) => textOf(one).includes('The week in')).length;
    await clock.skip(8 * 24 * hourMs);
    expect(weeks()).toBe(1);

    const home = async (words: string) => {
      await workspace.as(ada.id).openHome();
      return workspace.until(() => {
        const view = workspace.home(ada.id);
        return view && textOf(view).includes(words) ? view : undefined;
      });
    };
    const off = await home('Turn the message of Monday on');
    await workspace.as(ada.id).click({ view: off }, actionIdOf(off, 'Turn the message of Monday on'));
    expect(textOf(await home('Stop the message of Monday'))).not.toContain('Turn the message of Monday on');
    await clock.skip(7 * 24 * hourMs);
    await expect.poll(weeks).toBe(2);
  },
);
