import { beforeEach, describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import type { TestBed } from '../support/test-bed.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { hands, keepLooks } from './support/hands.ts';
import { actAs, expectAccessible, keepScreenshot, type } from './support/page.ts';

const suspendRosa = '/quiz-user suspend rosa almeida --reason "She has left"';

describe.skipIf(noBrowser).each(hands)('approvals with the $name', (hand) => {
  const browser = useBrowserPage();
  let testBed: TestBed;

  beforeEach(async () => {
    testBed = await startApprovalsTestBed();
    await browser.goTo(testBed.workspace.url, { viewport: { width: 1200, height: 900 } });
  });

  const isRosaSuspended = () =>
    testBed.quizService.database.get<{ suspended: number }>(
      "SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'",
    )?.suspended === 1;
  const button = (name: string) => browser.log.getByRole('button', { name: new RegExp(`^${name}`) }).last();
  const goTo = (name: RegExp) => browser.page.getByRole('navigation').getByRole('button', { name }).click();

  /** Looks at the page in every form, once. */
  async function look(name: string): Promise<void> {
    await expectAccessible(browser.page);
    if (hand.name === 'mouse') await keepLooks(browser.page, name);
  }

  test('a trainer requests, an administrator approves, and the requester’s message follows', async () => {
    const { page, dialog, log } = browser;
    await actAs(page, people.uma);
    await hand.type(page, '/quiz-user suspend rosa');
    await hand.press(button('Give a reason'));
    await hand.fill(dialog.getByLabel(/^Why|^Reason/), 'She has left');
    await look('approval-reason');
    await hand.press(dialog.getByRole('button', { name: /^Request|^Ask/ }));
    await dialog.getByText('Approval requested').waitFor();
    // It closes the modal: the first button of the answer is Withdraw.
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await goTo(/^Invigilator(?! Home)/);
    await log.getByText('suspend Rosa Almeida').last().waitFor();
    await look('approval-requested');

    await actAs(page, people.ada);
    await goTo(/training-leads/);
    await log.getByText('asks to suspend Rosa Almeida').waitFor();
    await look('approval-request');
    await hand.press(button('Approve'));
    await dialog.getByText('Rosa Almeida now').waitFor();
    await look('approval-review');
    await hand.press(dialog.getByRole('button', { name: 'Approve' }));
    await dialog.getByText('Suspended Rosa Almeida').waitFor();
    await look('approval-approved');
    await page.keyboard.press('Escape');
    await log.getByText('approved').first().waitFor();
    await look('approval-record');
    expect(isRosaSuspended()).toBe(true);

    await actAs(page, people.uma);
    await goTo(/^Invigilator(?! Home)/);
    await log.getByText(/approved:/).waitFor();
    await look('approval-news');
  });

  test('an administrator denies and must give a reason, which the requester sees', async () => {
    const { page, dialog, log } = browser;
    await approvalActions(testBed).ask(people.uma.id, suspendRosa);
    await actAs(page, people.ada);
    await goTo(/training-leads/);
    await hand.press(button('Deny'));
    await dialog.getByRole('textbox', { name: /^Reason/ }).waitFor();
    await hand.press(dialog.getByRole('button', { name: 'Deny' }));
    await dialog.getByText('Please complete this required field.').waitFor();
    await look('approval-denying');
    await hand.fill(dialog.getByRole('textbox', { name: /^Reason/ }), 'She is on leave');
    await hand.press(dialog.getByRole('button', { name: 'Deny' }));
    await log.getByText('She is on leave').first().waitFor();
    expect(isRosaSuspended()).toBe(false);

    await actAs(page, people.uma);
    await goTo(/^Invigilator(?! Home)/);
    await log.getByText(/denied: suspend Rosa Almeida/).waitFor();
    await look('approval-denied');
  });

  test('an administrator reads the audit trail', async () => {
    const { page } = browser;
    await approvalActions(testBed).ask(people.uma.id, suspendRosa);
    await actAs(page, people.ada);
    await type(page, '/quiz-admin audit');
    await page.getByText('Audit trail').first().waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'audit-trail');
    expect(isRosaSuspended()).toBe(false);
  });
});
