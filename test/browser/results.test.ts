import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, type TestBed } from '../support/test-bed.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, composerOf, expectAccessible, expectNoSidewaysScroll, keepScreenshot, type } from './support/page.ts';

describe.skipIf(noBrowser)('results in a browser', () => {
  const browser = useBrowserPage();

  async function open(person: { id: string }): Promise<TestBed> {
    const testBed = await startTestBed();
    await browser.goTo(testBed.workspace.url, { viewport: { width: 1200, height: 1400 } });
    await actAs(browser.page, person);
    return testBed;
  }

  test('a trainer reads, sorts and filters chart and table with the mouse', async () => {
    await open(people.erin);
    const { page, dialog } = browser;
    await type(page, '/quiz results workplace');
    await page.getByText('Attempts by percentage').first().waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-results');
    await page.getByRole('columnheader', { name: 'Percentage' }).getByRole('button').click();
    await keepScreenshot(page, 'bot-results-sorted');
    await page.getByRole('button', { name: 'Filter…' }).click();
    await dialog.getByRole('combobox', { name: /Result/ }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-results-filter');
    await dialog.getByRole('button', { name: 'Show' }).click();
    await page.getByText('only failed').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-results-failed');
  });

  test('an administrator opens an attempt and gets its file with the keyboard only', async () => {
    await open(people.ada);
    const { page, dialog } = browser;
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
    const testBed = await open(people.ada);
    const { page, dialog } = browser;
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
    expect(testBed.workspace.directMessages(people.ada.id)).toHaveLength(1);
  });

  test('results are readable on a phone and in dark mode', async () => {
    await open(people.erin);
    const { page } = browser;
    await type(page, '/quiz results workplace');
    await page.getByText('Attempts by percentage').first().waitFor();
    await page.setViewportSize({ width: 360, height: 1200 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-results-phone-dark');
  });
});
