import type { Locator, Page } from 'playwright-core';
import { composerOf, expectNoSidewaysScroll, keepScreenshot, keepsPictures } from './page.ts';

/** A way to use the page: with the mouse, or with the keyboard only. */
export interface Hands {
  name: 'mouse' | 'keyboard';
  press(element: Locator): Promise<void>;
  /** Types a line into the composer and sends it. */
  type(page: Page, line: string): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
  /** Finds an option of a picker by a part of its text, and chooses it. */
  choose(picker: Locator, text: string): Promise<void>;
}

const optionOf = (picker: Locator, text: string): Locator =>
  picker.page().getByRole('listbox').getByRole('option', { name: text }).first();

export const mouse: Hands = {
  name: 'mouse',
  press: (element) => element.click(),
  async type(page, line) {
    await composerOf(page).click();
    await composerOf(page).fill(line);
    await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  },
  fill: (field, text) => field.fill(text),
  async choose(picker, text) {
    await picker.click();
    await picker.fill(text);
    await optionOf(picker, text).click();
  },
};

const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node.ownerDocument.activeElement === node);

/** More presses of Tab than a page has stops. */
const mostStops = 150;

/** Presses Tab until the element has the focus: forwards in a dialog, else backwards from the composer to the newest message. */
async function reach(element: Locator): Promise<void> {
  await element.waitFor();
  const page = element.page();
  const isInDialog = (await element.locator('xpath=ancestor::dialog').count()) > 0;
  for (let stops = 0; stops < mostStops; stops += 1) {
    if (await isFocused(element)) return;
    await page.keyboard.press(isInDialog ? 'Tab' : 'Shift+Tab');
  }
  throw new Error(`${String(element)} cannot be reached with Tab`);
}

const keyboard: Hands = {
  name: 'keyboard',
  async press(element) {
    await reach(element);
    const isChoice = ['radio', 'checkbox'].includes((await element.getAttribute('type')) ?? '');
    await element.page().keyboard.press(isChoice ? 'Space' : 'Enter');
  },
  async type(page, line) {
    await composerOf(page).focus();
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  },
  async fill(field, text) {
    await reach(field);
    await field.page().keyboard.type(text);
  },
  async choose(picker, text) {
    await reach(picker);
    const { keyboard: keys } = picker.page();
    await keys.type(text);
    // Enter chooses the first option, which is another until the list is filtered.
    await picker.page().getByRole('listbox').getByRole('option').first().filter({ hasText: text }).waitFor();
    await keys.press('Enter');
  },
};

export const hands: readonly Hands[] = [mouse, keyboard];

/** Fails if a phone would have to scroll sideways. Saves screenshots in light, in dark and on a phone, in a folder of their own. */
export async function keepLooks(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1200, height: 800 };
  if (keepsPictures) {
    await keepScreenshot(page, `flows/${name}-light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await keepScreenshot(page, `flows/${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await keepScreenshot(page, `flows/${name}-360`);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(size);
}
