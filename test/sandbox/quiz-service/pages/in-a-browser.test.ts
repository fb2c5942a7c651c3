import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowserPage } from '../../../browser/support/browser-page.ts';
import { noBrowser } from '../../../browser/support/chromium.ts';
import { expectAccessible, expectNoSidewaysScroll, keepScreenshot } from '../../../browser/support/page.ts';
import { quizNamed, startTestService } from '../support/service.ts';

/** Checks the page with axe-core: light and narrow, dark and wide. */
async function expectGood(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 360],
    ['dark', 1000],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await keepScreenshot(page, `quiz-service/${name}-${colorScheme}-${width}`);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
}

describe.skipIf(noBrowser)('in a browser', () => {
  const browser = useBrowserPage();

  test('a guest takes a quiz from the list to the result, on pages without an accessibility finding of level A or AA', async () => {
    const service = await startTestService({ returnUrl: 'http://127.0.0.1:9/' });
    await browser.goTo(service.url);
    const { page } = browser;
    await expectGood(page, 'home');
    await page.getByRole('link', { name: 'Workplace safety basics' }).click();
    await expectGood(page, 'register');
    await page.getByRole('button', { name: 'Continue as this person' }).click();
    await expectGood(page, 'ready');
    await page.getByRole('button', { name: 'Start' }).click();
    await expectGood(page, 'questions');
    await page.getByLabel('Keep people away from it').check();
    await page.getByLabel('Which colour have signs').selectOption('Blue');
    await page.getByLabel('What is the European emergency number?').fill('112');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('33%').waitFor();
    await expectGood(page, 'result');
  });

  test('a guest can do all of it with the keyboard alone', async () => {
    const service = await startTestService();
    const { quiz_id } = await quizNamed(service, '<!channel> & <https://x|y>');
    await browser.goTo(`${service.url}/take/${quiz_id}`);
    const { page } = browser;
    await page.getByLabel('First name').focus();
    for (const text of ['Kim', 'Keys', 'kim@keys.example']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Start' }).press('Enter');
    await page.getByLabel('&', { exact: true }).first().focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Submit' }).press('Enter');
    await page.getByText('25%').waitFor();
    expect(await page.getByText('Thank you, Kim').isVisible()).toBe(true);
  });
});
