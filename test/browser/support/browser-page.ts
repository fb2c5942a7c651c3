import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { watchdogMs } from '../../../src/sandbox/workspace/clock.ts';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { openTestBed, type TestBed, type TestBedOptions } from '../../support/open-test-bed.ts';
import { launchChromium } from './chromium.ts';
import { expectNoProblems, keepScreenshot } from './page.ts';

/** A page in a real browser and its elements. */
export interface BrowserPage {
  readonly page: Page;
  /** Script errors, policy violations and console errors. */
  readonly problems: readonly string[];
  readonly dialog: Locator;
  readonly main: Locator;
  /** The messages of the open channel. */
  readonly log: Locator;
  close(): Promise<void>;
  goTo(url: string, options?: BrowserContextOptions): Promise<void>;
}

let launched: Promise<Browser> | undefined;

/** The browser of all files that a worker runs. It ends with the worker. */
const sharedBrowser = (): Promise<Browser> => (launched ??= launchChromium());

/**
 * Each test opens its own page, with cookies and storage of its own, and fails if the page reports an error. It closes before what
 * an earlier `afterEach` of the file closes.
 */
export function useBrowserPage(): BrowserPage {
  let page: Page | undefined;
  const problems: string[] = [];

  const close = async (): Promise<void> => {
    await page?.close();
    page = undefined;
  };

  afterEach(async ({ task }) => {
    if (page && task.result?.state === 'fail') await keepScreenshot(page, `failed/${task.name}`);
    await close();
    expectNoProblems(problems.splice(0));
  });

  const opened = (): Page => {
    if (page === undefined) throw new Error('no page is open yet');
    return page;
  };

  return {
    problems,
    close,
    get page() {
      return opened();
    },
    get dialog() {
      return opened().getByRole('dialog');
    },
    get main() {
      return opened().getByRole('main');
    },
    get log() {
      return opened().getByRole('log', { name: /^Messages in [#I]/ });
    },
    async goTo(url, options = {}) {
      const browser = await sharedBrowser();
      page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
      page.setDefaultTimeout(watchdogMs);
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      await page.goto(url);
    },
  };
}

/** The page of a test bed, which the tests of a file share. Each test opens the page anew. */
export function usePageOfBot(
  options: TestBedOptions = {},
  viewport = { width: 1200, height: 900 },
): { browser: BrowserPage; readonly testBed: TestBed } {
  const browser = useBrowserPage();
  const cleanups: (() => void | Promise<void>)[] = [];
  let testBed: TestBed;

  beforeAll(async () => {
    testBed = await openTestBed({ hasRequestLimit: false, ...options }, (cleanUp) => cleanups.push(cleanUp));
    testBed.workspace.setLinks([{ label: 'Take a quiz', url: testBed.quizService.url }]);
  });
  afterAll(async () => {
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
  });
  beforeEach(async () => {
    const { workspace } = testBed;
    // A modal stays open for its person, also on another page.
    for (const { id } of Object.values(people))
      for (const view of workspace.views(id).toReversed()) await workspace.as(id).close(view);
    await browser.goTo(workspace.url, { viewport });
  });
  return {
    browser,
    get testBed() {
      return testBed;
    },
  };
}
