import { WebClient } from '@slack/web-api';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { botToken } from '../support/open-test-bed.ts';
import { usePageOfBot } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, composerOf, expectAccessible, expectNoSidewaysScroll, keepScreenshot, type } from './support/page.ts';

const { ada, rosa, tom } = people;
const results = channels.results.id;
const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const button = (text: string) => ({ type: 'button', action_id: text, text: plain(text) }) as const;
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const layouts = [
  ['on a wide screen', {}],
  ['on a phone, in the dark', { ...phone, colorScheme: 'dark' }],
] as const;

const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node.ownerDocument.activeElement === node);

describe.skipIf(noBrowser)('the page of the workspace', () => {
  const bed = usePageOfBot({}, { width: 1200, height: 600 });
  const { browser } = bed;
  /** Calls a method of Slack as the bot. */
  const call = async (method: string, args: Record<string, unknown>) =>
    new WebClient(botToken, { slackApiUrl: bed.testBed.workspace.apiUrl }).apiCall(method, args);
  const post = async (text: string, more: Record<string, unknown> = {}) =>
    call('chat.postMessage', { channel: results, text, ...more });
  const openedWith = async (options: object): Promise<void> => {
    await browser.close();
    await browser.goTo(`${bed.testBed.workspace.url}#/${ada.id}/${results}`, options);
  };
  const closeQuizForm = async (): Promise<Locator> => {
    await browser.page.getByRole('button', { name: 'Shortcuts' }).click();
    await browser.page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    const picker = browser.dialog.getByRole('combobox', { name: 'Quiz' });
    await picker.waitFor();
    return picker;
  };

  test('shows the answer to a command only to the person who typed it, until a reload', async () => {
    const { page, log } = browser;
    await type(page, '/quiz list');
    await log.getByText('Only visible to you').waitFor();
    await actAs(page, tom);
    await log.getByText('Only visible to you').waitFor({ state: 'detached' });
    await actAs(page, ada);
    await log.getByText('Only visible to you').waitFor();
    await post('Everyone reads this');
    await page.reload();
    await log.getByText('Everyone reads this').waitFor();
    expect(await log.getByText('Only visible to you').count()).toBe(0);
  });

  test('one Enter sends a whole command, and takes a completion of a part of one', async () => {
    const { page } = browser;
    const { deliveries } = bed.testBed.workspace;
    const before = deliveries.length;
    const commands = () =>
      bed.testBed.workspace.deliveries
        .slice(before)
        .flatMap(({ kind, body }) => (kind === 'command' ? [Object(body).command] : []));
    const composer = composerOf(page);
    await composer.pressSequentially('/quiz');
    await page.getByRole('option', { name: /\/quiz-user/ }).waitFor();
    await expectAccessible(page);
    await composer.press('Enter');
    await expect.poll(commands).toEqual(['/quiz']);
    await composer.pressSequentially('/qui');
    await composer.press('Enter');
    await expect.poll(() => composer.inputValue()).toBe('/quiz ');
    await composer.fill('/quiz');
    await composer.press('ArrowDown');
    await composer.press('ArrowDown');
    await composer.press('Enter');
    await expect.poll(() => composer.inputValue()).toMatch(/^\/quiz-\w+ $/);
    expect(commands()).toEqual(['/quiz']);
    await composer.fill('');
    await composer.pressSequentially('assign food to @kit');
    await page.getByRole('option', { name: /@kitchen-team/ }).waitFor();
    await composer.press('Tab');
    await composer.press('Enter');
    await page.getByText('assign food to @kitchen-team').waitFor();
    expect(bed.testBed.workspace.messages(results).map(({ text }) => text)).toContain(
      'assign food to <!subteam^S0KITCHEN|@kitchen-team>',
    );
  });

  test('a message appears without a reload, and a channel in the background counts it', async () => {
    const { page, log } = browser;
    await post('*Tom* says\n>“Please take it before the audit”');
    const quotation = log.getByRole('blockquote');
    await quotation.waitFor();
    expect(await quotation.innerText()).toBe('“Please take it before the audit”');
    await post('Ravi Banerjee failed First aid', { channel: channels.training.id });
    await page.getByRole('button', { name: /training 1 new/ }).click();
    await log.getByText('Ravi Banerjee failed First aid').waitFor();
    await page.getByRole('button', { name: /training \d new/ }).waitFor({ state: 'detached' });
    await expectAccessible(page);
  });

  /** Whether the beginning of the newest message is seen. */
  const isNewestSeen = (): Promise<boolean> =>
    browser.log
      .locator('.message')
      .last()
      .evaluate((node) => {
        const [window, shown] = [node.closest('.messages')!, node].map((each) => each.getBoundingClientRect());
        return Math.round(shown!.top) >= Math.round(window!.top) && shown!.top < window!.bottom;
      });

  test('scrolls to an answer, but leaves who reads further up there, and says that there is a new message below', async () => {
    const { page, log } = browser;
    const says = bed.testBed.workspace.as(rosa.id);
    for (let line = 1; line <= 20; line += 1) await says.say(results, `Line ${line}`);
    await log.getByText('Line 20', { exact: true }).waitFor();
    const scrollUp = () => log.evaluate((list) => list.scrollTo({ top: 0 }));
    for (const [line, answer] of [
      ['/quiz lst', 'Did you mean'],
      // Taller than the window.
      ['/quiz results workplace', 'Attempts by percentage'],
    ] as const) {
      await scrollUp();
      await type(page, line);
      await log.getByText(answer).first().waitFor();
      await expect.poll(isNewestSeen).toBe(true);
    }
    await scrollUp();
    await post('Ravi failed');
    const below = page.getByRole('button', { name: 'New message below' });
    await below.waitFor();
    expect(await isNewestSeen()).toBe(false);
    await expectAccessible(page);
    await below.click();
    await below.waitFor({ state: 'hidden' });
    expect(await isNewestSeen()).toBe(true);
  });

  test('what the bot or the page cannot take is said, and a text stays in the composer', async () => {
    const { page, log } = browser;
    const { workspace, url } = bed.testBed;
    workspace.setBot('http://127.0.0.1:1/');
    await type(page, '/quiz list');
    await log.getByText('/quiz failed with the error "dispatch_failed"').waitFor();
    workspace.setBot(`${url}/slack/events`);
    await page.route('**/page/acts*', (route) => route.fulfill({ body: 'no answer' }));
    await type(page, 'Good morning');
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
    await expect.poll(() => composerOf(page).inputValue()).toBe('Good morning');
  });

  test('a thread opens beside the channel and accepts replies', async () => {
    const { page, log } = browser;
    await bed.testBed.workspace.as(rosa.id).say(results, 'Is the fire safety quiz still open?');
    const message = log.locator('.message').filter({ hasText: 'still open?' }).last();
    await message.hover();
    await message.getByRole('button', { name: 'Message actions' }).click();
    await page.getByRole('menuitem', { name: 'Reply in thread' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByRole('combobox', { name: 'Message thread' }).fill('Until Friday.');
    await thread.getByRole('button', { name: 'Send' }).click();
    await log.getByRole('button', { name: '1 reply' }).waitFor();
    await thread.getByText('Until Friday.').waitFor();
    await expectAccessible(page);
    await thread.getByRole('button', { name: 'Close thread' }).click();
    await thread.waitFor({ state: 'detached' });
  });

  test('a menu is opened and an option chosen with the keyboard only', async () => {
    const { page, dialog, log } = browser;
    await type(page, '/quiz list');
    await log.getByRole('button', { name: 'More actions' }).last().press('Enter');
    await log.getByRole('menuitem').filter({ visible: true }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.or(log.getByText('Only visible to you').nth(1)).first().waitFor();
  });

  test('chooses the option that is pressed, whatever the bot answers and is drawn meanwhile', async () => {
    const { page, dialog, log } = browser;
    const toldApart = Promise.withResolvers<void>();
    await page.route(/\/page\/acts/, async (route) => {
      if (route.request().postData()?.includes('"fo"') === true) await toldApart.promise;
      await route.continue();
    });
    const picker = await closeQuizForm();
    await picker.click();
    await dialog.getByRole('option').first().waitFor();
    await picker.fill('fo');
    await dialog.getByRole('option', { name: 'Food hygiene' }).hover();
    await page.mouse.down();
    const answered = page.waitForEvent('requestfinished', (request) => request.postData()?.includes('"fo"') === true);
    toldApart.resolve();
    await answered;
    await bed.testBed.workspace.as(rosa.id).say(results, 'It rains.');
    await log.getByText('It rains.').waitFor();
    await page.mouse.up();
    await expect.poll(() => picker.inputValue()).toContain('Food hygiene');
  });

  test('keeps the focus in a modal, and Escape closes first the picker and then the modal, and submits nothing', async () => {
    const { page, dialog } = browser;
    const { workspace } = bed.testBed;
    const submissions = () => workspace.deliveries.filter(({ kind }) => kind === 'view_submission').length;
    const before = submissions();
    const picker = await closeQuizForm();
    await expect.poll(() => isFocused(picker)).toBe(true);
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(
          'document.activeElement === document.body || document.querySelector("dialog[open]").contains(document.activeElement)',
        ),
      ).toBe(true);
    }
    await picker.click();
    // A name shows as it is.
    await dialog.getByRole('option', { name: /<!channel>/ }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('listbox', { name: 'Quiz' }).waitFor({ state: 'hidden' });
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => isFocused(page.getByRole('button', { name: 'Shortcuts' }))).toBe(true);
    expect([workspace.views(ada.id), submissions()]).toEqual([[], before]);
  });

  test('the first click after typing into a picker counts', async () => {
    const { page, dialog } = browser;
    await (await closeQuizForm()).fill('fo');
    await dialog.getByRole('option').first().waitFor();
    const { x, y, width, height } = await boxOf(dialog.getByRole('button', { name: 'Cancel' }));
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await page.mouse.up();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('an input appears while somebody types in another, and what is typed goes on in it', async () => {
    const { page, dialog } = browser;
    const { workspace } = bed.testBed;
    await type(page, '/quiz-user create');
    await dialog.getByLabel('Last name').fill('Ra');
    const [form] = workspace.views(ada.id);
    const added = {
      type: 'input',
      block_id: 'added',
      label: plain('Added'),
      element: { type: 'plain_text_input', action_id: 'added' },
    };
    const { type: kind, callback_id, title, submit, close, private_metadata } = Object(form);
    const view = { type: kind, callback_id, title, submit, close, private_metadata, blocks: [added, ...form!.blocks] };
    await call('views.update', { view_id: form!.id, view: JSON.stringify(view) });
    await dialog.getByLabel('Added').waitFor();
    await page.keyboard.type('vi');
    expect(await dialog.getByLabel('Last name').inputValue()).toBe('Ravi');
  });

  test('opens a conversation of the new person after a switch', async () => {
    const { page, main } = browser;
    const here = async () => (await page.locator('[aria-current=page]').textContent())?.trim();
    await page.getByRole('button', { name: /training-leads/ }).click();
    await actAs(page, rosa);
    await main.getByRole('heading', { name: '#quiz-results' }).waitFor();
    await expect.poll(here).toContain('quiz-results');
    await page.getByRole('button', { name: 'Invigilator', exact: true }).click();
    await actAs(page, tom);
    await expect.poll(() => page.url()).toContain(`${tom.id}/D00000TOM`);
    await expect.poll(here).toBe('Invigilator');
  });

  test('runs no script from a message', async () => {
    const { page, log, problems } = browser;
    await type(page, '<img src=x onerror="document.title=1"> *bold* <script>document.title=2</script>');
    await log.getByText('<img src=x onerror').waitFor();
    expect(await page.title()).toBe('Sandbox workspace');
    await type(page, '/quiz results workplace');
    await log.getByRole('table').first().waitFor();
    await closeQuizForm();
    expect(problems).toEqual([]);
    const policy = (await page.request.get(bed.testBed.workspace.url)).headers()['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
  });

  test('on a phone, has channels behind a button, wraps choices, and nothing is wider than the window', async () => {
    await openedWith(phone);
    const { page, log, main, dialog } = browser;
    const name = 'Working at height, ladders and scaffolding: refresher for the night shift';
    await post('Which one?', { blocks: [{ type: 'actions', elements: [button(name)] }] });
    const choice = log.getByRole('button', { name });
    await choice.waitFor();
    expect(await choice.evaluate((node) => [node.scrollWidth - node.clientWidth, node.clientHeight > 40])).toEqual([
      0,
      true,
    ]);
    await expectNoSidewaysScroll(page);
    const training = page.getByRole('button', { name: /training$/ }).first();
    expect(await training.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Channels' }).click();
    await expectAccessible(page);
    await training.click();
    await main.getByRole('heading', { name: '#training' }).waitFor();
    await (await closeQuizForm()).click();
    await dialog.getByRole('option').first().waitFor();
    await keepScreenshot(page, 'workspace-narrow-modal');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  test.each(layouts)(
    'a direct message shows a badge that a reload does not bring back, and a thread keeps its buttons in one line, %s',
    async (_, options) => {
      await openedWith(options);
      const { page, log } = browser;
      const person = 'isMobile' in options ? people.nora : people.erin;
      const { channel } = Object(await call('conversations.open', { users: person.id }));
      await post('Hello', { channel: channel.id });
      await actAs(page, person);
      const entry = page.getByRole('button', { name: /^Invigilator( 1 new)?$/, includeHidden: true });
      if ('isMobile' in options) await page.getByRole('button', { name: 'Channels' }).click();
      await expect.poll(() => entry.textContent()).toContain('1');
      await expectAccessible(page);
      await entry.click();
      await log.getByText('Hello').last().waitFor();

      const blocks = [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*Rosa Almeida*: 80%, '.repeat(6) },
          accessory: button('Certificate'),
        },
        { type: 'actions', elements: [button('View attempt'), button('View results'), button('Remind')] },
      ];
      const { ts } = Object(await post('Rosa', { blocks }));
      await post('Rosa', { blocks, thread_ts: ts });
      await page.goto(`${bed.testBed.workspace.url}#/${person.id}/${results}`);
      await page.reload();
      await log.getByRole('button', { name: '1 reply' }).last().click();
      expect((await entry.textContent())?.includes('1')).toBe(false);
      const thread = page.getByRole('complementary', { name: 'Thread' });
      const rows = await Promise.all(
        ['View attempt', 'View results', 'Remind'].map(
          async (name) => (await boxOf(thread.getByRole('button', { name }).last())).y,
        ),
      );
      expect(new Set(rows).size).toBe(1);
      for (const message of await thread.locator('.message').all()) {
        const menu = await boxOf(message.getByRole('button', { name: 'Message actions' }));
        for (const content of await message.locator('.message-head > *, .block-section-text, .blocks .button').all())
          expect(overlaps(menu, await boxOf(content))).toBe(false);
      }
    },
  );
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('the element is not visible');
  return box;
}

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
