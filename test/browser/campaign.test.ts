import { textOfTable } from '../support/csv-of.ts';
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSandboxClock, quarterDaySteps, type SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { webhookSecret } from '../support/event.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { keepLooks } from './support/hands.ts';
import { actAs, expectAccessible, keepScreenshot } from './support/page.ts';

describe.skipIf(noBrowser)('a campaign by mouse', () => {
  const browser = useBrowserPage();
  let clock: SandboxClock;
  let testBed: ProcessTestBed;

  beforeAll(async () => {
    // A Monday, 9:00 in Warsaw.
    clock = createSandboxClock(Date.UTC(2030, 0, 7, 8) - Date.now(), quarterDaySteps);
    testBed = await openProcessTestBed({ store: 'sqlite', clock, hasQuizLinks: true, env: { ALERTS_CHANNEL: '' } });
    const {
      workspace,
      quizService,
      bots: [bot],
    } = testBed;
    workspace.setLinks([{ label: 'Take a quiz', url: quizService.url }]);
    quizService.setWebhook({ url: `${bot?.url}/webhooks/quiz`, secret: webhookSecret });
  });

  afterAll(() => testBed.close());

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepScreenshot(browser.page, `failed/${task.name}`);
  });

  /** Skips with the menu of the page. Right after the click, the sandbox may not know of it yet. */
  async function skip(...all: ('an hour' | 'a day')[]): Promise<void> {
    const { page } = browser;
    for (const what of all) {
      const until = clock.now() + { 'an hour': 3_600_000, 'a day': 24 * 3_600_000 }[what];
      await page.getByRole('button', { name: /^Clock: / }).click();
      await page.getByRole('menuitem', { name: `Skip ${what}` }).click();
      await expect.poll(() => clock.skipping === undefined && clock.now() >= until).toBe(true);
    }
  }

  /** Presses the newest button with this name in the open conversation. */
  const press = (name: string): Promise<void> => browser.log.getByRole('button', { name, exact: true }).last().click();
  const submit = (name: string): Promise<void> =>
    browser.dialog.last().getByRole('button', { name, exact: true }).click();

  async function choose(picker: string, option: string): Promise<void> {
    await browser.dialog.getByRole('combobox', { name: picker }).click();
    await browser.dialog.getByRole('combobox', { name: picker }).fill(option);
    await browser.page.getByRole('listbox').getByRole('option', { name: option }).first().click();
  }

  /** Shows what the bot wrote to a person, and acts as that person. */
  async function readAs(name: string): Promise<void> {
    await browser.page
      .getByRole('list', { name: 'The bot’s messages to others' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
    await browser.page.getByText(`Direct messages between ${name} and the bot`).waitFor();
  }

  async function readBoard(): Promise<Locator> {
    const { page, log } = browser;
    await actAs(page, people.ada);
    await page.getByRole('button', { name: 'kitchen', exact: true }).click();
    return log
      .locator('.message[data-private=false]')
      .filter({ hasText: 'ampaign for Workplace safety basics' })
      .first();
  }

  async function startByForm(): Promise<void> {
    const { page, dialog } = browser;
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: 'Start a campaign' }).click();
    await choose('Quiz', 'Workplace safety basics');
    await dialog.getByRole('button', { name: 'More…' }).click();
    await choose('Everyone in these channels', 'kitchen');
    const texts: [RegExp, string][] = [
      [/^Or type it/, 'in 2 days'],
      [/^Reminders before/, '1d'],
      [/^Reminders after/, '1d'],
      [/^Tell the lead/, '1d'],
    ];
    for (const [label, text] of texts) await dialog.getByLabel(label).fill(text);
    await choose('Lead', 'Tom Lindqvist');
    await choose('Channel that shows progress', 'kitchen');
    await choose('Done when', 'Submitted');
    await keepLooks(page, 'campaign-form');
    await submit('Preview');
    await dialog.getByText('Nothing happens until you start it.').waitFor();
    await keepLooks(page, 'campaign-preview');
    await expectAccessible(page);
    await submit('Start');
    await dialog.getByText('Started a campaign for').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
  }

  async function takeQuiz(): Promise<void> {
    const opened = browser.page.waitForEvent('popup');
    await browser.log.getByRole('link', { name: 'Take quiz' }).click();
    const quiz = await opened;
    await quiz.getByRole('button', { name: 'Continue as Ravi Banerjee' }).click();
    await quiz.getByRole('button', { name: 'Start' }).click();
    await quiz.getByRole('button', { name: 'Submit' }).click();
    await quiz.getByText('Thank you, Ravi').waitFor();
    await quiz.close();
  }

  it('goes from the form to the report with the clock of the page', async () => {
    const { workspace } = testBed;
    await browser.goTo(`${workspace.url}#/${people.ada.id}/${channels.kitchen.id}`);
    const { page, log, dialog } = browser;
    await startByForm();
    await (await readBoard()).getByText('Ravi Banerjee').waitFor();
    await skip('an hour');
    await keepLooks(page, 'campaign-board-nobody');
    await readAs('Ravi Banerjee');
    await takeQuiz();
    await (await readBoard()).getByText('1 of 5 submitted').waitFor();

    await skip('a day');
    expect(await (await readBoard()).textContent()).not.toContain('Ravi Banerjee');
    const hour = new Intl.DateTimeFormat('en', {
      hour: 'numeric',
      hourCycle: 'h23',
      timeZone: people.maya.timeZone,
    });
    await expect
      .poll(() => workspace.directMessages(people.maya.id).map(({ ts }) => hour.format(Number(ts) * 1000)))
      .toEqual(['09']);
    await keepLooks(page, 'campaign-board');
    await expectAccessible(page);
    await press('Remind now');
    await log.getByText('Scheduled reminders').waitFor();
    await readAs('Uma Devi');
    await press('Snooze until tomorrow');
    await log.getByText('You’ll be reminded again on your next working day.').waitFor();
    await keepLooks(page, 'campaign-reminder');
    await readAs('Maya Goldberg');
    await press('Not me');
    await log.getByText('isn’t for you').waitFor();

    await actAs(page, people.ada);
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Invigilator(?! Home)/ })
      .click();
    await press('Excuse…');
    await dialog.getByLabel('Reason').fill('She works from home');
    await submit('Excuse');
    await log.getByText('They get no more reminders.').last().waitFor();

    await skip('a day', 'a day', 'a day');
    await (await readBoard()).getByText('Overdue', { exact: true }).waitFor();
    await keepLooks(page, 'campaign-board-overdue');
    await readAs('Tom Lindqvist');
    await log.getByText('still have to take').waitFor();
    await keepLooks(page, 'campaign-escalation');
    await press('Extend…');
    await dialog.getByLabel('New due time').fill('in 1 week');
    await submit('Extend');
    await log.getByText('Moved the due time').waitFor();
    expect(workspace.directMessages(people.ravi.id).filter(({ text }) => /Reminder|was due/.test(text))).toEqual([]);

    const board = await readBoard();
    await board.getByText('Still to take it').waitFor();
    await press('View all');
    await dialog.getByText('excused by').waitFor();
    await keepLooks(page, 'campaign-all');
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await press('End');
    await press('End anyway');
    await board.getByText('is over.').waitFor();
    await log.getByText('is over. 1 of 4 people submitted it').waitFor();
    await keepLooks(page, 'campaign-end');
    await press('Report');
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Invigilator(?! Home)/ })
      .click();
    const download = page.waitForEvent('download');
    await log.getByRole('link', { name: 'Workplace safety basics campaign.xlsx' }).click();
    const report = await textOfTable(readFileSync(await (await download).path()));
    expect(report).toMatch(/^Person,Groups,Manager,State/);
    expect(report).toMatch(/\r\nMaya Goldberg,.*She works from home/);
  });
});
