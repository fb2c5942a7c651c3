import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandboxClock, type SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { type BoltBot, startBoltBot } from '../sandbox/workspace/support/bolt-bot.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, keepLooks, type } from './support/page.ts';

const dayMs = 24 * 60 * 60_000;
const plain = (text: string) => ({ type: 'plain_text' as const, text });
const received: { names: string[]; from: string }[] = [];

function register(app: App): void {
  app.command('/quiz', async ({ ack, client, command }) => {
    await ack();
    const element = { type: 'file_input' as const, action_id: 'file', filetypes: ['csv'], max_files: 1 };
    const blocks = [
      {
        type: 'input' as const,
        block_id: 'file',
        label: plain('CSV file'),
        hint: plain('A row for each person'),
        element,
      },
    ];
    await client.views.open({
      trigger_id: command.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'import',
        title: plain('Import users'),
        submit: plain('Check'),
        close: plain('Cancel'),
        blocks,
      },
    });
  });
  app.view('import', async ({ ack, view }) => {
    received.push({
      names: (view.state.values['file']?.['file']?.files ?? []).map(({ name }) => name ?? ''),
      from: 'form',
    });
    await ack();
  });
  app.shortcut('find-in-quiz', async ({ ack, shortcut }) => {
    await ack();
    if (shortcut.type === 'message_action')
      received.push({
        names: (shortcut.message['files'] ?? []).map(({ name }: { name: string }) => name),
        from: 'message',
      });
  });
}

function fileNamed(name: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, 'email,first name\nkim@quiz.example,Kim\n');
  return path;
}

describe.skipIf(noBrowser)('the clock and files on the page', () => {
  let bot: BoltBot;
  let clock: SandboxClock;
  afterEach(() => bot.stop());
  const browser = useBrowserPage();

  beforeEach(async () => {
    received.length = 0;
    clock = createSandboxClock();
    bot = await startBoltBot('http', register, { clock });
    await browser.goTo(`${bot.workspace.url}#/${people.ada.id}/${channels.training.id}`);
  });

  it.each(['mouse', 'keyboard'])('a file is chosen in a form by %s, and a wrong one is refused', async (hand) => {
    const { page, dialog } = browser;
    await type(page, '/quiz import');
    const input = dialog.getByLabel('CSV file');
    const choose = async (path: string) => {
      const chooser = page.waitForEvent('filechooser');
      if (hand === 'mouse') await dialog.getByText('Choose a file').click();
      else {
        await input.focus();
        await page.keyboard.press('Enter');
      }
      await (await chooser).setFiles(path);
    };
    await choose(fileNamed('people.txt'));
    await dialog.getByText('people.txt').waitFor();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('Please choose a file of type csv.').waitFor();
    await dialog.getByRole('button', { name: 'Remove people.txt' }).click();
    await choose(fileNamed('people.csv'));
    await dialog.getByText('people.csv').waitFor();
    await expectAccessible(page);
    if (hand === 'mouse') await keepLooks(page, 'file-input');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => received).toEqual([{ names: ['people.csv'], from: 'form' }]);
  });

  it('a file is posted in a channel, and its message shortcut reaches the bot', async () => {
    const { page, log } = browser;
    const chooser = page.waitForEvent('filechooser');
    await page.getByText('📎').click();
    await (await chooser).setFiles(fileNamed('people.csv'));
    await page.getByRole('button', { name: 'Remove people.csv' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await log.getByText('people.csv').first().waitFor();
    await log.locator('.message').last().hover();
    await log.getByRole('button', { name: 'Message actions' }).last().click();
    await page.getByRole('menuitem', { name: 'Find in quiz account' }).click();
    await expect.poll(() => received).toEqual([{ names: ['people.csv'], from: 'message' }]);
    await expectAccessible(page);
  });

  it('a file can be dropped in a conversation', async () => {
    const { page, main, log } = browser;
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['email\\n'], 'dropped.csv', { type: 'text/csv' }));
      return transfer;
    })()`);
    await main.dispatchEvent('drop', { dataTransfer: dropped });
    await page.getByRole('button', { name: 'Remove dropped.csv' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await log.getByText('dropped.csv').first().waitFor();
  });

  it('the clock skips a day, and shows the time of the person', async () => {
    const { page } = browser;
    const startMs = clock.now();
    await page.getByRole('button', { name: /^Clock: / }).click();
    await keepLooks(page, 'clock');
    await page.getByRole('menuitem', { name: 'Skip a day' }).click();
    await expect.poll(() => clock.now() - startMs).toBeGreaterThanOrEqual(dayMs);
    const tomorrow = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'Asia/Tokyo' }).format(clock.now());
    await actAs(page, people.hana);
    await page.getByRole('button', { name: new RegExp(`^Clock: ${tomorrow}`) }).waitFor();
    await expectAccessible(page);
  });
});
