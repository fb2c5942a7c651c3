import { beforeEach, expect, test } from 'vitest';
import { mouse } from './support/hands.ts';
import { describeWays } from './support/way.ts';

describeWays('next steps', { with: [mouse] }, (way) => {
  const { browser, hand, look, button } = way;
  const countOf = (sql: string, ...values: string[]) =>
    way.testBed.quizService.database.get<{ count: number }>(sql, values)?.count;
  const statusOf = (name: string) =>
    way.testBed.quizService.database.get<{ status: string }>('SELECT status FROM quizzes WHERE name = ?', [name])
      ?.status;

  beforeEach(() => way.become('erin'));

  test('a closed quiz is opened again from its message', async () => {
    const { page, log } = browser;
    await hand.type(page, '/quiz close food');
    await log.getByText('Closed Food hygiene').waitFor();
    await look('closed');
    await hand.press(button('Open again'));
    await log.getByText('Opened Food hygiene').waitFor();
    await look('opened-again');
    expect(statusOf('Food hygiene, level 2')).toBe('open');
    await hand.type(page, '/quiz open food');
    await log.getByText('was open already').waitFor();
    await look('open-already');
  });

  test('an assignment is undone from its message', async () => {
    const { page, log } = browser;
    const assigned = () =>
      countOf(
        "SELECT count(*) AS count FROM user_quizzes JOIN users USING (user_id) JOIN quizzes USING (quiz_id) WHERE user_name = 'ravi@quiz.example' AND name = ?",
        'Onboarding, week 1',
      );
    expect(assigned()).toBe(0);
    await hand.type(page, '/quiz assign onboarding to ravi');
    await log.getByText('Assigned Onboarding, week 1').waitFor();
    await look('assigned');
    expect(assigned()).toBe(1);
    await hand.press(button('Undo'));
    await log.getByText(/Unassigned Onboarding|no longer/).waitFor();
    await look('assignment-undone');
    expect(assigned()).toBe(0);
  });

  test('a channel’s people get a quiz after a question that counts them', async () => {
    const { page, log } = browser;
    const assigned = () =>
      countOf(
        'SELECT count(*) AS count FROM user_quizzes JOIN quizzes USING (quiz_id) WHERE name = ?',
        'Onboarding, week 1',
      );
    const before = assigned() ?? 0;
    await hand.type(page, '/quiz assign onboarding to #training');
    await log.getByText('#training has 9 people').waitFor();
    await look('channel-question');
    expect(assigned()).toBe(before);
    await hand.press(button('Assign to 9 people'));
    await log.getByText('Assigned Onboarding, week 1').waitFor();
    await look('channel-assigned');
    expect(assigned()).toBeGreaterThan(before);
  });

  test('a verb that is nearly right runs by its button, and a list acts on its quizzes', async () => {
    const { page, log } = browser;
    await hand.type(page, '/quiz lst');
    await log.getByText('Did you mean /quiz list?').waitFor();
    await look('near-verb');
    await hand.press(button('Run /quiz list'));
    await log.getByText('9 quizzes').waitFor();
    await look('list');
    await hand.press(log.getByRole('button', { name: 'More actions' }).nth(2));
    const item = log.getByRole('menuitem', { name: 'Close' }).filter({ visible: true });
    await item.waitFor();
    await look('list-menu');
    await item.click();
    await log.getByText('Closed Food hygiene, level 2').waitFor();
    expect(statusOf('Food hygiene, level 2')).toBe('closed');
  });
});

describeWays('forms', {}, (way) => {
  const { browser, hand, look } = way;

  beforeEach(() => way.become('erin'));

  test('a form of results has an input for each part of the filter', async () => {
    const { page, log, dialog } = browser;
    await hand.type(page, '/quiz results');
    await hand.choose(dialog.getByRole('combobox', { name: 'Quiz' }), 'Food hygiene');
    await look('results-form');
    await hand.choose(dialog.getByRole('combobox', { name: 'Result' }), 'Failed');
    await hand.press(dialog.getByRole('button', { name: /^Show/ }));
    await page.getByText('only failed').waitFor();
    await look('results');
    await log.getByText('Teresa Wójcik').first().waitFor();
  });

  test('what can go wrong is said before, and can be done all the same', async () => {
    const { page, dialog } = browser;
    const assigned = () =>
      way.testBed.quizService.database.get<{ count: number }>(
        "SELECT count(*) AS count FROM user_quizzes JOIN quizzes USING (quiz_id) WHERE name = 'Forklift theory test'",
      )?.count ?? 0;
    const before = assigned();
    await hand.type(page, '/quiz assign');
    await hand.choose(dialog.getByRole('combobox', { name: 'Quiz' }), 'Forklift theory');
    await hand.choose(dialog.getByRole('combobox', { name: 'People in this workspace' }), 'Gus');
    await hand.press(dialog.getByRole('button', { name: 'Assign quiz' }));
    await dialog.getByText('closed').first().waitFor();
    await look('warning');
    expect(assigned()).toBe(before);
    await hand.press(dialog.getByRole('checkbox', { name: 'Do it all the same' }));
    await hand.press(dialog.getByRole('button', { name: 'Assign quiz' }));
    await dialog.getByText('Assigned Forklift theory').waitFor();
    await look('warned-and-done');
    expect(assigned()).toBe(before + 1);
  });
});
