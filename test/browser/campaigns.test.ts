import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandboxClock, quarterDaySteps, type SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { textOfTable } from '../support/csv-of.ts';
import { webhookSecret } from '../support/event.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { locationOf } from '../support/results.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, keepLooks, type } from './support/page.ts';

const quizName = 'Workplace safety basics';
const dayMs = 24 * 3_600_000;

describe.skipIf(noBrowser)('campaigns by mouse', () => {
  let clock: SandboxClock;
  let testBed: ProcessTestBed;
  afterEach(() => testBed.close());
  const browser = useBrowserPage();

  beforeEach(async () => {
    // A Monday, 9:00 in Warsaw.
    clock = createSandboxClock(Date.UTC(2030, 0, 7, 8) - Date.now(), quarterDaySteps);
    testBed = await openProcessTestBed({ store: 'sqlite', clock, hasQuizLinks: true, env: { ALERTS_CHANNEL: '' } });
    const { workspace, quizService, bots } = testBed;
    workspace.setLinks([{ label: 'Take a quiz', url: quizService.url }]);
    quizService.setWebhook({ url: `${bots[0]?.url}/webhooks/quiz`, secret: webhookSecret });
    await browser.goTo(`${workspace.url}#/${people.ada.id}/${channels.kitchen.id}`);
  });

  /** Skips with the menu of the page. Right after the click, the sandbox may not know of it yet. */
  async function skip(...all: ('an hour' | 'a day')[]): Promise<void> {
    const { page } = browser;
    for (const what of all) {
      const until = clock.now() + { 'an hour': 3_600_000, 'a day': dayMs }[what];
      await page.getByRole('button', { name: /^Clock: / }).click();
      await page.getByRole('menuitem', { name: `Skip ${what}` }).click();
      await expect.poll(() => clock.skipping === undefined && clock.now() >= until).toBe(true);
    }
  }

  /** With the bot, a week takes 20 seconds. */
  async function skipWithoutBot(ms: number): Promise<void> {
    const [bot] = testBed.bots;
    await bot!.stop();
    await clock.skip(ms);
    await bot!.start();
  }

  /** Presses the newest button with this name in the open conversation. */
  const press = (name: string): Promise<void> => browser.log.getByRole('button', { name, exact: true }).last().click();
  const submit = (name: string): Promise<void> =>
    browser.dialog.last().getByRole('button', { name, exact: true }).click();
  const closeDialog = (): Promise<void> => browser.dialog.last().getByRole('button', { name: 'Close' }).first().click();
  const openMessages = (): Promise<void> =>
    browser.page
      .getByRole('navigation', { name: 'Channels' })
      .getByRole('button', { name: /^Invigilator(?! Home)/ })
      .click();

  async function choose(picker: string, option: string): Promise<void> {
    const combobox = browser.dialog.last().getByRole('combobox', { name: picker });
    await combobox.click();
    await combobox.fill(option);
    await browser.page.getByRole('listbox').getByRole('option', { name: option }).first().click();
  }

  /** Fills in the form of a campaign, and starts it from its preview. @param looks the beginning of the names of its pictures */
  async function startByForm(looks: string, fillIn: () => Promise<void>): Promise<void> {
    const { page, dialog } = browser;
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: 'Start a campaign' }).click();
    await choose('Quiz', quizName);
    await dialog.getByRole('button', { name: 'More…' }).click();
    await fillIn();
    await choose('Channel that shows progress', 'kitchen');
    await choose('Done when', 'Submitted');
    await keepLooks(page, `${looks}-form`);
    await submit('Preview');
    await dialog.getByText('Nothing happens until you start it.').waitFor();
    await keepLooks(page, `${looks}-preview`);
    await expectAccessible(page);
    await submit('Start');
    await dialog.getByText('Started a campaign for').waitFor();
    await closeDialog();
  }

  async function takeQuiz(link: Locator, name: string): Promise<void> {
    const opened = browser.page.waitForEvent('popup');
    await link.click();
    const quiz = await opened;
    await quiz.getByRole('button', { name: `Continue as ${name}` }).click();
    await quiz.getByRole('button', { name: 'Start' }).click();
    await quiz.getByRole('button', { name: 'Submit' }).click();
    await quiz.getByText('Thank you').waitFor();
    await quiz.close();
  }

  async function board(): Promise<Locator> {
    const { page, log } = browser;
    await actAs(page, people.ada);
    await page.getByRole('button', { name: 'kitchen', exact: true }).click();
    return log
      .locator('.message[data-private=false]')
      .filter({ hasText: `ampaign for ${quizName}` })
      .first();
  }

  /** Shows what the bot wrote to a person, and acts as that person. */
  async function readAs(name: string): Promise<void> {
    await browser.page
      .getByRole('list', { name: 'The bot’s messages to others' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
    await browser.page.getByText(`Direct messages between ${name} and the bot`).waitFor();
  }

  it('goes from the form to the report with the clock of the page', async () => {
    const { workspace } = testBed;
    const { page, log, dialog } = browser;
    await startByForm('campaign', async () => {
      await choose('Everyone in these channels', 'kitchen');
      const texts: [RegExp, string][] = [
        [/^Or type it/, 'in 2 days'],
        [/^Reminders before/, '1d'],
        [/^Reminders after/, '1d'],
        [/^Tell the lead/, '1d'],
      ];
      for (const [label, text] of texts) await dialog.getByLabel(label).fill(text);
      await choose('Lead', 'Tom Lindqvist');
    });
    await (await board()).getByText('Ravi Banerjee').waitFor();
    await skip('an hour');
    await keepLooks(page, 'campaign-board-nobody');
    await actAs(page, people.hana);
    await page.getByRole('button', { name: /^Clock: Mon,.* 6:\d\d PM$/ }).waitFor();
    await readAs('Ravi Banerjee');
    await takeQuiz(log.getByRole('link', { name: 'Take quiz' }), 'Ravi Banerjee');
    await (await board()).getByText('1 of 5 submitted').waitFor();

    await skip('a day');
    expect(await (await board()).textContent()).not.toContain('Ravi Banerjee');
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
    await openMessages();
    await press('Excuse…');
    await dialog.getByLabel('Reason').fill('She works from home');
    await submit('Excuse');
    await log.getByText('They get no more reminders.').last().waitFor();

    await skip('a day', 'a day', 'a day');
    await (await board()).getByText('Overdue', { exact: true }).waitFor();
    await keepLooks(page, 'campaign-board-overdue');
    await readAs('Tom Lindqvist');
    await log.getByText('still have to take').waitFor();
    await keepLooks(page, 'campaign-escalation');
    await press('Extend…');
    await dialog.getByLabel('New due time').fill('in 1 week');
    await submit('Extend');
    await log.getByText('Moved the due time').waitFor();
    expect(workspace.directMessages(people.ravi.id).filter(({ text }) => /Reminder|was due/.test(text))).toEqual([]);

    const shown = await board();
    await shown.getByText('Still to take it').waitFor();
    await press('View all');
    await dialog.getByText('excused by').waitFor();
    await keepLooks(page, 'campaign-all');
    await closeDialog();
    await press('End');
    await press('End anyway');
    await shown.getByText('is over.').waitFor();
    await log.getByText('is over. 1 of 4 people submitted it').waitFor();
    await keepLooks(page, 'campaign-end');
    await press('Report');
    await openMessages();
    const download = page.waitForEvent('download');
    await log.getByRole('link', { name: 'Workplace safety basics campaign.xlsx' }).click();
    const report = await textOfTable(readFileSync(await (await download).path()));
    expect(report).toMatch(/^Person,Groups,Manager,State/);
    expect(report).toMatch(/\r\nMaya Goldberg,.*She works from home/);
  });

  /** Takes a newcomer into the campaign. */
  async function takeIn(name: string): Promise<void> {
    const { dialog } = browser;
    await (await board()).getByRole('button', { name: 'View all' }).click();
    await dialog.getByRole('button', { name: /^Add people…/ }).click();
    await choose('Users and groups', name);
    await submit('Add');
    await dialog.getByText(`Added ${name} to the campaign`).waitFor();
    await closeDialog();
  }

  async function openHome(person: Parameters<typeof actAs>[1]): Promise<Locator> {
    const { page } = browser;
    await actAs(page, person);
    await page
      .getByRole('navigation', { name: 'Channels' })
      .getByRole('button', { name: /Invigilator Home/ })
      .click();
    return page.getByRole('region', { name: 'Home tab' });
  }

  const linkIn = (home: Locator): Locator => home.getByRole('link', { name: new RegExp(quizName) }).first();

  it('goes with a newcomer from joining to valid to due again a year later', async () => {
    const { workspace } = testBed;
    const { page, dialog } = browser;
    await startByForm('standing', async () => {
      await choose('People in this workspace', 'Maya Goldberg');
      await choose('Kind of campaign', 'Ongoing');
      await dialog.getByLabel('Each person has it due within').fill('14d');
      await dialog.getByLabel('How long a pass counts').fill('12 months');
      await dialog.getByLabel('Asks again before a pass ends').fill('7d');
    });
    await takeIn('Ravi Banerjee');
    await (await board()).getByText('Ravi Banerjee').waitFor();
    await skip('an hour');

    const asked = await openHome(people.ravi);
    await asked.getByText(`${quizName} is due`).waitFor();
    await keepLooks(page, 'standing-home-due');
    await takeQuiz(linkIn(asked), 'Ravi Banerjee');
    await (await board()).getByText('1 of 2 valid').first().waitFor();
    await skip('an hour');
    const valid = await openHome(people.ravi);
    await valid.getByText(/valid until .*2031, renew from .*2031/).waitFor();
    await keepLooks(page, 'standing-home-valid');
    const trainers = await openHome(people.ada);
    await trainers.getByText(/1 of 2 valid · next to renew .*2031/).waitFor();
    await keepLooks(page, 'standing-home-trainer');
    await expectAccessible(page);

    await skipWithoutBot(Date.UTC(2030, 11, 31, 8) - clock.now());
    await skip('a day');
    await skip('an hour');
    await skip('an hour');
    const again = await openHome(people.ravi);
    await again.getByText(`${quizName} is due again: your pass is valid until`).waitFor();
    await keepLooks(page, 'standing-home-due-again');
    expect(workspace.directMessages(people.ravi.id).some(({ text }) => text.includes('is due again'))).toBe(true);
    await (await board()).getByText('To be renewed, valid until:').waitFor();
    await keepLooks(page, 'standing-board-renewal');
    await takeQuiz(linkIn(await openHome(people.ravi)), 'Ravi Banerjee');
    await (await openHome(people.ravi)).getByText(/valid until .*2032/).waitFor();
  });

  async function start(line: string): Promise<void> {
    const ada = testBed.workspace.as(people.ada.id);
    const preview = await (await ada.command(`/quiz-campaign start ${line}`)).reply();
    await ada.click(locationOf(preview), 'choose:run-campaign');
  }

  it('the matrix shows who needs something, and reminds those who are late', async () => {
    await start('"Workplace safety" for #kitchen, Warehouse due 2030-01-08 12:00 remind none complete when submitted');
    await start('"Food hygiene" for Kitchen, Night Shift within 14d valid 12 months');
    await clock.skip(2 * dayMs);
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
    await openMessages();
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
