import { beforeEach, expect, test } from 'vitest';
import { describeWays } from './support/way.ts';

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

  test('the form to subscribe asks for a time and a zone only for a digest', async () => {
    const { page, dialog } = browser;
    await way.become('tom');
    await way.openChannel('training');
    await hand.type(page, '/quiz-alerts subscribe');
    await dialog.getByRole('combobox', { name: 'Quiz' }).waitFor();
    await look('subscribe-form');
    expect(await dialog.getByLabel(/^Time/).count()).toBe(0);
    await hand.choose(dialog.getByRole('combobox', { name: 'Delivery' }), 'A daily digest');
    const time = dialog.getByRole('textbox', { name: /^Time(?! zone)/ });
    await time.waitFor();
    await look('subscribe-form-digest');
    await hand.fill(time, '08:30');
    await hand.press(dialog.getByRole('button', { name: 'Subscribe' }));
    await page
      .getByText(/daily digest/)
      .last()
      .waitFor();
    await look('subscribed-digest');
  });
});
