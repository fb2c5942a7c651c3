import { describe, expect, it } from 'vitest';
import { propertyOf } from '../../src/sandbox/workspace/json.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, composerOf, expectAccessible, expectNoSidewaysScroll, keepScreenshot, type } from './support/page.ts';
import { useShowcase } from './support/showcase.ts';

describe.skipIf(noBrowser)('messages of the workspace', () => {
  const browser = useBrowserPage();
  const showcase = useShowcase(browser);

  it('shows the answer to a command only to the person who typed it', async () => {
    await showcase.open();
    await composerOf(browser.page).fill('/q');
    await browser.page.getByRole('option', { name: /\/quiz-user/ }).waitFor();
    await keepScreenshot(browser.page, 'workspace-completion');
    await browser.page.getByRole('option', { name: /^\/quiz list/ }).click();
    await browser.page.getByText('list | show quiz').waitFor();
    await expectAccessible(browser.page);
    await composerOf(browser.page).pressSequentially('list');
    await browser.page.getByRole('button', { name: 'Send' }).click();
    await browser.log.getByText('Only visible to you').waitFor();
    await browser.log.getByRole('heading', { name: 'Quizzes' }).waitFor();
    await keepScreenshot(browser.page, 'workspace-list');
    await expectAccessible(browser.page);
    await actAs(browser.page, people.tom);
    await browser.log.getByText('Only visible to you').waitFor({ state: 'detached' });
    expect(showcase.bot.workspace.ephemerals(people.ada.id)).toHaveLength(1);
  });

  it('one Enter sends a whole command, and takes a completion of a part of one', async () => {
    await showcase.open();
    const composer = composerOf(browser.page);
    const commands = () =>
      showcase.bot.workspace.deliveries
        .filter(({ kind }) => kind === 'command')
        .map(({ body }) => propertyOf(body, 'command'));
    await composer.pressSequentially('/quiz');
    await browser.page.getByRole('option', { name: /\/quiz-user/ }).waitFor();
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
  });

  it('wraps the choices of a message on a phone', async () => {
    const name = 'Working at height, ladders and scaffolding: refresher for the night shift';
    await showcase.open({ viewport: { width: 360, height: 740 } });
    await showcase.bot.app.client.apiCall('chat.postMessage', {
      channel: channels.results.id,
      text: 'Which one?',
      blocks: [
        {
          type: 'actions',
          elements: [{ type: 'button', action_id: 'choose', text: { type: 'plain_text', text: name } }],
        },
      ],
    });
    const button = browser.log.getByRole('button', { name });
    await button.waitFor();
    await keepScreenshot(browser.page, 'workspace-choices-360');
    expect(await button.evaluate((node) => [node.scrollWidth - node.clientWidth, node.clientHeight > 40])).toEqual([
      0,
      true,
    ]);
    await expectNoSidewaysScroll(browser.page);
  });

  it('an alert appears without a reload, and a channel in the background counts it', async () => {
    await showcase.open();
    await browser.main.getByText('9 of 10 points').waitFor();
    await showcase.bot.app.client.apiCall('chat.postMessage', {
      channel: channels.training.id,
      text: 'Ravi Banerjee failed First aid',
    });
    await browser.page.getByRole('button', { name: /training 1 new/ }).click();
    await browser.log.getByText('Ravi Banerjee failed First aid').waitFor();
    await browser.page.getByRole('button', { name: /training \d new/ }).waitFor({ state: 'detached' });
    await keepScreenshot(browser.page, 'workspace-alert');
    await expectAccessible(browser.page);
  });

  it('draws what stands behind > as a quotation, with a bar', async () => {
    await showcase.open();
    await showcase.bot.app.client.apiCall('chat.postMessage', {
      channel: channels.results.id,
      text: '*Tom* says\n>“Please take it before the audit”',
    });
    const quotation = browser.log.getByRole('blockquote');
    await quotation.waitFor();
    expect(await quotation.innerText()).toBe('“Please take it before the audit”');
    expect(
      await quotation.evaluate((node) => node.computedStyleMap().get('border-inline-start-width')?.toString()),
    ).toBe('4px');
  });

  /** Whether the beginning of a message is seen. */
  const isSeen = (text: string): Promise<boolean> =>
    browser.log
      .getByText(text)
      .last()
      .evaluate((node) => {
        const [window, shown] = [node.closest('.messages')!, node].map((each) => each.getBoundingClientRect());
        return shown!.top >= window!.top && shown!.top < window!.bottom;
      });

  const fillChannel = async (): Promise<void> => {
    const { workspace } = showcase.bot;
    const rosa = workspace.as(workspace.people.rosa.id);
    for (let line = 1; line <= 20; line += 1) await rosa.say(channels.results.id, `Line ${line}`);
    await expect.poll(() => browser.log.getByText('Line 20', { exact: true }).count()).toBe(1);
  };

  it.each([
    ['a short answer', '/quiz wrong', 'I do not know wrong'],
    ['the beginning of an answer that is taller than the window', '/quiz results', 'Fire safety: results'],
  ])('scrolls from further up to %s to a typed command', async (_, command, answer) => {
    await showcase.open({ viewport: { width: 1200, height: 600 } });
    await fillChannel();
    await browser.log.evaluate((list) => list.scrollTo({ top: 0 }));
    await type(browser.page, command);
    await browser.log.getByText(answer).waitFor();
    await expect.poll(() => isSeen(answer)).toBe(true);
  });

  it('leaves who reads further up there, and says that there is a new message below', async () => {
    await showcase.open({ viewport: { width: 1200, height: 600 } });
    await fillChannel();
    await browser.log.evaluate((list) => list.scrollTo({ top: 0 }));
    await showcase.bot.app.client.apiCall('chat.postMessage', { channel: channels.results.id, text: 'Ravi failed' });
    const below = browser.page.getByRole('button', { name: 'New message below' });
    await below.waitFor();
    expect(await isSeen('Is the fire safety quiz still open?')).toBe(true);
    expect(await isSeen('Ravi failed')).toBe(false);
    await keepScreenshot(browser.page, 'workspace-below');
    await expectAccessible(browser.page);
    await below.click();
    await below.waitFor({ state: 'hidden' });
    expect(await isSeen('Ravi failed')).toBe(true);
  });

  it('a text that could not be sent returns to the composer', async () => {
    await showcase.open();
    await browser.page.route('**/page/acts*', (route) => route.fulfill({ body: 'no answer' }));
    await type(browser.page, 'Good morning');
    await browser.page.getByRole('button', { name: 'Dismiss' }).waitFor();
    await expect.poll(() => composerOf(browser.page).inputValue()).toBe('Good morning');
  });

  it('menus in messages send the selected option to the bot', async () => {
    await showcase.open();
    await type(browser.page, '/quiz list');
    await browser.log.getByRole('combobox', { name: 'Filter' }).click();
    await browser.log.getByRole('option', { name: 'Closed' }).click();
    await showcase.bot.workspace.until(() =>
      showcase.bot.workspace.deliveries.find(
        (delivery) =>
          delivery.kind === 'block_actions' && JSON.stringify(delivery.body).includes('"action_id":"filter"'),
      ),
    );
    await browser.log.getByRole('button', { name: 'More actions' }).click();
    await browser.log.getByRole('menuitem', { name: 'Export' }).click();
    const chosen = await showcase.bot.workspace.until(() =>
      showcase.bot.workspace.deliveries.find(
        ({ body, status }) => status !== undefined && JSON.stringify(body).includes('"value":"export"'),
      ),
    );
    expect(chosen.status).toBe(200);
  });

  it('shows results as a chart and as a table with sorting and pages', async () => {
    await showcase.open();
    await type(browser.page, '/quiz results');
    await browser.log.getByRole('img', { name: 'Bar chart: How many scored what' }).waitFor();
    const table = browser.log.getByRole('table', { name: 'Attempts' });
    const firstPerson = () => table.getByRole('rowheader').first().textContent();
    await expect.poll(firstPerson).toContain('Rosa Almeida');
    await table.getByRole('button', { name: 'Score' }).click();
    await expect.poll(firstPerson).toContain('Jonas Weber');
    await expect
      .poll(() => table.getByRole('columnheader', { name: 'Score' }).getAttribute('aria-sort'))
      .toBe('ascending');
    await browser.log.getByText('1–5 of 7').waitFor();
    await browser.log.getByRole('button', { name: 'Next' }).press('Enter');
    await browser.log.getByText('6–7 of 7').waitFor();
    await keepScreenshot(browser.page, 'workspace-results');
    await expectAccessible(browser.page);
  });

  it.each(['charts', 'file'])('shows %s without an accessibility finding', async (word) => {
    await showcase.open();
    await type(browser.page, `/quiz ${word}`);
    await browser.log.locator('.message').nth(2).waitFor();
    expect(showcase.bot.workspace.calls.filter((call) => !call.ok)).toEqual([]);
    await keepScreenshot(browser.page, `workspace-${word}`);
    await expectAccessible(browser.page);
  });

  it('threads open beside the channel and accept replies', async () => {
    await showcase.open();
    await browser.log.getByText('Is the fire safety quiz still open?').hover();
    await browser.log.getByRole('button', { name: 'Message actions' }).first().click();
    await browser.page.getByRole('menuitem', { name: 'Reply in thread' }).click();
    const thread = browser.page.getByRole('complementary', { name: 'Thread' });
    await thread.getByRole('combobox', { name: 'Message thread' }).fill('Until Friday.');
    await thread.getByRole('button', { name: 'Send' }).click();
    await browser.log.getByRole('button', { name: '1 reply' }).waitFor();
    await thread.getByText('Until Friday.').waitFor();
    await keepScreenshot(browser.page, 'workspace-thread');
    await expectAccessible(browser.page);
    await thread.getByRole('button', { name: 'Close thread' }).click();
    await thread.waitFor({ state: 'detached' });
    expect(showcase.bot.workspace.messages(channels.results.id).at(-1)).toMatchObject({
      text: 'Until Friday.',
      threadTs: expect.any(String),
    });
  });

  it('a message shortcut sends the message to the bot', async () => {
    await showcase.open();
    await browser.log.getByRole('button', { name: 'Message actions' }).first().press('ArrowDown');
    await browser.page.keyboard.press('ArrowDown');
    await browser.page.keyboard.press('Enter');
    await browser.log.getByText('Rosa Almeida, respondent').waitFor();
    await expect
      .poll(() => showcase.bot.workspace.deliveries.at(-1))
      .toMatchObject({ kind: 'message_action', status: 200 });
  });
});
