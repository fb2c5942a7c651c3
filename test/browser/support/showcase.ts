import type { App } from '@slack/bolt';
import type { BrowserContextOptions } from 'playwright-core';
import { afterEach } from 'vitest';
import { type Clock, systemClock } from '../../../src/sandbox/workspace/clock.ts';
import { channels } from '../../../src/sandbox/workspace/people.ts';
import type { WorkspaceOptions } from '../../../src/sandbox/workspace/workspace.ts';
import { type BoltBot, startBoltBot } from '../../sandbox/workspace/support/bolt-bot.ts';
import type { BrowserPage } from './browser-page.ts';
import {
  alertBlocks,
  chartBlocks,
  closeQuizView,
  deeperView,
  everyInputView,
  homeView,
  listBlocks,
  quizzes,
  resultBlocks,
} from './showcase-blocks.ts';

/** A bot that shows every kind of block, to test the page without the real bot. */
function register(app: App): void {
  app.command('/quiz', async ({ ack, respond, command, client }) => {
    await ack();
    const word = command.text.split(' ')[0] ?? '';
    const sets: Record<string, { text: string; blocks: unknown[] }> = {
      list: { text: 'Quizzes', blocks: listBlocks },
      results: { text: 'Results', blocks: resultBlocks },
      charts: { text: 'Charts', blocks: chartBlocks },
    };
    const shown = sets[word];
    if (word === 'inputs') await client.views.open({ trigger_id: command.trigger_id, view: everyInputView() });
    else if (word === 'file')
      await client.filesUploadV2({
        channel_id: command.channel_id,
        filename: 'results.csv',
        file: Buffer.from('name,score\nRosa,9\nRavi,6\n'),
        initial_comment: 'The results as a file',
      });
    else if (shown === undefined) await respond(`I do not know ${word}.`);
    else await respond({ text: shown.text, blocks: shown.blocks as [] });
  });
  app.command('/plain', async () => {
    // Never acknowledges.
  });
  app.shortcut('close-quiz', async ({ ack, client, shortcut }) => {
    await ack();
    await client.views.open({ trigger_id: shortcut.trigger_id, view: closeQuizView() });
  });
  app.shortcut('find-in-quiz', async ({ ack, respond }) => {
    await ack();
    await respond('Rosa Almeida, respondent');
  });
  app.options(/./, async ({ ack, options }) => {
    const wanted = options.value.toLowerCase();
    await ack({ options: quizzes.filter((quiz) => quiz.text.text.toLowerCase().includes(wanted)) });
  });
  app.view('close-quiz', async ({ ack, view, client, body }) => {
    const chosen = view.state.values['quiz']?.['quiz']?.selected_option;
    if (chosen?.value === '11') {
      await ack({ response_action: 'errors', errors: { quiz: 'First aid is closed already.' } });
      return;
    }
    await ack();
    await client.apiCall('chat.postMessage', {
      channel: channels.results.id,
      text: `<@${body.user.id}> closed *${chosen?.text.text}*`,
    });
  });
  app.view('every-input', async ({ ack }) => {
    await ack();
  });
  app.action('deeper', async ({ ack, client, body }) => {
    await ack();
    if ('trigger_id' in body) await client.views.open({ trigger_id: body.trigger_id, view: deeperView() });
  });
  app.action('close-one', async ({ ack, client, body }) => {
    await ack();
    await client.apiCall('chat.postMessage', {
      channel: channels.results.id,
      text: `<@${body.user.id}> closed a quiz`,
    });
  });
  app.action(/^(filter|more|todo)$/, async ({ ack }) => {
    await ack();
  });
  app.event('app_home_opened', async ({ event, client }) => {
    await client.views.publish({ user_id: event.user, view: homeView(event.user) });
  });
}

/** Starts a workspace with the showcase bot and some messages. */
async function startShowcase(options: Partial<WorkspaceOptions> = {}): Promise<BoltBot> {
  const bot = await startBoltBot('http', register, {
    links: [{ label: 'Take a quiz', url: 'http://127.0.0.1:1/' }],
    ...options,
  });
  const { workspace, app } = bot;
  await workspace.as(workspace.people.rosa.id).say(channels.results.id, 'Is the fire safety quiz still open? @tom');
  await app.client.apiCall('chat.postMessage', {
    channel: channels.results.id,
    text: 'Rosa Almeida passed Fire safety',
    blocks: alertBlocks,
  });
  return bot;
}

interface Showcase {
  readonly bot: BoltBot;
  /** Starts a new showcase and opens its page. */
  open(options?: BrowserContextOptions, clock?: Clock): Promise<void>;
}

/** Provides a showcase for each test that opens one. */
export function useShowcase(browser: BrowserPage): Showcase {
  let bot: BoltBot | undefined;

  afterEach(async () => {
    await browser.close();
    await bot?.stop();
    bot = undefined;
  });

  return {
    get bot() {
      if (bot === undefined) throw new Error('no showcase is open yet');
      return bot;
    },
    async open(options = {}, clock = systemClock()) {
      bot = await startShowcase({ clock });
      await browser.goTo(bot.workspace.url, options);
      await browser.page.getByText('Is the fire safety quiz still open?').waitFor();
    },
  };
}
