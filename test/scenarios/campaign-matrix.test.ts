import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { stores } from '../support/many-changes.ts';
import { safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, ravi, rosa } = people;
const hourMs = 60 * 60_000;
const sundayEvening = Date.UTC(2030, 0, 6, 22);
const hygieneQuiz = 'Food hygiene, level 2';

/** The cells of the table, row by row. */
function cellsOf({ blocks }: { blocks?: unknown }): string[][] {
  const tables = (blocks as { type: string; rows?: { text: string }[][] }[]).filter(
    ({ type }) => type === 'data_table',
  );
  return tables.flatMap(({ rows = [] }) => rows.map((row) => row.map(({ text }) => text)));
}

test.each(stores)(
  'over %s, the matrix shows who needs something as far as the reader sees campaigns, and people are reminded and excused from it',
  async (store) => {
    const { clock, workspace, account, start, reply, press, directMessage, answer } = await openSkippedCampaigns(
      store,
      sundayEvening,
    );
    account.pass('rosa', hygieneQuiz, Date.UTC(2029, 5, 1, 10));
    await start(ada.id, '"Workplace safety" for @ravi, @nora, @rosa due 2030-01-09 12:00 remind none');
    await start(ada.id, '"Food hygiene" for @rosa, @nora within 14d valid 12 months remind 3d');
    await clock.skip(4 * 24 * hourMs);

    const matrix = await reply(ada.id, '/quiz-campaign matrix');
    expect(textOf(matrix)).toContain('*Who has to take what*: 3 people, 2 quizzes');
    expect(cellsOf(matrix)).toEqual([
      ['Person', safetyQuiz, hygieneQuiz],
      ['Nora Fields', '⏰ overdue since 9 Jan', '⏳ due 20 Jan'],
      ['Ravi Banerjee', '⏰ overdue since 9 Jan', '–'],
      ['Rosa Almeida', '⏰ overdue since 9 Jan', '✅ valid until 1 Jun'],
    ]);
    expect(cellsOf(await reply(ada.id, '/quiz-campaign matrix for Kitchen'))).toEqual([
      ['Person', safetyQuiz, hygieneQuiz],
      ['Rosa Almeida', '⏰ overdue since 9 Jan', '✅ valid until 1 Jun'],
    ]);

    expect(cellsOf(await reply(ada.id, '/quiz missing in Kitchen'))).toEqual(
      cellsOf(await reply(ada.id, '/quiz-campaign matrix for Kitchen')),
    );
    const overdue = await reply(ada.id, '/quiz-campaign overdue');
    expect(textOf(overdue)).toContain('⏰ *Who is overdue*: 3 people, 1 quiz');
    expect(cellsOf(overdue)).toEqual([
      ['Person', safetyQuiz],
      ...['Nora Fields', 'Ravi Banerjee', 'Rosa Almeida'].map((name) => [name, '⏰ overdue since 9 Jan']),
    ]);
    expect(cellsOf(await reply(ada.id, '/quiz-campaign overdue kitchen'))).toEqual([
      ['Person', safetyQuiz],
      ['Rosa Almeida', '⏰ overdue since 9 Jan'],
    ]);
    expect(textOf(await reply(ada.id, '/quiz-user show Rosa Almeida'))).toContain(
      `⏰ *${safetyQuiz}* · overdue since 9 Jan 2030`,
    );

    account.train('tom', { quizzes: [hygieneQuiz] });
    await clock.skip(hourMs);
    expect(cellsOf(await reply(tom.id, '/quiz-campaign matrix'))).toEqual([
      ['Person', hygieneQuiz],
      ['Nora Fields', '⏳ due 20 Jan'],
      ['Rosa Almeida', '✅ valid until 1 Jun'],
    ]);
    expect(textOf(await reply(tom.id, '/quiz-campaign matrix for Ravi Banerjee'))).toContain('No campaign that runs');
    expect(textOf(await reply(rosa.id, '/quiz-campaign matrix'))).not.toContain('Nora');

    const opened = async (name: string, label: string, message = matrix) => {
      await press(ada.id, message, label);
      return workspace.until(() => workspace.views(ada.id).findLast((view) => view.callback_id === name));
    };
    const reminding = await opened('remind-people', 'Remind…');
    expect(reminding.state.values['people']?.['value']?.selected_options?.map(({ text }) => text.text)).toEqual([
      'Nora Fields',
      'Ravi Banerjee',
      'Rosa Almeida',
    ]);
    await workspace.as(ada.id).submit(reminding, {});
    await answer(ada.id, /Scheduled reminders about .* for 3 people/);

    const excusing = await opened('excuse-people', 'Excuse…', await reply(ada.id, '/quiz-campaign matrix'));
    const offered = await workspace.as(ada.id).options(excusing, 'people', '');
    expect(offered.options?.map(({ text }) => text.text)).toEqual(['Nora Fields', 'Ravi Banerjee', 'Rosa Almeida']);
    await workspace.as(ada.id).submit(excusing, { people: ['Nora Fields'], because: 'on leave' });
    await answer(ada.id, 'Excused *Nora Fields* from');

    await clock.skip(3 * 24 * hourMs);
    await directMessage(ravi.id, `*${safetyQuiz}* was due`);
    await press(ada.id, await reply(ada.id, '/quiz-campaign matrix'), 'CSV file');
    await answer(ada.id, 'Sent you 3 people and 2 quizzes');
    const files = () => workspace.directMessages(ada.id).flatMap(({ files: sent = [] }) => sent);
    const { url } = await workspace.until(() => files()[0]);
    const rows = await (await fetch(url)).text();
    expect(rows.replace('\uFEFF', '').split('\r\n')).toEqual([
      `Person,Groups,${safetyQuiz},"${hygieneQuiz}"`,
      'Ravi Banerjee,Warehouse,overdue since 2030-01-09,',
      'Rosa Almeida,Kitchen,overdue since 2030-01-09,valid until 2030-06-01',
      'Nora Fields,,excused,excused until 2031-01-11',
      '',
    ]);
  },
);
