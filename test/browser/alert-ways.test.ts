import { expect, test } from 'vitest';
import { takeQuiz } from '../support/take-quiz.ts';
import { mouse } from './support/hands.ts';
import { describeWays } from './support/way.ts';

describeWays('alerts', { with: [mouse] }, (way) => {
  const { browser, hand, look, button } = way;

  test('View attempt shows the attempt of an alert in a modal', async () => {
    const { page, log, dialog } = browser;
    await way.become('ada');
    const quiz = way.testBed.quizService.database.get<{ quiz_id: string }>(
      "SELECT quiz_id FROM quizzes WHERE name LIKE 'Workplace safety%'",
    );
    await takeQuiz(way.testBed.quizService.url, quiz?.quiz_id ?? '');
    await log.getByText('Ines Guest').waitFor();
    await look('alert');
    await hand.press(button('View attempt'));
    await dialog.getByText('Workplace safety basics').first().waitFor();
    await look('alert-attempt');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a pause until tomorrow is ended by its button', async () => {
    const { page, log } = browser;
    await way.become('tom');
    await way.openChannel('training');
    await hand.type(page, '/quiz-alerts subscribe food');
    await log.getByText('Subscribed this channel').last().waitFor();
    await look('subscribed');
    await hand.type(page, '/quiz-alerts pause until tomorrow');
    await log.getByText('Paused').first().waitFor();
    await look('paused');
    await hand.press(button('Resume'));
    await log.getByText('Resumed').first().waitFor();
    await look('resumed');
    await hand.type(page, '/quiz-alerts list');
    await log.getByText('1 subscription').waitFor();
    await look('subscriptions');
  });
});

describeWays('the form of alerts', {}, (way) => {
  const { browser, hand, look } = way;

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
