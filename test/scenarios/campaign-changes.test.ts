import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { storesFor } from '../support/many-changes.ts';
import { safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const stores = storesFor(import.meta.filename);

const { ada, tom, ravi, nora, rosa } = people;
const hourMs = 60 * 60_000;
const sundayEvening = Date.UTC(2030, 0, 6, 22);

test.each(stores)(
  'over %s, excuses, “Not me” and due times are taken back, and everybody hears once of a new due time',
  async (store) => {
    const { clock, start, reply, press, directMessage, answer, written } = await openSkippedCampaigns(
      store,
      sundayEvening,
    );
    await start(ada.id, '"Workplace safety" for @ravi, @nora, @rosa due 2030-01-18 12:00 remind none');
    await clock.skip(15 * hourMs);
    for (const { id } of [ravi, nora, rosa]) await directMessage(id, 'asks you to take');

    const excused = await reply(ada.id, '/quiz-campaign excuse workplace @nora because on leave');
    expect(textOf(excused)).toContain('They get no more reminders.');
    await press(ada.id, excused, 'Undo');
    await answer(ada.id, 'Included *Nora Fields* in');
    expect(textOf(await reply(ada.id, '/quiz-campaign excuse workplace @ravi until 9 jan because on leave'))).toMatch(
      /until <!date\^\d+\^{date_long_pretty}\|Wed 9 Jan>\. They get no reminders/,
    );

    const asked = await directMessage(rosa.id, 'asks you to take');
    await press(rosa.id, asked, 'Not me');
    await press(ada.id, await directMessage(ada.id, 'isn’t for them'), 'Keep in');
    await answer(ada.id, 'Included *Rosa Almeida* in');

    const moved = await reply(ada.id, '/quiz-campaign extend workplace to 1 week');
    expect(textOf(moved)).toMatch(
      new RegExp(`Moved the due time of the campaign for \\*${safetyQuiz}\\* to <!date[^|]*\\|Fri 25 Jan, 12:00>`),
    );
    await press(ada.id, moved, 'Undo');
    await answer(ada.id, '|Fri 18 Jan, 12:00>');
    await clock.skip(24 * hourMs);
    expect(written(nora.id)).toHaveLength(1);
    await directMessage(rosa.id, 'is for you after all');

    expect(textOf(await reply(ada.id, '/quiz-campaign extend workplace to 2030-01-16 12:00'))).toContain(
      '|Wed 16 Jan, 12:00>',
    );
    await clock.skip(24 * hourMs);
    for (const { id } of [nora, rosa]) await directMessage(id, 'is due earlier now');
    // Ravi’s excuse has ended.
    await directMessage(ravi.id, /is due earlier now|Reminder/);
    await clock.skip(48 * hourMs);
    expect([written(nora.id).length, written(rosa.id).length, written(ravi.id).length]).toEqual([2, 3, 2]);
  },
);

test.each(stores)(
  'over %s, a campaign rests while its quiz is closed, goes on under its new name, and ends when it is deleted',
  async (store) => {
    const { clock, account, start, reply, press, directMessage, answer, written } = await openSkippedCampaigns(
      store,
      sundayEvening,
    );
    await start(ada.id, '"Workplace safety" for @ravi, @nora due 2030-01-09 12:00 remind 1d overdue 1d');
    account.setStatus(safetyQuiz, 'closed');
    await clock.skip(15 * hourMs);
    const paused = await directMessage(ada.id, 'isn’t open any more, so its campaign is paused');
    expect([...written(ravi.id), ...written(nora.id)]).toEqual([]);
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toContain('The quiz isn’t open');

    await press(ada.id, paused, 'Open quiz');
    await answer(ada.id, `Opened *${safetyQuiz}*`);
    for (const { id } of [ravi, nora]) await directMessage(id, `asks you to take *${safetyQuiz}*`);

    account.rename(safetyQuiz, 'Safety first 2030');
    await clock.skip(24 * hourMs);
    await directMessage(ravi.id, /Reminder from .*please take \*Safety first 2030\*/);
    expect(textOf(await reply(ada.id, '/quiz-campaign show safety first'))).toContain(
      'Campaign for *Safety first 2030*',
    );

    account.removeQuiz('Safety first 2030');
    await clock.skip(48 * hourMs);
    await directMessage(ada.id, 'is over, since the quiz was deleted');
    expect([written(ravi.id).length, written(nora.id).length]).toEqual([2, 2]);
  },
);

test.each(stores)(
  'over %s, a campaign is handed over when whoever started it leaves, and its report knows who passes after the end',
  async (store) => {
    const { clock, account, start, reply, press, directMessage, answer, report } = await openSkippedCampaigns(
      store,
      sundayEvening,
    );
    await start(tom.id, '"Workplace safety" for @ravi, @rosa due 2030-01-09 12:00 remind 1d escalate 1d');
    await clock.skip(15 * hourMs);
    account.remove('tom');
    await clock.skip(24 * hourMs);
    const orphaned = await directMessage(ada.id, 'Nobody answers for the campaign');
    await press(ada.id, orphaned, 'Take over');
    await answer(ada.id, 'Handed the campaign');
    await clock.skip(48 * hourMs);
    await directMessage(ada.id, '2 people still have to take');
    await press(ada.id, await reply(ada.id, '/quiz-campaign end workplace'), 'End');
    await answer(ada.id, 'Ended the campaign');
    account.pass('ravi', safetyQuiz);
    const rows = await report(ada.id, 'workplace');
    expect(rows.get('Ravi Banerjee')).toMatchObject({ State: 'done', 'State at the end': 'missing' });
    expect(rows.get('Rosa Almeida')).toMatchObject({ State: 'missing', 'State at the end': 'missing' });
  },
);
