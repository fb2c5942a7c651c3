import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { quizzes as blueHarborQuizzes } from '../../src/sandbox/tenants/blue-harbor.ts';
import { type SampleQuiz, sampleQuizzes } from '../../src/sandbox/quiz-service/sample/quizzes.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { addressesIn, startSandbox } from '../support/sandbox-process.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { keepLooks, keyboard } from './support/hands.ts';
import { expectAccessible, expectNoSidewaysScroll, keepScreenshot, type } from './support/page.ts';

const openNames = (quizzes: readonly SampleQuiz[]): string[] =>
  quizzes.filter(({ status }) => status === 'open').map(({ name }) => name);

const commands = { 'Northwind Training': '/quiz', 'Blue Harbor Hotels': '/exam' };

/** The open quizzes of the account of each workspace. */
const accounts = {
  'Northwind Training': openNames(sampleQuizzes),
  'Blue Harbor Hotels': openNames(blueHarborQuizzes),
};
type Name = keyof typeof accounts;
const names = Object.keys(accounts) as Name[];
const other = (name: Name): Name => (name === 'Northwind Training' ? 'Blue Harbor Hotels' : 'Northwind Training');

describe.skipIf(noBrowser)('the sandbox with two workspaces', () => {
  const browser = useBrowserPage();
  let sandbox: ReturnType<typeof startSandbox>;
  let urls: Record<Name, string>;

  beforeAll(async () => {
    sandbox = startSandbox({}, ['--tenants']);
    const [northwind = '', blueHarbor = ''] = addressesIn(await sandbox.up());
    urls = { 'Northwind Training': northwind, 'Blue Harbor Hotels': blueHarbor };
  });

  afterAll(() => sandbox.end());

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepScreenshot(browser.page, `failed/${task.name}`);
  });

  const workspaces = (): Locator => browser.page.getByRole('navigation', { name: 'Workspaces' });

  async function isIn(name: Name): Promise<void> {
    await workspaces().locator('[aria-current=page]').filter({ hasText: name }).waitFor();
    expect(await workspaces().locator('[aria-current=page]').count()).toBe(1);
    await browser.page.getByRole('heading', { level: 1, name, includeHidden: true }).waitFor({ state: 'attached' });
    expect(await browser.page.title()).toBe(name);
    expect(new URL(browser.page.url()).origin).toBe(new URL(urls[name]).origin);
  }

  async function listQuizzes(name: Name): Promise<void> {
    await type(browser.page, `${commands[name]} list open`);
    for (const quiz of accounts[name]) await browser.log.getByText(quiz).last().waitFor();
    const shown = await browser.page.locator('body').innerText();
    for (const quiz of accounts[other(name)]) expect(shown).not.toContain(quiz);
  }

  /** Opens #quiz-results, which has nothing in it that is taller than the window. */
  const goTo = (name: Name, viewport = { width: 1200, height: 800 }): Promise<void> =>
    browser.goTo(`${urls[name]}#/${people.ada.id}/${channels.results.id}`, { viewport });

  it('shows each account in its own workspace, and switches between them', async () => {
    await goTo('Northwind Training');
    await isIn('Northwind Training');
    await listQuizzes('Northwind Training');
    await keepLooks(browser.page, 'tenants-northwind');
    await expectAccessible(browser.page);

    await workspaces().getByRole('link', { name: 'Blue Harbor Hotels' }).click();
    await isIn('Blue Harbor Hotels');
    await listQuizzes('Blue Harbor Hotels');
    await keepLooks(browser.page, 'tenants-blue-harbor');
    await expectAccessible(browser.page);

    await type(browser.page, '/exam help');
    await browser.log.getByText('What you can do with /exam').waitFor();
    expect(await browser.page.locator('body').innerText()).not.toMatch(/\/quiz\b|Invigilator/);
    await keyboard.press(workspaces().getByRole('link', { name: 'Northwind Training' }));
    await isIn('Northwind Training');
  });

  it('leads from each page to both accounts', async () => {
    for (const name of names) {
      await goTo(name);
      const links = browser.page.getByRole('navigation', { name: 'Links' });
      for (const [label, account] of [
        ['Take a quiz', name],
        [`Take a quiz at ${other(name)}`, other(name)],
      ] as const) {
        const opened = browser.page.waitForEvent('popup');
        await links.getByRole('link', { name: label, exact: true }).click();
        const page = await opened;
        for (const quiz of accounts[account]) await page.getByRole('link', { name: quiz }).waitFor();
        await page.close();
      }
      await browser.close();
    }
  });

  it('offers the tools of each account in the conversation with Slackbot', async () => {
    for (const name of names) {
      await goTo(name);
      await browser.page.getByRole('navigation').getByRole('button', { name: 'Slackbot' }).click();
      await browser.page.getByLabel('Tool', { exact: true }).selectOption({ label: 'List quizzes' });
      await browser.page.getByRole('button', { name: 'Send', exact: true }).click();
      const log = browser.page.getByRole('log', { name: 'Messages in Slackbot' });
      for (const quiz of accounts[name]) await log.getByText(quiz).first().waitFor();
      await browser.close();
    }
  });

  it('keeps the switch on a phone, and the links to the accounts in the list of channels', async () => {
    await goTo('Blue Harbor Hotels', { width: 360, height: 740 });
    await isIn('Blue Harbor Hotels');
    await browser.page.getByRole('button', { name: 'Channels' }).click();
    await browser.page.getByRole('link', { name: 'Take a quiz at Northwind Training' }).waitFor();
    await keepScreenshot(browser.page, 'flows/tenants-channels-360');
    await expectNoSidewaysScroll(browser.page);
    await workspaces().getByRole('link', { name: 'Northwind Training' }).click();
    await isIn('Northwind Training');
  });
});
