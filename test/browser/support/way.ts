import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { openTestBed, type TestBed, type TestBedOptions } from '../../support/open-test-bed.ts';
import { type BrowserPage, useBrowserPage } from './browser-page.ts';
import { noBrowser } from './chromium.ts';
import { type Hands, hands, keepLooks } from './hands.ts';
import { actAs, expectAccessible, keepScreenshot } from './page.ts';

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
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepScreenshot(browser.page, `failed/${task.name}`);
    await browser.close();
  });
  return {
    browser,
    get testBed() {
      return testBed;
    },
  };
}

/** A person at the page of a bot, who uses the mouse or the keyboard. */
interface Way {
  readonly browser: BrowserPage;
  readonly testBed: TestBed;
  readonly hand: Hands;
  become(name: keyof typeof people): Promise<void>;
  openChannel(name: string): Promise<void>;
  /** Checks the page with axe-core and, with the mouse, keeps its looks. */
  look(name: string): Promise<void>;
}

/** Runs the tests once with each of the hands, each in a test bed of its own. */
export function describeWays(name: string, options: TestBedOptions, tests: (way: Way) => void): void {
  describe.skipIf(noBrowser).each(hands)(`${name} with the $name`, (hand) => {
    const page = usePageOfBot(options);
    const { browser } = page;
    tests({
      browser,
      hand,
      get testBed() {
        return page.testBed;
      },
      become: (person) => actAs(browser.page, people[person]),
      async openChannel(channel) {
        const label = new RegExp(String.raw`${channel}(?![\w-])(?! Home)`);
        await browser.page.getByRole('navigation', { name: 'Channels' }).getByRole('button', { name: label }).click();
      },
      async look(shown) {
        await expectAccessible(browser.page);
        if (hand.name === 'mouse') await keepLooks(browser.page, shown);
      },
    });
  });
}
