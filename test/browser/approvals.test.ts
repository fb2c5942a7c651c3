import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalsIn, leads, startHouseWithApprovals } from '../support/approvals.ts';
import { textOf, type House } from '../support/house.ts';
import { launchChromium, noBrowser } from './support/chromium.ts';
import { composerOf, expectAccessible, keepScreenshot, type } from './support/page.ts';

const suspendRosa = '/quiz-user suspend rosa almeida --reason "She has left"';

describe.skipIf(noBrowser)('approvals in a browser', { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  async function open(): Promise<{ page: Page; house: House }> {
    const house = await startHouseWithApprovals();
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    onTestFinished(() => page.close());
    page.setDefaultTimeout(10_000);
    await page.goto(house.workspace.url);
    await composerOf(page).waitFor();
    return { page, house };
  }

  const dialog = (page: Page) => page.getByRole('dialog');
  const actAs = (page: Page, person: { id: string }) => page.getByLabel('Acting as').selectOption(person.id);
  const isRosaSuspended = ({ quizService }: House) => quizService.database.get<{ suspended: number }>("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'")?.suspended === 1;

  test('a trainer asks by command and an administrator approves with the mouse', async () => {
    const { page, house } = await open();
    await actAs(page, people.uma);
    await type(page, suspendRosa);
    await page.getByText('You asked for approval').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'approval-asked');

    await actAs(page, people.ada);
    await page.getByRole('link', { name: /training-leads/ }).or(page.getByRole('button', { name: /training-leads/ })).first().click();
    await page.getByRole('button', { name: 'Review' }).click();
    await dialog(page).getByText('As it is now').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'approval-review');
    await dialog(page).getByRole('radio', { name: 'Approve' }).check();
    await dialog(page).getByRole('button', { name: 'Decide' }).click();
    await dialog(page).getByText('is suspended and cannot sign in').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Approved').first().waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'approval-record');
    expect(isRosaSuspended(house)).toBe(true);
  });

  test('an administrator denies with the keyboard alone, and has to say why', async () => {
    const { page, house } = await open();
    await approvalsIn(house).ask(people.uma.id, suspendRosa);
    await actAs(page, people.ada);
    await page.getByRole('link', { name: /training-leads/ }).or(page.getByRole('button', { name: /training-leads/ })).first().click();
    await page.getByRole('button', { name: 'Review' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('radio', { name: 'Deny' }).waitFor();
    await dialog(page).getByRole('radio', { name: 'Approve' }).focus();
    await page.keyboard.press('ArrowDown');
    await dialog(page).getByRole('button', { name: 'Decide' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Say why you deny it').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('textbox').focus();
    await page.keyboard.type('She is on leave');
    await dialog(page).getByRole('button', { name: 'Decide' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Denied').waitFor();
    await house.workspace.until(() => textOf(house.workspace.messages(leads)[0]).includes('She is on leave'));
    expect(isRosaSuspended(house)).toBe(false);
  });

  test('the audit trail is read as an administrator reads it', async () => {
    const { page, house } = await open();
    await approvalsIn(house).ask(people.uma.id, suspendRosa);
    await actAs(page, people.ada);
    await type(page, '/quiz-admin audit');
    await page.getByText('The audit trail').waitFor();
    await page.getByText('requested').first().waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'audit-trail');
    expect(isRosaSuspended(house)).toBe(false);
  });
});
