import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startHouseWithApprovals } from '../support/approvals.ts';
import type { House } from '../support/house.ts';
import { launchChromium, noBrowser } from './support/chromium.ts';
import { composerOf, expectAccessible, keepScreenshot, type } from './support/page.ts';

describe.skipIf(noBrowser)('approvals in a browser', { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  /** Uma has asked to suspend Ravi; whoever acts next stands in the channel where it is decided. */
  async function open(): Promise<{ page: Page; house: House }> {
    const house = await startHouseWithApprovals();
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    onTestFinished(() => page.close());
    page.setDefaultTimeout(10_000);
    await page.goto(house.workspace.url);
    await composerOf(page).waitFor();
    await page.getByLabel('Acting as').selectOption(people.uma.id);
    await type(page, '/quiz-user suspend Ravi Banerjee');
    await page.getByRole('button', { name: 'Say why' }).click();
    await dialog(page).getByLabel('Why?').fill('He has left');
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-approval-reason');
    await dialog(page).getByRole('button', { name: 'Ask for approval' }).click();
    await dialog(page).getByText('You asked for approval').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Acting as').selectOption(people.ada.id);
    await page.getByRole('button', { name: /training-leads/ }).click();
    return { page, house };
  }

  const dialog = (page: Page) => page.getByRole('dialog');
  const isSuspended = (house: House) => house.quizService.database.get<{ suspended: number }>("SELECT suspended FROM users WHERE user_name = 'ravi@quiz.example'")?.suspended;

  test('an administrator approves with the mouse, and the message becomes the record', async () => {
    const { page, house } = await open();
    await page.getByRole('button', { name: 'Review' }).click();
    await dialog(page).getByText('As it is now').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-approval-review');
    expect(isSuspended(house)).toBe(0);
    await dialog(page).getByLabel('Approve').check();
    await dialog(page).getByRole('button', { name: 'Decide' }).click();
    await dialog(page).getByText('Ravi Banerjee is suspended').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/Approved/).first().waitFor();
    await page.getByRole('button', { name: 'Review' }).waitFor({ state: 'detached' });
    expect(isSuspended(house)).toBe(1);
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-approval-record');
  });

  test('denying wants a comment, and can be done with the keyboard alone', async () => {
    const { page, house } = await open();
    await page.getByRole('button', { name: 'Review' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('As it is now').waitFor();
    await dialog(page).getByLabel('Deny').focus();
    await page.keyboard.press('Space');
    await dialog(page).getByRole('button', { name: 'Decide' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Say why you deny it').waitFor();
    await expectAccessible(page);
    await dialog(page).getByLabel('Comment').focus();
    await page.keyboard.type('He is back');
    await dialog(page).getByRole('button', { name: 'Decide' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Denied').waitFor();
    expect(isSuspended(house)).toBe(0);
  });
});
