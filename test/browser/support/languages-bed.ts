import type { Locator } from 'playwright-core';
import { afterEach, beforeEach, expect } from 'vitest';
import { createSandboxClock, quarterDaySteps, type SandboxClock } from '../../../src/sandbox/clock/sandbox-clock.ts';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { webhookSecret } from '../../support/event.ts';
import { openProcessTestBed, type ProcessTestBed } from '../../support/process-test-bed.ts';
import { useBrowserPage, type BrowserPage } from './browser-page.ts';
import { actAs, keepScreenshot, type as typeLine } from './page.ts';

const hourMs = 3_600_000;
/** A Monday, 8:00 in the zone of most sample people. */
const monday = Date.UTC(2030, 0, 7, 8);

/** A bot whose days can be skipped, with a person at the page of its workspace. */
interface LanguagesBed {
  readonly browser: BrowserPage;
  readonly testBed: ProcessTestBed;
  readonly clock: SandboxClock;
  become(name: keyof typeof people): Promise<void>;
  /** Chooses the language of the acting person’s Slack, and waits until the bot knows it. */
  speak(language: string): Promise<void>;
  /**
   * Waits until the bot knows the language of the acting person’s Slack: on a busy machine, it may write in its own until Slack has
   * answered in time.
   */
  isUnderstood(language: string): Promise<void>;
  openChannel(name: string): Promise<void>;
  openMessages(): Promise<void>;
  openHome(): Promise<Locator>;
  type(line: string): Promise<void>;
  /** Presses the newest button with this name in the open conversation. */
  press(name: string | RegExp): Promise<void>;
  /** Waits until the newest message has these words. */
  newest(words: RegExp): Promise<void>;
  /** Waits until a message has these words. */
  shown(words: RegExp): Promise<void>;
  skip(...all: ('an hour' | 'a day')[]): Promise<void>;
  /** With the bot, a week takes 20 seconds. */
  skipWithoutBot(untilMs: number): Promise<void>;
}

/** The quiz of the campaigns, which nobody has taken. */
export const quizName = 'Workplace safety basics';

/**
 * Opens the workspace before each test, and closes it after.
 *
 * @param options.isAssigned whether people have the quiz already
 */
export function useLanguagesBed({ isAssigned }: { isAssigned: boolean }): LanguagesBed {
  const browser = useBrowserPage();
  let clock: SandboxClock;
  let testBed: ProcessTestBed;

  beforeEach(async () => {
    clock = createSandboxClock(monday - Date.now(), quarterDaySteps);
    testBed = await openProcessTestBed({
      store: 'sqlite',
      clock,
      hasQuizLinks: true,
      async beforeStart(_store, { quizService: { database } }) {
        for (const table of ['responses', ...(isAssigned ? [] : ['user_quizzes', 'group_quizzes'])])
          database.run(`DELETE FROM ${table} WHERE quiz_id IN (SELECT quiz_id FROM quizzes WHERE name = ?)`, [
            quizName,
          ]);
      },
      env: { ALERTS_CHANNEL: '', APPROVALS_CHANNEL: channels.leads.id },
    });
    const { workspace, quizService, bots } = testBed;
    workspace.setLinks([{ label: 'Take a quiz', url: quizService.url }]);
    quizService.setWebhook({ url: `${bots[0]?.url}/webhooks/quiz`, secret: webhookSecret });
    await browser.goTo(workspace.url, { viewport: { width: 1200, height: 900 } });
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepScreenshot(browser.page, `failed/${task.name}`);
    await browser.close();
    await testBed.close();
  });

  const channelList = (): Locator => browser.page.getByRole('navigation', { name: 'Channels' });
  const openMessages = (): Promise<void> =>
    channelList()
      .getByRole('button', { name: /^Invigilator(?! Home)/ })
      .click();

  async function openHome(): Promise<Locator> {
    await channelList()
      .getByRole('button', { name: /Invigilator Home/ })
      .click();
    return browser.page.getByRole('region', { name: 'Home tab' });
  }

  async function isUnderstood(language: string): Promise<void> {
    await expect
      .poll(async () => {
        await openMessages();
        return (await openHome()).getByRole('combobox').last().inputValue();
      })
      .toContain(`(${language})`);
  }

  return {
    browser,
    get testBed() {
      return testBed;
    },
    get clock() {
      return clock;
    },
    become: (name) => actAs(browser.page, people[name]),
    async speak(language) {
      await browser.page.getByLabel('Language of Slack').selectOption({ label: language });
      await isUnderstood(language);
    },
    async openChannel(name) {
      await channelList()
        .getByRole('button', { name: new RegExp(String.raw`^${name}(?![\w-])`) })
        .click();
    },
    openMessages,
    openHome,
    isUnderstood,
    type: (line) => typeLine(browser.page, line),
    press: (name) => browser.log.getByRole('button', { name, exact: true }).last().click(),
    async newest(words) {
      await browser.log.getByRole('listitem').last().filter({ hasText: words }).waitFor();
    },
    async shown(words) {
      await browser.log.getByRole('listitem').filter({ hasText: words }).last().waitFor();
    },
    async skip(...all) {
      const { page } = browser;
      for (const what of all) {
        const until = clock.now() + { 'an hour': hourMs, 'a day': 24 * hourMs }[what];
        await page.getByRole('button', { name: /^Clock: / }).click();
        await page.getByRole('menuitem', { name: `Skip ${what}` }).click();
        await expect.poll(() => clock.skipping === undefined && clock.now() >= until).toBe(true);
      }
    },
    async skipWithoutBot(untilMs) {
      const [bot] = testBed.bots;
      await bot!.stop();
      await clock.skip(untilMs - clock.now());
      await bot!.start();
    },
  };
}
