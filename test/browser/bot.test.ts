import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startHouse, type House } from '../support/house.ts';
import { launchChromium, noBrowser } from './support/chromium.ts';
import { composerOf, expectAccessible, keepScreenshot, type } from './support/page.ts';

describe.skipIf(noBrowser)('the bot in a browser', { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  async function open(): Promise<{ page: Page; house: House }> {
    const house = await startHouse();
    house.workspace.setLinks([{ label: 'Take a quiz', url: house.quizService.url }]);
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    onTestFinished(() => page.close());
    page.setDefaultTimeout(10_000);
    await page.goto(house.workspace.url);
    await composerOf(page).waitFor();
    return { page, house };
  }

  const dialog = (page: Page) => page.getByRole('dialog');
  const actAs = (page: Page, person: { id: string }) => page.getByLabel('Acting as').selectOption(person.id);

  async function openShortcut(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: /shortcuts/i }).click();
    await page.getByRole('menuitem', { name: new RegExp(name) }).click();
    await dialog(page).waitFor();
  }

  /** Types into a picker and takes what it offers. */
  async function pick(page: Page, label: string, text: string): Promise<void> {
    await dialog(page).getByRole('combobox', { name: label, exact: true }).fill(text);
    await dialog(page).getByRole('option', { name: new RegExp(text, 'i') }).first().click();
  }

  test('a submitted quiz becomes a message, from the first click to the channel', async () => {
    const { page } = await open();
    await type(page, '/quiz list');
    await page.getByText('9 quizzes').waitFor();
    const [quiz] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: /Take a quiz/ }).click()]);
    await quiz.getByRole('link', { name: 'Workplace safety basics' }).click();
    await quiz.getByLabel('First name').fill('Ines');
    await quiz.getByLabel('Last name').fill('Marques');
    await quiz.getByLabel('E-mail address').fill('ines@example.com');
    await quiz.getByRole('button', { name: 'Continue', exact: true }).click();
    quiz.setDefaultTimeout(10_000);
    await quiz.getByRole('button', { name: 'Start' }).click();
    await quiz.getByRole('button', { name: 'Submit my answers' }).waitFor();
    for (const question of await quiz.getByRole('group').all()) {
      const choices = question.getByRole('radio');
      if ((await choices.count()) > 0) await choices.first().check();
    }
    for (const text of await quiz.getByRole('textbox').all()) await text.fill('helmet');
    await quiz.getByRole('button', { name: 'Submit my answers' }).click();
    await quiz.getByText('Thank you, Ines').waitFor();
    await quiz.close();
    await page.getByText('Ines Marques').first().waitFor();
    await page.getByText('Percentage').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-list-and-alert');
  });

  test('a trainer closes a quiz with the mouse', async () => {
    const { page } = await open();
    await actAs(page, people.erin);
    await openShortcut(page, 'Close a quiz');
    await dialog(page).getByRole('combobox', { name: 'Quiz' }).click();
    await page.getByRole('option', { name: /<!channel>/ }).waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-close-quiz');
    await page.getByRole('option', { name: /Workplace safety/ }).click();
    await dialog(page).getByRole('button', { name: 'Close it' }).click();
    await dialog(page).getByText('“Workplace safety basics” is closed').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-quiz-closed');
  });

  test('a trainer closes a quiz with the keyboard alone', async () => {
    const { page, house } = await open();
    await actAs(page, people.erin);
    await composerOf(page).focus();
    await page.keyboard.type('/quiz close');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    // What is offered for the whole word: an answer to a part of it that comes later would begin the choice anew.
    const offered = page.waitForResponse((response) => response.request().postData()?.includes('"workplace"') ?? false);
    await page.keyboard.type('workplace');
    await offered;
    await expect.poll(() => dialog(page).getByRole('option').allTextContents()).toHaveLength(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    for (let tabs = 0; tabs < 6 && (await page.evaluate('document.activeElement?.textContent?.trim()')) !== 'Close it'; tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('“Workplace safety basics” is closed').waitFor();
    expect(house.requests.some((request) => request.endsWith('status=closed'))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  });

  test('a user is created, and their password seen once', async () => {
    const { page } = await open();
    await openShortcut(page, 'Create a user');
    await dialog(page).getByLabel('User name').fill('ines@quiz.example');
    await dialog(page).getByLabel('First name').fill('Ines');
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-create-user');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await dialog(page).getByText('is created as respondent').waitFor();
    await expect.poll(() => dialog(page).innerText()).toMatch(/with the password [A-Za-z2-9]{16}/);
    await expectAccessible(page);
  });

  test('a name that is taken is told under its field, and what was typed stays', async () => {
    const { page } = await open();
    await openShortcut(page, 'Create a user');
    await dialog(page).getByLabel('User name').fill('taken@elsewhere.example');
    await dialog(page).getByLabel('Last name').fill('Marques');
    await dialog(page).getByRole('button', { name: 'Create' }).click();
    await dialog(page).getByText(/refused this/).waitFor();
    expect(await dialog(page).getByLabel('Last name').inputValue()).toBe('Marques');
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-name-taken');
  });

  test('a quiz is assigned to a person and a group at once', async () => {
    const { page } = await open();
    await openShortcut(page, 'Assign a quiz');
    await pick(page, 'Quiz', 'first aid');
    await pick(page, 'People and groups of the quiz account', 'rosa');
    await pick(page, 'People and groups of the quiz account', 'kitchen');
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-assign-quiz');
    await dialog(page).getByRole('button', { name: 'Assign' }).click();
    await dialog(page).getByText(/is assigned to .*Rosa Almeida/).waitFor();
  });

  test('a user is suspended', async () => {
    const { page } = await open();
    await openShortcut(page, 'Suspend a user');
    await pick(page, 'User', 'ravi');
    await keepScreenshot(page, 'bot-suspend-user');
    await dialog(page).getByRole('button', { name: 'Suspend' }).click();
    await dialog(page).getByText('Ravi Banerjee is suspended').waitFor();
    await expectAccessible(page);
  });

  test('the Home tab shows who I am and what is open, also on a phone and in the dark', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /Invigilator Home/ }).click();
    await page.getByText(/% passed, of/).first().waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-home');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-home-phone-dark');
  });

  test('a quick action of the Home tab is reached with the keyboard alone', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /Invigilator Home/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/% passed, of/).first().waitFor();
    await page.getByRole('button', { name: 'Assign… Workplace safety basics' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Assign quiz').waitFor();
    expect(await dialog(page).getByRole('combobox', { name: 'Quiz', exact: true }).inputValue()).toBe('Workplace safety basics');
    await expectAccessible(page);
  });
});
