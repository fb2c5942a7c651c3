import { afterEach, beforeEach, describe } from 'vitest';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import type { TestBedOptions } from '../../support/open-test-bed.ts';
import { type BrowserPage, useBrowserPage } from './browser-page.ts';
import { noBrowser } from './chromium.ts';
import { type Hands, hands, keepLooks } from './hands.ts';
import { actAs, expectAccessible, keepScreenshot } from './page.ts';

/** A test bed with a person at its page, who uses the mouse or the keyboard. */
interface Way {
  readonly browser: BrowserPage;
  readonly testBed: TestBed;
  readonly hand: Hands;
  /** The newest button of the channel with this name. */
  button(name: string | RegExp): ReturnType<BrowserPage['log']['getByRole']>;
  become(name: keyof typeof people): Promise<void>;
  openChannel(name: string): Promise<void>;
  /** Checks the page with axe-core and, with the mouse, keeps its looks. */
  look(name: string): Promise<void>;
}

/** Runs the tests once with each of the hands, each in a test bed of its own. */
export function describeWays(
  name: string,
  options: TestBedOptions & { with?: readonly Hands[] },
  tests: (way: Way) => void,
): void {
  const { with: used = hands, ...bedOptions } = options;
  describe.skipIf(noBrowser).each(used)(`${name} with the $name`, (hand) => {
    const browser = useBrowserPage();
    let testBed: TestBed;

    beforeEach(async () => {
      testBed = await startTestBed(bedOptions);
      testBed.workspace.setLinks([{ label: 'Take a quiz', url: testBed.quizService.url }]);
      await browser.goTo(testBed.workspace.url, { viewport: { width: 1200, height: 900 } });
    });

    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await keepScreenshot(browser.page, `failed/${hand.name} ${task.name}`);
      await browser.close();
    });

    tests({
      browser,
      hand,
      get testBed() {
        return testBed;
      },
      button: (label) => browser.log.getByRole('button', { name: label }).last(),
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
