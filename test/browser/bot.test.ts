import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { sendEvent, worstAlerts } from '../support/event.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { usePageOfBot } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, composerOf, expectAccessible, expectNoSidewaysScroll, keepScreenshot, type } from './support/page.ts';

describe.skipIf(noBrowser)('the bot in a browser', () => {
  const bed = usePageOfBot();
  const { browser } = bed;

  async function openShortcut(name: string): Promise<void> {
    await browser.page.getByRole('button', { name: /shortcuts/i }).click();
    await browser.page.getByRole('menuitem', { name: new RegExp(name) }).click();
    await browser.dialog.waitFor();
  }

  test('a submission on the page of the quiz becomes a message in the channel', async () => {
    const { page } = browser;
    await type(page, '/quiz list');
    await page.getByText('9 quizzes').waitFor();
    const [quiz] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: /Take a quiz/ }).click(),
    ]);
    await quiz.getByRole('link', { name: 'Workplace safety basics' }).click();
    await quiz.getByLabel('First name').fill('Ines');
    await quiz.getByLabel('Last name').fill('Marques');
    await quiz.getByLabel('E-mail address').fill('ines@example.com');
    await quiz.getByRole('button', { name: 'Continue', exact: true }).click();
    await quiz.getByRole('button', { name: 'Start' }).click();
    await quiz.getByRole('button', { name: 'Submit' }).waitFor();
    for (const question of await quiz.getByRole('group').all()) {
      const choices = question.getByRole('radio');
      if ((await choices.count()) > 0) await choices.first().check();
    }
    for (const text of await quiz.getByRole('textbox').all()) await text.fill('helmet');
    await quiz.getByRole('button', { name: 'Submit' }).click();
    await quiz.getByText('Thank you, Ines').waitFor();
    await quiz.close();
    await page.getByText('Ines Marques').first().waitFor();
    await page.getByRole('button', { name: 'View attempt of Ines Marques' }).waitFor();
    await expectAccessible(page, 'bot-list-and-alert');
  });

  test('a trainer closes a quiz with the keyboard only', async () => {
    const { testBed } = bed;
    const { page, dialog } = browser;
    await actAs(page, people.erin);
    await composerOf(page).focus();
    await page.keyboard.type('/quiz close');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    // Waits for the options of the whole word: a later answer to a part of it would reset the selection.
    const offered = page.waitForResponse((response) => response.request().postData()?.includes('"hygiene"') ?? false);
    await page.keyboard.type('hygiene');
    await offered;
    await expect.poll(() => dialog.getByRole('option').allTextContents()).toHaveLength(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    for (
      let tabs = 0;
      tabs < 6 && (await page.evaluate('document.activeElement?.textContent?.trim()')) !== 'Close quiz';
      tabs += 1
    )
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText(/Closed Food hygiene/).waitFor();
    expect(testBed.requests.some((request) => request.endsWith('status=closed'))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a taken name shows an error under the field and keeps the input; a created user’s password is set and shown each time Show password is pressed', async () => {
    const { page, dialog } = browser;
    const shownPassword = async () => {
      await dialog.getByText('with this password').waitFor();
      await expectAccessible(page);
      return /[A-Za-z2-9]{16}/.exec(await dialog.innerText())?.[0];
    };
    await openShortcut('Create a user');
    await dialog.getByLabel('User name').fill('taken@elsewhere.example');
    await dialog.getByLabel('First name').fill('Ines');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText(/refused this/).waitFor();
    expect(await dialog.getByLabel('First name').inputValue()).toBe('Ines');
    await expectAccessible(page, 'bot-name-taken');
    await dialog.getByLabel('User name').fill('ines@quiz.example');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText('as a respondent').waitFor();
    await expectAccessible(page, 'bot-user-created');
    await dialog.getByRole('button', { name: 'Show password' }).click();
    const first = await shownPassword();
    await keepScreenshot(page, 'bot-password-shown');
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: /^Invigilator (?!Home)/ }).click();
    await page.getByRole('button', { name: 'Show password' }).waitFor();
    await keepScreenshot(page, 'bot-password-offer');
    await page.getByRole('button', { name: 'Show password' }).click();
    const second = await shownPassword();
    expect([first, second]).toEqual([expect.any(String), expect.any(String)]);
    expect(second).not.toBe(first);
  });

  test('the Home tab can be read on a phone and in the dark, and its quick actions work with the keyboard only', async () => {
    const { page, dialog } = browser;
    // Nobody has opened this Home before, so it isn’t replaced between Tab and Enter.
    await actAs(page, people.erin);
    await page.getByRole('button', { name: /Invigilator Home/ }).focus();
    await page.keyboard.press('Enter');
    const assign = page.getByRole('button', { name: 'Assign… Workplace safety basics' });
    await assign.waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, 'bot-home-phone-dark');
    await assign.focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: 'Assign quiz' }).waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Quiz', exact: true }).inputValue()).toBe(
      'Workplace safety basics',
    );
    await expectAccessible(page);
  });

  test('a trainer reads, sorts and filters chart and table with the mouse, also on a phone and in the dark', async () => {
    const { page, dialog } = browser;
    await actAs(page, people.erin);
    await type(page, '/quiz results workplace');
    await page.getByText('Attempts by percentage').first().waitFor();
    await expectAccessible(page, 'bot-results');
    await page.getByRole('columnheader', { name: 'Percentage' }).getByRole('button').click();
    await keepScreenshot(page, 'bot-results-sorted');
    await page.getByRole('button', { name: 'Filter…' }).click();
    await dialog.getByRole('combobox', { name: /Result/ }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await expectAccessible(page, 'bot-results-filter');
    await dialog.getByRole('button', { name: 'Show' }).click();
    await page.getByText('only failed').waitFor();
    await page.setViewportSize({ width: 360, height: 1200 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, 'bot-results-phone-dark');
  });

  test('an administrator opens an attempt and gets its file with the keyboard only', async () => {
    const { page, dialog } = browser;
    await actAs(page, people.ada);
    await composerOf(page).focus();
    await page.keyboard.type('/quiz attempt onboarding of rosa almeida');
    await page.keyboard.press('Enter');
    const send = page.getByRole('button', { name: /Get code-of-conduct/ });
    await send.waitFor();
    await expectAccessible(page, 'bot-attempt-message');
    await send.focus();
    await page.keyboard.press('Enter');
    await page.getByText('in a direct message').first().waitFor();
    await page.getByRole('button', { name: 'Delete…' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('You can’t undo this').waitFor();
    await expectAccessible(page, 'bot-delete-response');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('the file arrives in the direct messages, and an attempt opens from the picker', async () => {
    const { page, dialog } = browser;
    await actAs(page, people.ada);
    await type(page, '/quiz results onboarding');
    await page.getByRole('button', { name: 'Excel file' }).click();
    await page.getByText('The file is in your direct messages').waitFor();
    await page.getByRole('combobox', { name: /View an attempt/ }).click();
    await page
      .getByRole('listbox', { name: /View an attempt/ })
      .getByRole('option')
      .first()
      .click();
    await dialog.getByText('Percentage').waitFor();
    await expectAccessible(page, 'bot-attempt');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Invigilator(?! Home)/ }).click();
    await page.getByText('results.xlsx').first().waitFor();
    await expectAccessible(page, 'bot-results-file');
  });

  test('an alert opens its attempt with the keyboard, and the alerts that are hardest to word can be read alone and in a burst', async () => {
    const { page, dialog } = browser;
    const { workspace, quizService, url } = bed.testBed;
    const results = workspace.channels.results.id;
    const quiz = quizService.database.get<{ quiz_id: string }>("SELECT quiz_id FROM quizzes WHERE status = 'open'")!;
    await takeQuiz(quizService.url, quiz.quiz_id);
    for (const width of [1200, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('button', { name: 'View attempt of Ines Guest' }).press('Enter');
      await dialog.getByText('Ines Guest').first().waitFor();
      await dialog.getByText('1. ').first().waitFor();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.setViewportSize({ width: 1200, height: 2400 });
    const before = workspace.messages(results).length;
    for (const [index, { body }] of worstAlerts.entries()) {
      await sendEvent(url, body(1));
      await workspace.until(() => workspace.messages(results)[before + index]);
    }
    for (const { body } of worstAlerts) await sendEvent(url, body(2));
    await page.getByText('6 submissions').or(page.getByText('5 submissions')).first().waitFor();
    expect(await page.getByText('undefined').count()).toBe(0);
    await expectAccessible(page, 'bot-worst-alerts');
  });
});
