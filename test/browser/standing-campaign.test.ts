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

const dayMs = 24 * 3_600_000;
const monday = Date.UTC(2030, 0, 7, 8);
const quizName = 'Workplace safety basics';

describe.skipIf(noBrowser)('a campaign that stands, by mouse', () => {
  const browser = useBrowserPage();
  let clock: SandboxClock;
  let testBed: ProcessTestBed;

  beforeAll(async () => {
    clock = createSandboxClock(monday - Date.now(), quarterDaySteps);
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

  async function skip(what: 'an hour' | 'a day'): Promise<void> {
    const { page } = browser;
    const until = clock.now() + { 'an hour': 3_600_000, 'a day': dayMs }[what];
    await page.getByRole('button', { name: /^Clock: / }).click();
    await page.getByRole('menuitem', { name: `Skip ${what}` }).click();
    await expect.poll(() => clock.skipping === undefined && clock.now() >= until).toBe(true);
  }

  /** With the bot, a week takes 20 seconds. */
  async function skipWithoutBot(ms: number): Promise<void> {
    const [bot] = testBed.bots;
    await bot!.stop();
    await clock.skip(ms);
    await bot!.start();
  }

  const submit = (name: string): Promise<void> =>
    browser.dialog.last().getByRole('button', { name, exact: true }).click();

  async function choose(picker: string, option: string): Promise<void> {
    const combobox = browser.dialog.last().getByRole('combobox', { name: picker });
    await combobox.click();
    await combobox.fill(option);
    await browser.page.getByRole('listbox').getByRole('option', { name: option }).first().click();
  }

  async function closeDialog(): Promise<void> {
    await browser.dialog.last().getByRole('button', { name: 'Close' }).first().click();
  }

  async function startByForm(): Promise<void> {
    const { page, dialog } = browser;
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: 'Start a campaign' }).click();
    await choose('Quiz', quizName);
    await dialog.getByRole('button', { name: 'More…' }).click();
    await choose('People in this workspace', 'Maya Goldberg');
    await choose('Kind of campaign', 'Ongoing');
    await dialog.getByLabel('Each person has it due within').fill('14d');
    await dialog.getByLabel('How long a pass counts').fill('12 months');
    await dialog.getByLabel('Asks again before a pass ends').fill('7d');
    await keepLooks(page, 'standing-form');
    await expectAccessible(page);
    await choose('Channel that shows progress', 'kitchen');
    await choose('Done when', 'Submitted');
    await submit('Preview');
    await dialog.getByText('Nothing happens until you start it.').waitFor();
    await keepLooks(page, 'standing-preview');
    await submit('Start');
    await dialog.getByText('Started a campaign for').waitFor();
    await closeDialog();
  }

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

  async function board(): Promise<Locator> {
    const { page, log } = browser;
    await actAs(page, people.ada);
    await page.getByRole('button', { name: 'kitchen', exact: true }).click();
    return log
      .locator('.message[data-private=false]')
      .filter({ hasText: `ampaign for ${quizName}` })
      .first();
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

  async function takeQuiz(home: Locator, name: string): Promise<void> {
    const opened = browser.page.waitForEvent('popup');
    await home
      .getByRole('link', { name: new RegExp(quizName) })
      .first()
      .click();
    const quiz = await opened;
    await quiz.getByRole('button', { name: `Continue as ${name}` }).click();
    await quiz.getByRole('button', { name: 'Start' }).click();
    await quiz.getByRole('button', { name: 'Submit' }).click();
    await quiz.getByText('Thank you').waitFor();
    await quiz.close();
  }

  it('goes with a newcomer from joining to valid to due again a year later', async () => {
    const { workspace } = testBed;
    await browser.goTo(`${workspace.url}#/${people.ada.id}/${channels.kitchen.id}`);
    const { page } = browser;
    await startByForm();
    await takeIn('Ravi Banerjee');
    await (await board()).getByText('Ravi Banerjee').waitFor();
    await skip('an hour');

    const asked = await openHome(people.ravi);
    await asked.getByText(`${quizName} is due`).waitFor();
    await keepLooks(page, 'standing-home-due');
    await takeQuiz(asked, 'Ravi Banerjee');
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
    await takeQuiz(await openHome(people.ravi), 'Ravi Banerjee');
    await (await openHome(people.ravi)).getByText(/valid until .*2032/).waitFor();
  });
});
