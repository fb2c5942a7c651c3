import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchChromium } from './chromium.ts';
import { expectNoProblems } from './page.ts';

/** A page of a real browser, and what stands on it. */
export interface BrowserPage {
  readonly page: Page;
  /** Errors of scripts, policy and console. */
  readonly problems: readonly string[];
  readonly dialog: Locator;
  readonly main: Locator;
  /** The messages of the channel. */
  readonly log: Locator;
  close(): Promise<void>;
  goTo(url: string, options?: BrowserContextOptions): Promise<void>;
}

/** One browser for the tests of a file; each test opens its own page, and fails when an error came up on it. */
export function useBrowserPage(): BrowserPage {
  let browser: Browser;
  let page: Page | undefined;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser.close());

  const close = async (): Promise<void> => {
    await page?.close();
    page = undefined;
  };

  afterEach(async () => {
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
      page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      await page.goto(url);
    },
  };
}
