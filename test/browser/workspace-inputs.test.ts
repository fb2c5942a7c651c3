import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { type BoltBot, startBoltBot } from '../sandbox/workspace/support/bolt-bot.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { composerOf, expectAccessible, keepScreenshot, type } from './support/page.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (text: string) => ({ text: plain(text), value: text.toLowerCase() });

/** A form that asks for a time and a person only where they matter, as forms with `dispatch_action` do. */
function subscribeView(delivery: string): ModalView {
  const deliveries = [option('Every result'), option('Digest')];
  return {
    type: 'modal',
    callback_id: 'subscribe',
    title: plain('Subscribe'),
    submit: plain('Save'),
    close: plain('Cancel'),
    blocks: [
      {
        type: 'input',
        block_id: 'delivery',
        dispatch_action: true,
        label: plain('Delivery'),
        element: { type: 'static_select', action_id: 'delivery', options: deliveries, initial_option: deliveries[0] },
      },
      {
        type: 'input',
        block_id: 'owner',
        label: plain('Owner'),
        element: { type: 'multi_users_select', action_id: 'owner' },
      },
      ...(delivery === 'digest'
        ? [
            {
              type: 'input' as const,
              block_id: 'at',
              label: plain('At'),
              element: { type: 'plain_text_input' as const, action_id: 'at' },
            },
            {
              type: 'input' as const,
              block_id: 'from',
              label: plain('From'),
              element: { type: 'datepicker' as const, action_id: 'from' },
            },
          ]
        : []),
      ...['Note', 'Remark'].map((label) => ({
        type: 'input' as const,
        block_id: label.toLowerCase(),
        label: plain(label),
        optional: true,
        element: { type: 'plain_text_input' as const, action_id: label.toLowerCase() },
      })),
    ],
  };
}

function register(app: App): void {
  app.command('/quiz', async ({ ack, respond, command, client }) => {
    await ack();
    if (command.text !== 'menu')
      await client.views.open({ trigger_id: command.trigger_id, view: subscribeView('every result') });
    else
      await respond({
        text: 'Food hygiene',
        blocks: [
          {
            type: 'section',
            text: plain('Food hygiene'),
            accessory: {
              type: 'overflow',
              action_id: 'quiz',
              options: [option('Close'), option('Results')],
              confirm: {
                title: plain('Close it?'),
                text: plain('Nobody can take it.'),
                confirm: plain('Close'),
                deny: plain('Cancel'),
              },
            },
          },
        ],
      });
  });
  app.action('delivery', async ({ ack, body, client, payload }) => {
    await ack();
    if (body.type !== 'block_actions' || body.view === undefined || payload.type !== 'static_select') return;
    const view = subscribeView(payload.selected_option?.value ?? '');
    await client.views.update({ view_id: body.view.id, hash: body.view.hash, view });
  });
  app.action('quiz', async ({ ack, payload, respond }) => {
    await ack();
    await respond(`Chose ${payload.type === 'overflow' ? payload.selected_option.value : 'nothing'}`);
  });
  app.view('subscribe', async ({ ack }) => {
    await ack();
  });
}

describe.skipIf(noBrowser)('inputs of the workspace', () => {
  const browser = useBrowserPage();
  let bot: BoltBot;

  beforeEach(async () => {
    bot = await startBoltBot('http', register);
    await browser.goTo(bot.workspace.url);
  });

  afterEach(async () => {
    await browser.close();
    await bot.stop();
  });

  const submitted = async (): Promise<unknown> => {
    const { body } = await bot.workspace.until(() =>
      bot.workspace.deliveries.find(({ kind }) => kind === 'view_submission'),
    );
    return Object(body).view.state.values;
  };

  const expected = {
    delivery: { delivery: { selected_option: { value: 'digest' } } },
    owner: { owner: { type: 'multi_users_select', selected_users: [people.rosa.id] } },
    at: { at: { value: '09:30' } },
    from: { from: { selected_date: '2026-11-27' } },
  };

  it('appear when another makes them matter, and keep what was entered, with the mouse', async () => {
    const { page, dialog } = browser;
    await type(page, '/quiz subscribe');
    await dialog.getByRole('combobox', { name: 'Owner' }).click();
    await dialog.getByRole('option', { name: 'Rosa Almeida' }).click();
    expect(await dialog.getByLabel('At', { exact: true }).count()).toBe(0);
    await dialog.getByRole('combobox', { name: 'Delivery' }).click();
    await dialog.getByRole('option', { name: 'Digest' }).click();
    await dialog.getByLabel('At', { exact: true }).fill('09:30');
    await dialog.getByLabel('From').fill('2026-11-27');
    await expectAccessible(page);
    await keepScreenshot(page, 'workspace-conditional-inputs');
    await dialog.getByRole('button', { name: 'Save' }).click();
    expect(await submitted()).toMatchObject(expected);
  });

  it('appear and keep the focus where it was, with the keyboard only', async () => {
    const { page, dialog } = browser;
    await composerOf(page).focus();
    await page.keyboard.type('/quiz subscribe');
    await page.keyboard.press('Enter');
    const delivery = dialog.getByRole('combobox', { name: 'Delivery' });
    const isFocused = () => delivery.evaluate((input) => input.ownerDocument.activeElement === input);
    await expect.poll(isFocused).toBe(true);
    await page.keyboard.press('ArrowDown');
    await dialog.getByRole('option', { name: 'Every result' }).waitFor();
    await page.keyboard.type('digest');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('At', { exact: true }).waitFor();
    await expect.poll(isFocused).toBe(true);
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement?.tagName')) === 'BUTTON') await page.keyboard.press('Tab');
    await page.keyboard.type('rosa');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement?.tagName')) === 'BUTTON') await page.keyboard.press('Tab');
    await page.keyboard.type('09:30');
    await dialog.getByLabel('From').focus();
    await page.keyboard.type('11272026');
    await dialog.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    expect(await submitted()).toMatchObject(expected);
  });

  it('appear while somebody types in another, and what is typed goes on in it', async () => {
    const { page, dialog } = browser;
    const { app, workspace } = bot;
    await type(page, '/quiz subscribe');
    await dialog.getByLabel('Remark').fill('Ra');
    const [form] = workspace.views(people.ada.id);
    await app.client.views.update({ view_id: form!.id, view: subscribeView('digest') });
    await dialog.getByLabel('At', { exact: true }).waitFor();
    await page.keyboard.type('vi');
    expect(await dialog.getByLabel('Remark').inputValue()).toBe('Ravi');
    expect(await dialog.getByLabel('Note').inputValue()).toBe('');
  });

  it('an overflow menu asks for confirmation and answers, with the keyboard only', async () => {
    const { page, dialog, log } = browser;
    await type(page, '/quiz menu');
    await log.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByText('Nobody can take it.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Close', exact: true }).press('Enter');
    await log.getByText('Chose results').waitFor();
    expect(bot.workspace.deliveries.filter(({ kind }) => kind === 'block_actions')).toHaveLength(1);
  });

  it('offers user groups while a command mentions them', async () => {
    const { page } = browser;
    await composerOf(page).focus();
    await page.keyboard.type('assign food to @kit');
    await page.getByRole('option', { name: /@kitchen-team/ }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => composerOf(page).inputValue()).toBe('assign food to @kitchen-team ');
    await page.keyboard.press('Enter');
    await page.getByText('assign food to @kitchen-team').waitFor();
    expect(bot.workspace.messages(channels.results.id).at(-1)?.text).toBe(
      'assign food to <!subteam^S0KITCHEN|@kitchen-team>',
    );
  });
});
