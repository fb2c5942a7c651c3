import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { launchChromium } from '../../../browser/support/chromium.ts';

/** A page in a browser with an empty profile, which ends with the test. */
export async function openBrowserPage(): Promise<Page> {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  return browser.newPage();
}
