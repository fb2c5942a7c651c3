import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSandboxClock, quarterDaySteps, type SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { locationOf } from '../support/results.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { keepLooks } from './support/hands.ts';
import { expectAccessible, keepScreenshot, type } from './support/page.ts';

describe.skipIf(noBrowser)('the matrix by mouse', () => {
  const browser = useBrowserPage();
  let clock: SandboxClock;
  let testBed: ProcessTestBed;

  beforeAll(async () => {
    // A Monday, 9:00 in Warsaw.
    clock = createSandboxClock(Date.UTC(2030, 0, 7, 8) - Date.now(), quarterDaySteps);
    testBed = await openProcessTestBed({ store: 'sqlite', clock, hasQuizLinks: true, env: { ALERTS_CHANNEL: '' } });
  });

  afterAll(() => testBed.close());

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepScreenshot(browser.page, `failed/${task.name}`);
  });

  async function start(line: string): Promise<void> {
    const ada = testBed.workspace.as(people.ada.id);
    const preview = await (await ada.command(`/quiz-campaign start ${line}`)).reply();
    await ada.click(locationOf(preview), 'choose:run-campaign');
  }

  it('shows who needs something, and reminds those who are late', async () => {
    await start('"Workplace safety" for #kitchen, Warehouse due 2030-01-08 12:00 remind none complete when submitted');
    await start('"Food hygiene" for Kitchen, Night Shift within 14d valid 12 months');
    await clock.skip(2 * 24 * 3_600_000);
    await browser.goTo(`${testBed.workspace.url}#/${people.ada.id}/${channels.kitchen.id}`);
    const { page, log, dialog } = browser;
    await type(page, '/quiz-campaign matrix');
    await log.getByText('Training matrix').first().waitFor();
    await expect.poll(() => log.getByRole('columnheader').count()).toBe(3);
    await keepLooks(page, 'matrix');
    await expectAccessible(page);
    await log.getByRole('button', { name: /^Remind…/ }).click();
    await dialog.getByText('Remind people').first().waitFor();
    await keepLooks(page, 'matrix-remind');
    await dialog.getByRole('button', { name: 'Remind', exact: true }).click();
    await log.getByText('Scheduled reminders about').waitFor();

    await type(page, '/quiz-campaign matrix picture');
    await log.getByText(/Sent you \d+ people and 2 quizzes/).waitFor();
    await page
      .getByRole('navigation', { name: 'Channels' })
      .getByRole('button', { name: /^Invigilator(?! Home)/ })
      .click();
    const picture = log.getByRole('img', { name: /^Training matrix: \d+ people and 2 quizzes, as of / });
    await picture.waitFor();
    const inWords = (await picture.getAttribute('alt')) ?? '';
    expect(inWords.split('\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Kitchen: \d of \d+ people overdue or expired$/),
        expect.stringMatching(/^Ravi Banerjee: Workplace safety basics overdue since /),
      ]),
    );
    await expect
      .poll(() => picture.evaluate((node) => 'naturalWidth' in node && Number(node.naturalWidth)))
      .toBeGreaterThan(1_000);
    await keepLooks(page, 'matrix-picture');
    await expectAccessible(page);
  });
});
