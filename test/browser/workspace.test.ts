import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, manualClock, systemClock } from '../../src/sandbox/workspace/clock.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import type { BoltBot } from '../sandbox/workspace/support/bolt-bot.ts';
import { launchChromium, noBrowser } from './support/chromium.ts';
import { composerOf, expectAccessible, expectNoProblems, expectNoSidewaysScroll, keepScreenshot, type } from './support/page.ts';
import { startShowcase } from './support/showcase.ts';

describe.skipIf(noBrowser !== undefined)(`the workspace in a browser${noBrowser === undefined ? '' : ` (skipped: ${noBrowser})`}`, () => {
  let browser: Browser;
  let bot: BoltBot;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser.close());

  async function open(options: BrowserContextOptions = {}, clock: Clock = systemClock()): Promise<void> {
    bot = await startShowcase({ clock });
    page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
    page.setDefaultTimeout(5000);
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(bot.workspace.url);
    await page.getByText('Is the fire safety quiz still open?').waitFor();
  }

  afterEach(async () => {
    await page.close();
    await bot.stop();
    expectNoProblems(problems.splice(0));
  });

  const dialog = () => page.getByRole('dialog');
  const log = () => page.getByRole('log', { name: /^Messages in #/ });
  const main = () => page.getByRole('main');

  it('shows a command from click to message, only to whoever typed it', async () => {
    await open();
    await composerOf(page).fill('/q');
    await page.getByRole('option', { name: /\/quiz-user/ }).waitFor();
    await keepScreenshot(page, 'workspace-completion');
    await page.getByRole('option', { name: /^\/quiz list/ }).click();
    await page.getByText('list | show quiz').waitFor();
    await expectAccessible(page);
    await composerOf(page).pressSequentially('list');
    await page.getByRole('button', { name: 'Send' }).click();
    await log().getByText('Only visible to you').waitFor();
    await log().getByRole('heading', { name: 'Quizzes' }).waitFor();
    await keepScreenshot(page, 'workspace-list');
    await expectAccessible(page);
    await page.getByLabel('Acting as').selectOption(people.tom.id);
    await log().getByText('Only visible to you').waitFor({ state: 'detached' });
    expect(bot.workspace.ephemerals(people.ada.id)).toHaveLength(1);
  });

  it('closes a quiz by mouse: shortcut, picker, an error under its field, message', async () => {
    await open();
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await dialog().getByRole('heading', { name: 'Close a quiz' }).waitFor();
    await dialog().getByRole('combobox', { name: 'Quiz' }).click();
    await dialog().getByRole('option', { name: '<!channel> & <https://x|y>' }).waitFor();
    await keepScreenshot(page, 'workspace-picker');
    await expectAccessible(page);
    await dialog().getByRole('option', { name: 'First aid' }).click();
    await dialog().getByRole('button', { name: 'Close quiz' }).click();
    await dialog().getByText('First aid is closed already.').waitFor();
    await keepScreenshot(page, 'workspace-error');
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Clear Quiz' }).click();
    await dialog().getByRole('combobox', { name: 'Quiz' }).click();
    await dialog().getByRole('option', { name: 'Fire safety' }).click();
    await dialog().getByRole('button', { name: 'Close quiz' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await log().getByText('closed Fire safety').waitFor();
    expect(bot.workspace.views(people.ada.id)).toEqual([]);
  });

  it('closes a quiz by keyboard alone, with the focus kept in the modal and given back', async () => {
    await open();
    const shortcuts = page.getByRole('button', { name: 'Shortcuts' });
    await shortcuts.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const picker = dialog().getByRole('combobox', { name: 'Quiz' });
    await picker.waitFor();
    await expect.poll(() => picker.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
    await page.keyboard.type('fire');
    await dialog().getByRole('option', { name: 'Fire safety' }).waitFor();
    await dialog().getByRole('option', { name: 'First aid' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement === document.body || document.querySelector("dialog[open]").contains(document.activeElement)')).toBe(true);
    }
    await dialog().getByRole('button', { name: 'Close quiz' }).focus();
    await page.keyboard.press('Enter');
    await log().getByText('closed Fire safety').waitFor();
    await expect.poll(() => shortcuts.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
  });

  it('Escape closes the picker first, then the modal, and the bot is not asked to close anything', async () => {
    await open();
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    const picker = dialog().getByRole('combobox', { name: 'Quiz' });
    await picker.click();
    await dialog().getByRole('option', { name: 'Fire safety' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().getByRole('listbox', { name: 'Quiz' }).waitFor({ state: 'hidden' });
    expect(await dialog().isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    expect(bot.workspace.views(people.ada.id)).toEqual([]);
    expect(bot.workspace.deliveries.some((delivery) => delivery.kind === 'view_submission')).toBe(false);
  });

  it('an alert appears by itself, and a channel that is not looked at counts it', async () => {
    await open();
    await main().getByText('9 of 10 points').waitFor();
    // oxlint-disable-next-line require-post-message-target-origin -- this is Slack's, not a window's
    await bot.app.client.chat.postMessage({ channel: channels.training.id, text: 'Ravi Shah failed First aid' });
    await page.getByRole('button', { name: /training 1 new/ }).click();
    await log().getByText('Ravi Shah failed First aid').waitFor();
    expect(await page.getByRole('button', { name: /training \d new/ }).count()).toBe(0);
    await keepScreenshot(page, 'workspace-alert');
    await expectAccessible(page);
  });

  it('asks before a dangerous button acts', async () => {
    await open();
    await type(page, '/quiz list');
    await log().getByRole('button', { name: 'Close' }).first().click();
    await dialog().getByText('Nobody can take Fire safety any more.').waitFor();
    await keepScreenshot(page, 'workspace-confirm');
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Keep it open' }).click();
    await dialog().waitFor({ state: 'hidden' });
    expect(bot.workspace.deliveries.some((delivery) => delivery.kind === 'block_actions')).toBe(false);
    await log().getByRole('button', { name: 'Close' }).first().click();
    await dialog().getByRole('button', { name: 'Close it' }).click();
    await log().getByText('closed a quiz').waitFor();
  });

  it('menus on messages choose and tell the bot', async () => {
    await open();
    await type(page, '/quiz list');
    await log().getByRole('combobox', { name: 'Filter' }).click();
    await log().getByRole('option', { name: 'Closed' }).click();
    await bot.workspace.until(() => bot.workspace.deliveries.find((delivery) => delivery.kind === 'block_actions' && JSON.stringify(delivery.body).includes('"action_id":"filter"')));
    await log().getByRole('button', { name: 'More actions' }).click();
    await log().getByRole('menuitem', { name: 'Export' }).click();
    const chosen = await bot.workspace.until(() => bot.workspace.deliveries.find((delivery) => JSON.stringify(delivery.body).includes('"value":"export"')));
    expect(chosen.status).toBe(200);
  });

  it('fills in every kind of input, by mouse and by keyboard, and stacks a second modal', async () => {
    await open();
    await type(page, '/quiz inputs');
    await dialog().getByRole('heading', { name: 'Every input' }).waitFor();
    await keepScreenshot(page, 'workspace-inputs');
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('Please complete this required field.').first().waitFor();
    await expect.poll(() => dialog().getByRole('textbox', { name: 'Name' }).evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Ada');
    await dialog().getByRole('textbox', { name: 'E-mail address' }).fill('ada@quiz.example');
    await dialog().getByRole('textbox', { name: 'Attempts' }).fill('3');
    await dialog().getByRole('combobox', { name: 'People' }).click();
    await dialog().getByRole('option', { name: 'Rosa Jimenez' }).click();
    await dialog().getByRole('combobox', { name: 'People' }).pressSequentially('ravi');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Remove Rosa Jimenez' }).waitFor();
    await dialog().getByRole('combobox', { name: 'Quizzes' }).click();
    await dialog().getByRole('option', { name: 'Food hygiene' }).click();
    await dialog().getByRole('radio', { name: /Open/ }).check();
    await dialog().getByRole('checkbox', { name: 'Edit quizzes' }).check();
    await dialog().getByLabel('At', { exact: true }).fill('09:30');
    await dialog().getByRole('textbox', { name: 'Note' }).fill('One\nTwo');
    await dialog().getByRole('button', { name: 'Deeper' }).click();
    await dialog().getByRole('heading', { name: 'One deeper' }).waitFor();
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Back' }).click();
    await dialog().getByRole('heading', { name: 'Every input' }).waitFor();
    await dialog().getByRole('button', { name: 'Save' }).click();
    const submission = await bot.workspace.until(() => bot.workspace.deliveries.find((delivery) => delivery.kind === 'view_submission'));
    expect(submission.body).toMatchObject({
      view: {
        state: {
          values: {
            name: { name: { value: 'Ada' } },
            attempts: { attempts: { value: '3' } },
            people: { people: { selected_users: [people.rosa.id, people.ravi.id] } },
            quizzes: { quizzes: { selected_options: [{ value: '13' }] } },
            status: { status: { selected_option: { value: 'open' } } },
            rights: { rights: { selected_options: [{ value: 'edit quizzes' }] } },
            from: { from: { selected_date: '2026-11-20' } },
            at: { at: { selected_time: '09:30' } },
            note: { note: { rich_text_value: { elements: [{ elements: [{ text: 'One' }] }, { elements: [{ text: 'Two' }] }] } } },
          },
        },
      },
    });
  });

  it('shows results as chart and as table that sorts and turns pages', async () => {
    await open();
    await type(page, '/quiz results');
    await log().getByRole('img', { name: 'Bar chart: How many scored what' }).waitFor();
    const table = log().getByRole('table', { name: 'Attempts' });
    const firstPerson = () => table.getByRole('rowheader').first().textContent();
    expect((await firstPerson())?.trim()).toBe('Rosa Jimenez');
    await table.getByRole('button', { name: 'Score' }).click();
    await expect.poll(firstPerson).toContain('Jonas Weber');
    expect(await table.getByRole('columnheader', { name: 'Score' }).getAttribute('aria-sort')).toBe('ascending');
    await log().getByText('1–5 of 7').waitFor();
    await log().getByRole('button', { name: 'Next' }).press('Enter');
    await log().getByText('6–7 of 7').waitFor();
    await keepScreenshot(page, 'workspace-results');
    await expectAccessible(page);
  });

  it.each(['charts', 'more', 'file'])('shows %s without a finding', async (word) => {
    await open();
    await type(page, `/quiz ${word}`);
    await log().locator('.message').nth(2).waitFor();
    expect(bot.workspace.calls.filter((call) => !call.ok)).toEqual([]);
    await keepScreenshot(page, `workspace-${word}`);
    await expectAccessible(page);
  });

  it('threads open beside the channel and take replies', async () => {
    await open();
    await log().getByText('Is the fire safety quiz still open?').hover();
    await log().getByRole('button', { name: 'Message actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Reply in thread' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByRole('combobox', { name: 'Message thread' }).fill('Until Friday.');
    await thread.getByRole('button', { name: 'Send' }).click();
    await log().getByRole('button', { name: '1 reply' }).waitFor();
    await thread.getByText('Until Friday.').waitFor();
    await keepScreenshot(page, 'workspace-thread');
    await expectAccessible(page);
    await thread.getByRole('button', { name: 'Close thread' }).click();
    await thread.waitFor({ state: 'detached' });
    expect(bot.workspace.messages(channels.results.id).at(-1)).toMatchObject({ text: 'Until Friday.', threadTs: expect.any(String) });
  });

  it('a message shortcut acts on the message', async () => {
    await open();
    await log().getByRole('button', { name: 'Message actions' }).first().press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await log().getByText('Rosa Jimenez, respondent').waitFor();
    expect(bot.workspace.deliveries.at(-1)).toMatchObject({ kind: 'message_action', status: 200 });
  });

  it('the Home tab is published when it is opened', async () => {
    await open();
    await page.getByRole('button', { name: 'Invigilator Home' }).click();
    await main().getByRole('heading', { name: 'Hello' }).waitFor();
    await keepScreenshot(page, 'workspace-home');
    await expectAccessible(page);
    await main().getByRole('checkbox', { name: 'Only my quizzes' }).check();
    const click = await bot.workspace.until(() => bot.workspace.deliveries.find((delivery) => delivery.kind === 'block_actions'));
    expect(click.body).toMatchObject({ container: { type: 'view' }, view: { type: 'home' } });
  });

  it('a command nobody acknowledges is reported, and the drawer shows the request', async () => {
    const clock = manualClock(Date.now());
    await open({}, clock);
    await type(page, '/plain hello');
    await page.getByRole('button', { name: 'Requests between Slack and bot' }).click();
    const drawer = page.getByRole('complementary', { name: 'Requests' });
    await drawer.getByText('command', { exact: true }).click();
    await drawer.getByText('"text": "hello"').waitFor();
    await keepScreenshot(page, 'workspace-requests');
    await expectAccessible(page);
    clock.advance(3000);
    await log().getByText('/plain failed with the error "operation_timeout"').waitFor();
    expect(bot.workspace.deliveries.at(-1)).toMatchObject({ kind: 'command', error: 'operation_timeout' });
  });

  it('reads well in the dark', async () => {
    await open({ colorScheme: 'dark' });
    await type(page, '/quiz results');
    await log().getByRole('table', { name: 'Attempts' }).waitFor();
    await keepScreenshot(page, 'workspace-dark');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await dialog().getByRole('combobox', { name: 'Quiz' }).waitFor();
    await keepScreenshot(page, 'workspace-dark-modal');
    expect(await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')).toBe(true);
    await expectAccessible(page);
  });

  it('works at 360 pixels: channels behind a button, nothing wider than the window', async () => {
    await open({ viewport: { width: 360, height: 740 } });
    await type(page, '/quiz results');
    await log().getByRole('table', { name: 'Attempts' }).waitFor();
    await keepScreenshot(page, 'workspace-narrow');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: /training$/ }).first().isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Channels' }).click();
    await keepScreenshot(page, 'workspace-narrow-channels');
    await expectAccessible(page);
    await page.getByRole('button', { name: /training$/ }).first().click();
    await main().getByRole('heading', { name: '#training' }).waitFor();
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await dialog().getByRole('combobox', { name: 'Quiz' }).click();
    await dialog().getByRole('option', { name: 'Fire safety' }).waitFor();
    await keepScreenshot(page, 'workspace-narrow-modal');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  it('runs nothing that a message brings', async () => {
    await open();
    await type(page, '<img src=x onerror="document.title=1"> *bold* <script>document.title=2</script>');
    await log().getByText('<img src=x onerror').waitFor();
    expect(await page.title()).toBe('Sandbox workspace');
    await type(page, '/quiz results');
    await log().getByRole('table', { name: 'Attempts' }).waitFor();
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await dialog().waitFor();
    expect(problems).toEqual([]);
    const policy = (await page.request.get(bot.workspace.url)).headers()['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
  });
});
