import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, type } from './support/page.ts';
import { useShowcase } from './support/showcase.ts';

const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const button = (text: string) => ({ type: 'button', action_id: text, text: plain(text) }) as const;

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

const layouts: [string, object][] = [
  ['on a wide screen', {}],
  ['on a phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ['in the dark', { colorScheme: 'dark' }],
];

describe.skipIf(noBrowser)('the page of the workspace, as Slack', () => {
  const browser = useBrowserPage();
  const showcase = useShowcase(browser);
  const call = async (method: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => ({
    ...(await showcase.bot.app.client.apiCall(method, args)),
  });

  it('a reload loses ephemeral messages, and what is posted while nobody looks is never seen', async () => {
    await showcase.open();
    await type(browser.page, '/quiz list');
    await browser.log.getByText('Only visible to you').waitFor();
    await browser.page.reload();
    await browser.log.getByText('Is the fire safety quiz still open?').waitFor();
    expect(await browser.log.getByText('Only visible to you').count()).toBe(0);
    await call('chat.postEphemeral', { channel: channels.results.id, user: people.tom.id, text: 'For Tom alone' });
    await actAs(browser.page, people.tom);
    await expect.poll(() => browser.page.url()).toContain(people.tom.id);
    expect(await browser.log.getByText('For Tom alone').count()).toBe(0);
    await call('chat.postEphemeral', { channel: channels.results.id, user: people.tom.id, text: 'Now he looks' });
    await browser.log.getByText('Now he looks').waitFor();
  });

  it('the first click after typing into a picker counts', async () => {
    await showcase.open();
    const { page, dialog } = browser;
    await page.getByRole('button', { name: /shortcuts/i }).click();
    await page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await dialog.getByRole('combobox').fill('fi');
    await dialog.getByRole('option').first().waitFor();
    const { x, y, width, height } = await boxOf(dialog.getByRole('button', { name: 'Cancel' }));
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await page.mouse.up();
    await dialog.waitFor({ state: 'hidden' });
  });

  it.each(layouts)(
    'a first direct message shows a badge, which a reload does not bring back, %s',
    async (_, options) => {
      await showcase.open(options);
      const { channel } = await call('conversations.open', { users: people.tom.id });
      await call('chat.postMessage', { channel: Object(channel).id, text: 'Hello Tom' });
      await actAs(browser.page, people.tom);
      const isNarrow = 'isMobile' in options;
      const entry = browser.page.getByRole('button', { name: /^Invigilator( 1 new)?$/, includeHidden: true });
      if (isNarrow) await browser.page.getByRole('button', { name: 'Channels' }).click();
      await expect.poll(() => entry.textContent()).toContain('1');
      await expectAccessible(browser.page);
      await entry.click();
      await browser.log.getByText('Hello Tom').waitFor();
      await browser.page.goto(`${showcase.bot.workspace.url}#${people.tom.id}/${channels.results.id}`);
      await browser.page.reload();
      await browser.log.getByText('Is the fire safety quiz still open?').waitFor();
      expect((await entry.textContent())?.includes('1')).toBe(false);
    },
  );

  it.each(layouts)('a thread keeps its buttons in one line, and no menu covers anything, %s', async (_, options) => {
    await showcase.open(options);
    const blocks = [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '*Rosa Almeida*: 80%, '.repeat(6) },
        accessory: button('Certificate'),
      },
      { type: 'actions', elements: [button('View attempt'), button('View results'), button('Remind')] },
    ];
    const inResults = { channel: channels.results.id, text: 'Rosa', blocks };
    const { ts } = await call('chat.postMessage', inResults);
    await call('chat.postMessage', { ...inResults, thread_ts: ts });
    await browser.log.getByRole('button', { name: '1 reply' }).click();
    const thread = browser.page.getByRole('complementary', { name: 'Thread' });
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
  });
});
