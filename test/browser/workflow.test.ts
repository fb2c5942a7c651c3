import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { sendSubmission, takeSubmission } from '../support/take-quiz.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, keepLooks, keepPicture } from './support/page.ts';
import { manifestWith } from '../support/open-test-bed.ts';

describe.skipIf(noBrowser)('the ready workflow, by mouse', () => {
  const browser = useBrowserPage();
  let testBed: ProcessTestBed;

  beforeAll(async () => {
    testBed = await openProcessTestBed({
      store: 'sqlite',
      manifestPath: manifestWith('steps'),
      env: { WORKFLOW_STEPS_ENABLED: 'true', ALERTS_CHANNEL: '' },
    });
  });

  afterAll(() => testBed.close());

  it('creates a user for a new hire, assigns the quiz, waits until they pass, and congratulates', async () => {
    const {
      workspace,
      quizService: { database },
    } = testBed;
    await browser.goTo(`${workspace.url}#/${people.ada.id}/C0QUIZRESULTS`);
    const { page } = browser;
    await page.getByRole('navigation').getByRole('button', { name: 'Workflow Builder' }).click();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Quiz', exact: true }).inputValue())
      .toBe('Onboarding, week 1');
    await page.getByRole('button', { name: 'Publish as Ada Okafor' }).click();
    await page.getByRole('button', { name: 'Join #new-hires', exact: true }).click();
    const home = page.getByRole('region', { name: 'Home tab' });
    const states = async (): Promise<(string | undefined)[]> =>
      Array.from((await home.innerText()).matchAll(/^(.*) · /gm), ([, state]) => state);
    await expect.poll(states).toEqual(['✅ Done', '✅ Done', '⏳ Running', 'Not begun']);
    await keepLooks(page, 'workflow-waiting');

    const quiz = database.get<{ id: string; name: string }>(
      "SELECT quiz_id AS id, name FROM quizzes WHERE name LIKE 'Onboarding%'",
    )!;
    const { userId } = database.get<{ userId: string }>(
      "SELECT user_id AS userId FROM users WHERE user_name = 'zoe@quiz.example'",
    )!;
    // Also where the webhook comes before the step has begun to wait.
    const submission = { responseId: 'r-zoe', quiz, userId, submittedAt: Date.now(), points: 90, passes: true };
    takeSubmission(testBed, submission);
    await sendSubmission(testBed, submission);
    await expect.poll(states).toEqual(['✅ Done', '✅ Done', '✅ Done', '✅ Done']);
    expect(await home.innerText()).toMatch(/Percentage: 90\b/);
    expect(await home.innerText()).toMatch(/Submitted at: \w+ \d+, \d+:\d+/);
    await page.mouse.move(0, 0);
    await page.setViewportSize({ width: 1200, height: 1000 });
    await keepPicture(page, 'workflow');
    await page.setViewportSize({ width: 1200, height: 800 });
    await keepLooks(page, 'workflow-done');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^new-hires/ }).click();
    await page.getByRole('log').getByText('passed with 90%. Congratulations!').waitFor();
  });

  it('offers nothing to a respondent, and shows what went wrong in a run', async () => {
    await browser.goTo(`${testBed.workspace.url}#/${people.ada.id}/workflow`);
    const { page } = browser;
    await page.getByRole('button', { name: 'Join #new-hires', exact: true }).click();
    await page.getByText(/^⛔ Failed · .*zoe@quiz\.example/s).waitFor();
    await page.getByRole('button', { name: 'Delete workflow' }).click();
    await page.getByRole('button', { name: 'Publish as Ada Okafor' }).waitFor();
    await actAs(page, people.rosa);
    await page.getByText('Only trainers and administrators of the quiz account can do this.').waitFor();
  });
});
