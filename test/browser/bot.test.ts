import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, composerOf, expectAccessible, expectNoSidewaysScroll, keepScreenshot, type } from './support/page.ts';
import { usePageOfBot } from './support/way.ts';

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
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-list-and-alert');
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

  test('a created user’s password is set and shown each time Show password is pressed', async () => {
    const { page, dialog } = browser;
    const shownPassword = async () => {
      await dialog.getByText('with this password').waitFor();
      await expectAccessible(page);
      return /[A-Za-z2-9]{16}/.exec(await dialog.innerText())?.[0];
    };
    await openShortcut('Create a user');
    await dialog.getByLabel('User name').fill('ines@quiz.example');
    await dialog.getByLabel('First name').fill('Ines');
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-create-user');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText('as a respondent').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-user-created');
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

  test('an administrator opens an attempt and gets its file with the keyboard only', async () => {
    const { page, dialog } = browser;
    await actAs(page, people.ada);
    await composerOf(page).focus();
    await page.keyboard.type('/quiz attempt onboarding of rosa almeida');
    await page.keyboard.press('Enter');
    const send = page.getByRole('button', { name: /Get code-of-conduct/ });
    await send.waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-attempt-message');
    await send.focus();
    await page.keyboard.press('Enter');
    await page.getByText('in a direct message').first().waitFor();
    await page.getByRole('button', { name: 'Delete…' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('You can’t undo this').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-delete-response');
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
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-attempt');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Invigilator(?! Home)/ }).click();
    await page.getByText('results.xlsx').first().waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-results-file');
  });

  test('results, sorted in their table, and Home are readable on a phone and in dark mode', async () => {
    const { page } = browser;
    await actAs(page, people.erin);
    await type(page, '/quiz results workplace');
    await page.getByText('Attempts by percentage').first().waitFor();
    const column = page.getByRole('columnheader', { name: 'Percentage' });
    await column.getByRole('button').click();
    await expect.poll(() => column.getAttribute('aria-sort')).toBe('ascending');
    await page.setViewportSize({ width: 360, height: 1200 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-results-phone-dark');
    await page.getByRole('button', { name: 'Channels' }).click();
    await page.getByRole('button', { name: /Invigilator Home/ }).click();
    await page.getByRole('button', { name: 'Assign… Workplace safety basics' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-home-phone-dark');
  });
});
