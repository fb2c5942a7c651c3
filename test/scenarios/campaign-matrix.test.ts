import { textOfSent } from '../support/csv-of.ts';
import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { pressAll } from '../support/forged-buttons.ts';
import { storyStores } from '../support/many-changes.ts';
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

test.each(storyStores)(
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
    expect(textOf(matrix)).toContain('*Training matrix*: 3 people, 2 quizzes');
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
    expect(textOf(await reply(ada.id, '/quiz-user show Rosa Almeida'))).toMatch(
      new RegExp(`⏰ \\*${safetyQuiz}\\* · overdue since <!date\\^\\d+\\^[^|]+\\|9 Jan 2030>`),
    );

    const year = await reply(ada.id, '/quiz-campaign year');
    expect(textOf(year)).toContain('*The next twelve months*: 1 due, 1 pass expires');
    expect(textOf(year)).toContain('⏰ 3 people are overdue already.');
    expect(textOf(year)).toContain(`⚠️ Nobody has *${hygieneQuiz}* after 1 Jun.`);
    expect(cellsOf(year).filter(([, cell]) => cell !== '–')).toEqual([
      ['Month', hygieneQuiz],
      ['January 2030', '1 due'],
      ['June 2030', '1 expires'],
    ]);
    expect(cellsOf(year)).toHaveLength(13);
    expect(textOf(await reply(ada.id, '/quiz-campaign year for Kitchen'))).toContain(
      '*The next twelve months* for *Kitchen*: 1 pass expires',
    );

    account.train('tom', { quizzes: [hygieneQuiz] });
    await clock.skip(hourMs);
    expect(textOf(await reply(tom.id, '/quiz-campaign year'))).not.toContain('overdue');
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
    const reminding = await opened('remind-campaign', 'Remind…');
    expect(reminding.state.values['people']?.['value']?.selected_options?.map(({ text }) => text.text)).toEqual([
      'Nora Fields',
      'Ravi Banerjee',
      'Rosa Almeida',
    ]);
    await workspace.as(ada.id).submit(reminding, {});
    await answer(ada.id, /Scheduled reminders about .* for 3 people/);

    const excusing = await opened('excuse-campaign', 'Excuse…', await reply(ada.id, '/quiz-campaign matrix'));
    const offered = await workspace.as(ada.id).options(excusing, 'people', '');
    expect(offered.options?.map(({ text }) => text.text)).toEqual(['Nora Fields', 'Ravi Banerjee', 'Rosa Almeida']);
    await workspace.as(ada.id).submit(excusing, { people: ['Nora Fields'], because: 'on leave' });
    await answer(ada.id, 'Excused *Nora Fields* from');

    await clock.skip(3 * 24 * hourMs);
    await directMessage(ravi.id, `*${safetyQuiz}* was due`);
    await press(ada.id, await reply(ada.id, '/quiz-campaign matrix'), 'Excel file');
    await answer(ada.id, 'Sent you 3 people and 2 quizzes');
    const files = () => workspace.directMessages(ada.id).flatMap(({ files: sent = [] }) => sent);
    const { url } = await workspace.until(() => files()[0]);
    const rows = await textOfSent(url);
    expect(rows.split('\r\n')).toEqual([
      `Person,Groups,${safetyQuiz},"${hygieneQuiz}"`,
      'Ravi Banerjee,Warehouse,overdue since 2030-01-09,',
      'Rosa Almeida,Kitchen,overdue since 2030-01-09,valid until 2030-06-01',
      'Nora Fields,,excused,excused until 2031-01-11',
      '',
    ]);

    await press(ada.id, await reply(ada.id, '/quiz-campaign matrix for Kitchen'), 'Picture');
    await answer(ada.id, 'Sent you 1 person and 2 quizzes');
    const picture = await workspace.until(() => files().find(({ name }) => name.endsWith('.png')));
    expect(picture.altText).toMatch(/^Training matrix: 1 person and 2 quizzes, as of .* 13 Jan.*\. ⏰ 1 person is /);
    expect(picture.altText?.split('\n').slice(1)).toEqual([
      'Kitchen: 1 of 1 person overdue or expired',
      `Rosa Almeida: ${safetyQuiz} overdue since 9 Jan`,
    ]);
    const png = Buffer.from(await (await fetch(picture.url)).arrayBuffer());
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect([png.readUInt32BE(16) > 1_000, png.readUInt32BE(20) > 300]).toEqual([true, true]);
    expect(textOf(await reply(ada.id, '/quiz-campaign matrix picture'))).toContain('3 people and 2 quizzes');
    await workspace.until(() => (files().filter(({ name }) => name.endsWith('.png')).length === 2 ? true : undefined));
  },
);

test('people are reminded and excused in all campaigns that the reader sees, and nobody where neither is named', async () => {
  const { workspace, account, start, reply, press, answer, clock } = await openSkippedCampaigns(
    'SQLite',
    sundayEvening,
    {
      beforeStart: async (_, { quizService: { database } }) =>
        void database.run("UPDATE groups SET group_name = 'Hygiene team' WHERE group_name = 'Kitchen'"),
    },
  );
  await start(ada.id, '"Workplace safety" for @ravi, @nora due 2030-01-09 12:00 remind none');
  await start(ada.id, '"Food hygiene" for @ravi, @rosa due 2030-01-09 12:00 remind none');
  account.train('tom', { quizzes: [hygieneQuiz] });
  await clock.skip(4 * 24 * hourMs);

  const form = await (await workspace.as(ada.id).command('/quiz-campaign remind')).view();
  expect(form.callback_id).toBe('remind-campaign');
  const nobody = 'Name a campaign, or the people to remind in all their campaigns.';
  expect((await workspace.as(ada.id).submit(form, {})).errors).toEqual({ people: nobody });
  const of17 = { people: [account.userId('ravi')] };
  const [bare, empty, withoutPeople, byTom, reminded, excused] = await pressAll({ workspace }, [
    [ada.id, 'remind-campaign', {}],
    [ada.id, 'remind-people', { campaign: [], people: [''] }],
    [ada.id, 'excuse-campaign', { because: ['on leave'] }],
    [tom.id, 'remind-campaign', of17],
    [ada.id, 'remind-people', of17],
    [ada.id, 'excuse-people', { ...of17, because: ['on leave'] }],
  ]);
  expect([bare, empty]).toEqual([expect.stringContaining(nobody), expect.stringContaining(nobody)]);
  expect(withoutPeople).toContain('Something’s missing. Type it like /quiz-campaign excuse');
  expect(byTom).toContain(`Scheduled a reminder about *${hygieneQuiz}* for *Ravi Banerjee*.`);
  expect(reminded).toMatch(/Scheduled a reminder about \*.*\* and \*.*\* for \*Ravi Banerjee\*\./);
  expect(excused).toMatch(/Excused \*Ravi Banerjee\* from \*.*\* and \*.*\*\./);
  const undone = await answer(ada.id, 'Excused *Ravi Banerjee* from');
  await press(ada.id, undone, `Undo for ${hygieneQuiz}`);
  await answer(ada.id, `Included *Ravi Banerjee* in *${hygieneQuiz}* again.`);

  const question = await reply(ada.id, '/quiz-campaign remind hygiene');
  expect(textOf(question)).toContain('“hygiene” can mean two things. Which one?');
  await press(ada.id, question, 'Remind Hygiene team of everything they have to take');
  await answer(ada.id, `Scheduled a reminder about *${hygieneQuiz}* for *Rosa Almeida*.`);
  expect(textOf(await reply(ada.id, '/quiz-campaign remind rosa about workplace, hygiene'))).toContain(
    `Scheduled a reminder about *${hygieneQuiz}* for *Rosa Almeida*.`,
  );
  expect(textOf(await reply(ada.id, '/quiz-campaign excuse @nora because on leave'))).toContain(
    `Excused *Nora Fields* from *${safetyQuiz}*.`,
  );
  expect(textOf(await reply(ada.id, '/quiz-campaign remind @nora'))).toContain('is left to remind in campaigns');
});
