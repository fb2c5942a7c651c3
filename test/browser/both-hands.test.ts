import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions } from '../support/approvals.ts';
import { usePageOfBot } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, composerOf, expectAccessible, keepLooks } from './support/page.ts';

/** A way to use the page: with the mouse, or with the keyboard only. */
interface Hands {
  name: 'mouse' | 'keyboard';
  press(element: Locator): Promise<void>;
  /** Types a line into the composer and sends it. */
  type(page: Page, line: string): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
  /** Finds an option of a picker by a part of its text, and chooses it. */
  choose(picker: Locator, text: string): Promise<void>;
}

const optionOf = (picker: Locator, text: string): Locator =>
  picker.page().getByRole('listbox').getByRole('option', { name: text }).first();

const mouse: Hands = {
  name: 'mouse',
  press: (element) => element.click(),
  async type(page, line) {
    await composerOf(page).click();
    await composerOf(page).fill(line);
    await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  },
  fill: (field, text) => field.fill(text),
  async choose(picker, text) {
    await picker.click();
    await picker.fill(text);
    await optionOf(picker, text).click();
  },
};

const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node.ownerDocument.activeElement === node);

/** More presses of Tab than a page has stops. */
const mostStops = 150;

/** Presses Tab until the element has the focus: forwards in a dialog, else backwards from the composer to the newest message. */
async function reach(element: Locator): Promise<void> {
  await element.waitFor();
  const page = element.page();
  const isInDialog = (await element.locator('xpath=ancestor::dialog').count()) > 0;
  for (let stops = 0; stops < mostStops; stops += 1) {
    if (await isFocused(element)) return;
    await page.keyboard.press(isInDialog ? 'Tab' : 'Shift+Tab');
  }
  throw new Error(`${String(element)} cannot be reached with Tab`);
}

const keyboard: Hands = {
  name: 'keyboard',
  async press(element) {
    await reach(element);
    const isChoice = ['radio', 'checkbox'].includes((await element.getAttribute('type')) ?? '');
    await element.page().keyboard.press(isChoice ? 'Space' : 'Enter');
  },
  async type(page, line) {
    await composerOf(page).focus();
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  },
  async fill(field, text) {
    await reach(field);
    await field.page().keyboard.type(text);
  },
  async choose(picker, text) {
    await reach(picker);
    const { keyboard: keys } = picker.page();
    await keys.type(text);
    // Enter chooses the first option, which is another until the list is filtered.
    await picker.page().getByRole('listbox').getByRole('option').first().filter({ hasText: text }).waitFor();
    await keys.press('Enter');
  },
};

const hands: readonly Hands[] = [mouse, keyboard];

describe.skipIf(noBrowser).each(hands)('with the $name', (hand) => {
  const bed = usePageOfBot({ hasQuizLinks: true, env: { APPROVALS_CHANNEL: channels.leads.id } });
  const { browser } = bed;
  const button = (name: string) => browser.log.getByRole('button', { name: new RegExp(`^${name}`) }).last();
  const openChannel = (name: RegExp) =>
    browser.page.getByRole('navigation', { name: 'Channels' }).getByRole('button', { name }).click();
  const openHome = () => openChannel(/Invigilator Home/);
  const openMessages = () => openChannel(/^Invigilator(?! Home)/);
  const home = () => browser.page.getByRole('region', { name: 'Home tab' });
  const suspended = () =>
    bed.testBed.quizService.database
      .all<{ name: string }>("SELECT first_name AS name FROM users WHERE suspended AND user_type = 'respondent'")
      .map(({ name }) => name);

  /** Looks at the page in every form, once: the keyboard leads to the same pages. */
  async function look(name: string): Promise<void> {
    if (hand.name === 'keyboard') return;
    await expectAccessible(browser.page);
    await keepLooks(browser.page, name);
  }

  test('a form of results has an input for each part of the filter', async () => {
    const { page, log, dialog } = browser;
    await actAs(page, people.erin);
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
    await actAs(page, people.erin);
    const assigned = () =>
      bed.testBed.quizService.database
        .all<{ name: string }>(
          "SELECT first_name AS name FROM user_quizzes JOIN quizzes USING (quiz_id) JOIN users USING (user_id) WHERE quizzes.name = 'Forklift theory test'",
        )
        .map(({ name }) => name);
    await hand.type(page, '/quiz assign');
    await hand.choose(dialog.getByRole('combobox', { name: 'Quiz' }), 'Forklift theory');
    const users = dialog.getByRole('combobox', { name: 'Users and groups', exact: true });
    await hand.choose(users, 'Rosa');
    await hand.choose(users, 'Kitchen');
    await hand.choose(dialog.getByRole('combobox', { name: 'People in this workspace' }), 'Gus');
    await look('assign-form');
    await hand.press(dialog.getByRole('button', { name: 'Assign quiz' }));
    await dialog.getByText('closed').first().waitFor();
    await look('warning');
    expect(assigned()).not.toContain('Gus');
    await hand.press(dialog.getByRole('checkbox', { name: 'Do it all the same' }));
    await hand.press(dialog.getByRole('button', { name: 'Assign quiz' }));
    await dialog.getByText(/Assigned Forklift theory.* to .*Rosa Almeida/).waitFor();
    await look('warned-and-done');
    expect(assigned()).toEqual(expect.arrayContaining(['Gus', 'Rosa']));
  });

  test('the form to subscribe asks for a time and a zone only for a digest', async () => {
    const { page, dialog } = browser;
    await actAs(page, people.tom);
    await openChannel(/training(?![\w-])/);
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

  test('lets a respondent take what is due, and the result arrives in the direct messages', async () => {
    const { page, log } = browser;
    await bed.testBed.workspace.as(people.erin.id).command('/quiz assign onboarding to ravi');
    await actAs(page, people.ravi);
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
    await openMessages();
    await log.getByText('Onboarding, week 1').last().waitFor();
    await expect.poll(() => log.getByRole('listitem').count()).toBeGreaterThan(1);
    await look('respondent-messages');
    await openHome();
    await look('home-respondent-after');
  });

  test('shows staff what waits for them, who must give a reason to deny it, which the requester reads', async () => {
    const { page, dialog, log } = browser;
    await approvalActions(bed.testBed).ask(people.uma.id, '/quiz-user suspend rosa --reason "She has left"');
    await actAs(page, people.ada);
    await openHome();
    await home().getByText('suspend Rosa Almeida').waitFor();
    await look('home-staff');
    await hand.press(home().getByRole('button', { name: /^Review/ }));
    await hand.press(dialog.getByRole('button', { name: /^Deny/ }));
    await dialog.getByRole('textbox', { name: /^Reason/ }).waitFor();
    await hand.press(dialog.getByRole('button', { name: 'Deny' }));
    await dialog.getByText('Please complete this required field.').waitFor();
    await look('approval-denying');
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
    await page.keyboard.press('Escape');

    await actAs(page, people.uma);
    await openMessages();
    await log.getByText(/denied: suspend Rosa Almeida/).waitFor();
    await log.getByText('She is on leave').first().waitFor();
    await look('approval-denied');
    expect(suspended()).not.toContain('Rosa');
  });

  test('is in the language of a person’s Slack, or in the one that they choose', async () => {
    const { page } = browser;
    await actAs(page, people.rosa);
    await openHome();
    const menu = home().getByRole('combobox').last();
    await menu.waitFor();
    await page.getByLabel('Language of Slack').selectOption({ label: 'Deutsch' });
    await expect.poll(() => menu.inputValue()).toContain('(Deutsch)');
    await hand.choose(menu, 'Polski');
    await expect.poll(() => menu.inputValue()).toBe('Polski');
    await look('home-language');
  });

  test('a trainer requests, an administrator approves, and the requester’s message follows', async () => {
    const { page, dialog, log } = browser;
    await actAs(page, people.uma);
    await hand.type(page, '/quiz-user suspend chiara');
    await hand.press(button('Give a reason'));
    await hand.fill(dialog.getByLabel(/^Why|^Reason/), 'She has left');
    await look('approval-reason');
    await hand.press(dialog.getByRole('button', { name: /^Request|^Ask/ }));
    await dialog.getByText('Approval requested').waitFor();
    // It closes the modal: the first button of the answer is Withdraw.
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await openMessages();
    await log.getByText('suspend Chiara Lombardi').last().waitFor();
    await look('approval-requested');

    await actAs(page, people.ada);
    await openChannel(/training-leads/);
    await log.getByText('asks to suspend Chiara Lombardi').waitFor();
    await look('approval-request');
    await hand.press(button('Approve'));
    await dialog.getByText('Chiara Lombardi now').waitFor();
    await look('approval-review');
    await hand.press(dialog.getByRole('button', { name: 'Approve' }));
    await dialog.getByText('Suspended Chiara Lombardi').waitFor();
    await look('approval-approved');
    await page.keyboard.press('Escape');
    await log.getByText('approved').first().waitFor();
    await look('approval-record');
    expect(suspended()).toContain('Chiara');
    await hand.type(page, '/quiz-admin audit');
    await log.getByText('Audit trail').first().waitFor();
    await look('audit-trail');

    await actAs(page, people.uma);
    await openMessages();
    await log.getByText(/approved:/).waitFor();
    await look('approval-news');
  });
});
