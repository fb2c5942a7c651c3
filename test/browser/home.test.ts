import { expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions } from '../support/approvals.ts';
import { describeWays } from './support/way.ts';

describeWays('the Home tab', { hasQuizLinks: true, env: { APPROVALS_CHANNEL: channels.leads.id } }, (way) => {
  const { browser, hand, look } = way;
  const openHome = () =>
    browser.page
      .getByRole('navigation', { name: 'Channels' })
      .getByRole('button', { name: /Invigilator Home/ })
      .click();
  const home = () => browser.page.getByRole('region', { name: 'Home tab' });

  test('lets a respondent take what is due, and the result arrives in the direct messages', async () => {
    const { page, log } = browser;
    await way.testBed.workspace.as(people.erin.id).command('/quiz assign onboarding to ravi');
    await way.become('ravi');
    await openHome();
    const take = home()
      .getByRole('link', { name: /Onboarding/ })
      .first();
    await take.waitFor();
    await look('home-respondent');
    const [quiz] = await Promise.all([page.context().waitForEvent('page'), hand.press(take)]);
    await quiz.getByRole('button', { name: 'Continue as Ravi Banerjee' }).click();
    await quiz.getByRole('button', { name: 'Start' }).click();
    await quiz.getByRole('button', { name: 'Submit' }).click();
    await quiz.getByText('Thank you, Ravi').waitFor();
    await quiz.close();
    await way.openChannel('Invigilator');
    await log.getByText('Onboarding, week 1').last().waitFor();
    await expect.poll(() => log.getByRole('listitem').count()).toBeGreaterThan(1);
    await look('respondent-messages');
    await openHome();
    await look('home-respondent-after');
  });

  test('shows staff what waits for them, and their quizzes with actions', async () => {
    const { dialog } = browser;
    await approvalActions(way.testBed).ask(people.uma.id, '/quiz-user suspend rosa --reason "She has left"');
    await way.become('ada');
    await openHome();
    await home().getByText('suspend Rosa Almeida').waitFor();
    await look('home-staff');
    await hand.press(home().getByRole('button', { name: /^Review/ }));
    await hand.press(dialog.getByRole('button', { name: /^Deny/ }));
    await hand.fill(dialog.getByRole('textbox', { name: /^Reason/ }), 'She is on leave');
    await hand.press(dialog.getByRole('button', { name: 'Deny' }));
    await dialog.getByText('denied: suspend Rosa Almeida').waitFor();
    await hand.press(dialog.getByRole('button', { name: 'Close' }).last());
    // The review is below it.
    await dialog.getByText('She has left').waitFor();
    await hand.press(dialog.getByRole('button', { name: 'Close' }).last());
    await dialog.waitFor({ state: 'detached' });
    await home().getByText('suspend Rosa Almeida').waitFor({ state: 'detached' });
    await hand.press(home().getByRole('button', { name: 'Show commands' }));
    await dialog.getByText('You can type these').waitFor();
    await look('home-commands');
  });

  test('is in the language of a person’s Slack, or in the one that they choose', async () => {
    const { page } = browser;
    await way.become('rosa');
    await openHome();
    const menu = home().getByRole('combobox').last();
    await menu.waitFor();
    await page.getByLabel('Language of Slack').selectOption({ label: 'Deutsch' });
    await expect.poll(() => menu.inputValue()).toContain('(Deutsch)');
    await hand.choose(menu, 'Polski');
    await expect.poll(() => menu.inputValue()).toBe('Polski');
    await look('home-language');
  });
});
