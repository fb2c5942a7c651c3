import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId, startApprovalsTestBed } from '../support/approvals.ts';
import { textOf, type TestBed } from '../support/test-bed.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, keepScreenshot, type } from './support/page.ts';

const suspendRosa = '/quiz-user suspend rosa almeida --reason "She has left"';

describe.skipIf(noBrowser)('approvals in a browser', { timeout: 60_000 }, () => {
  const browser = useBrowserPage();

  async function open(): Promise<TestBed> {
    const testBed = await startApprovalsTestBed();
    await browser.goTo(testBed.workspace.url, { viewport: { width: 1200, height: 900 } });
    return testBed;
  }

  const isRosaSuspended = ({ quizService }: TestBed) => quizService.database.get<{ suspended: number }>("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'")?.suspended === 1;

  test('a trainer makes a request by command and an administrator approves it with the mouse', async () => {
    const testBed = await open();
    const { page, dialog } = browser;
    await actAs(page, people.uma);
    await type(page, suspendRosa);
    await page.getByText('You asked for approval').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'approval-asked');

    await actAs(page, people.ada);
    await page.getByRole('button', { name: /training-leads/ }).click();
    await page.getByRole('button', { name: 'Review' }).click();
    await dialog.getByText('As it is now').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'approval-review');
    await dialog.getByRole('radio', { name: 'Approve' }).check();
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await dialog.getByText('They can’t sign in until someone reinstates them').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Approved').first().waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'approval-record');
    expect(isRosaSuspended(testBed)).toBe(true);
  });

  test('an administrator denies with the keyboard only and must give a reason', async () => {
    const testBed = await open();
    const { page, dialog } = browser;
    await approvalActions(testBed).ask(people.uma.id, suspendRosa);
    await actAs(page, people.ada);
    await page.getByRole('button', { name: /training-leads/ }).click();
    await page.getByRole('button', { name: 'Review' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('radio', { name: 'Deny' }).waitFor();
    await dialog.getByRole('radio', { name: 'Approve' }).focus();
    await page.keyboard.press('ArrowDown');
    await dialog.getByRole('button', { name: 'Decide' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('Say why you deny it').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('textbox').focus();
    await page.keyboard.type('She is on leave');
    await dialog.getByRole('button', { name: 'Decide' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('Denied').waitFor();
    await testBed.workspace.until(() => textOf(testBed.workspace.messages(leadsChannelId)[0]).includes('She is on leave'));
    expect(isRosaSuspended(testBed)).toBe(false);
  });

  test('an administrator reads the audit trail', async () => {
    const testBed = await open();
    const { page } = browser;
    await approvalActions(testBed).ask(people.uma.id, suspendRosa);
    await actAs(page, people.ada);
    await type(page, '/quiz-admin audit');
    await page.getByText('The audit trail').waitFor();
    await page.getByText('requested').first().waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'audit-trail');
    expect(isRosaSuspended(testBed)).toBe(false);
  });
});
