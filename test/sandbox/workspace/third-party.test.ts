import type { App } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { type BoltBot, type Mode, botToken, startBoltBot } from './support/bolt-bot.ts';

const quizzes = [
  { text: { type: 'plain_text' as const, text: 'Fire safety' }, value: '10' },
  { text: { type: 'plain_text' as const, text: 'First aid' }, value: '11' },
];

/** A small independent app that shares no code with this project. */
function register(app: App): void {
  app.command('/quiz', async ({ ack, respond, command }) => {
    await ack();
    await respond({
      text: `You said ${command.text}`,
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: `You said *${command.text}*` } },
        {
          type: 'actions',
          block_id: 'choice',
          elements: [
            { type: 'button', action_id: 'confirm', text: { type: 'plain_text', text: 'Confirm' }, value: '42' },
          ],
        },
      ],
    });
  });
  app.action('confirm', async ({ ack, respond, action }) => {
    await ack();
    await respond({ replace_original: true, text: `Confirmed ${'value' in action ? action.value : ''}` });
  });
  app.shortcut('close-quiz', async ({ ack, client, shortcut }) => {
    await ack();
    await client.views.open({
      trigger_id: shortcut.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'close-quiz',
        title: { type: 'plain_text', text: 'Close a quiz' },
        submit: { type: 'plain_text', text: 'Close quiz' },
        blocks: [
          {
            type: 'input',
            block_id: 'quiz',
            label: { type: 'plain_text', text: 'Quiz' },
            element: { type: 'external_select', action_id: 'quiz', min_query_length: 0 },
          },
        ],
      },
    });
  });
  app.options('quiz', async ({ ack, options }) => {
    await ack({
      options: quizzes.filter((quiz) => quiz.text.text.toLowerCase().includes(options.value.toLowerCase())),
    });
  });
  app.view('close-quiz', async ({ ack, view, client }) => {
    const chosen = view.state.values['quiz']?.['quiz']?.selected_option;
    if (chosen?.value === '11') {
      await ack({ response_action: 'errors', errors: { quiz: 'It is closed already.' } });
      return;
    }
    await ack();
    await client.apiCall('chat.postMessage', { channel: channels.results.id, text: `${chosen?.text.text} is closed` });
  });
  app.event('app_mention', async ({ event, say }) => {
    await say({ text: `Hello <@${event.user}>`, thread_ts: event.ts });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    await client.views.publish({
      user_id: event.user,
      view: { type: 'home', blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Welcome' } }] },
    });
  });
}

describe.each<Mode>(['http', 'socket'])("Bolt's own App over %s", (mode) => {
  let bot: BoltBot;

  beforeAll(async () => {
    bot = await startBoltBot(mode, register);
  });

  afterAll(() => bot.stop());

  it('answers a command and a click on its response', async () => {
    const ada = bot.workspace.as(people.ada.id);
    const outcome = await ada.command('/quiz list');
    const reply = await outcome.reply();
    expect(reply).toMatchObject({ text: 'You said list', onlyFor: people.ada.id });
    await ada.click(reply, 'confirm');
    await bot.workspace.until(() => reply.text === 'Confirmed 42');
    expect(bot.workspace.deliveries.map((delivery) => delivery.transport)).toContain(mode);
  });

  it('opens a modal, offers options, rejects one and accepts another', async () => {
    const tom = bot.workspace.as(people.tom.id);
    const view = await (await tom.shortcut('close-quiz')).view();
    expect(view.title?.text).toBe('Close a quiz');
    expect(await tom.options(view, 'quiz', 'fi')).toEqual({ options: quizzes });
    expect(await tom.submit(view, { quiz: 'First aid' })).toMatchObject({ errors: { quiz: 'It is closed already.' } });
    expect(bot.workspace.views(people.tom.id)).toHaveLength(1);
    await tom.submit(view, { quiz: 'Fire safety' });
    expect(bot.workspace.views(people.tom.id)).toHaveLength(0);
    await bot.workspace.until(() =>
      bot.workspace.messages(channels.results.id).some((message) => message.text === 'Fire safety is closed'),
    );
  });

  it('receives events and publishes a Home tab', async () => {
    const rosa = bot.workspace.as(people.rosa.id);
    const said = await rosa.say(channels.training.id, 'Good morning @invigilator');
    const answer = await bot.workspace.until(() =>
      bot.workspace.messages(channels.training.id).find((message) => message.threadTs === said.ts),
    );
    expect(answer.text).toBe(`Hello <@${people.rosa.id}>`);
    await rosa.openHome();
    const home = await bot.workspace.until(() => bot.workspace.home(people.rosa.id));
    expect(home.blocks[0]).toMatchObject({ type: 'header' });
  });
});

describe("Bolt's own App over a recycled socket", () => {
  it('reconnects and continues', async () => {
    const bot = await startBoltBot('socket', register, {}, { clientPingTimeout: 500 });
    onTestFinished(() => bot.stop());
    const { faults } = bot.workspace;
    for (const lose of [() => faults.disconnectSockets({ gapMs: 0 }), faults.dropSockets]) {
      lose();
      await bot.workspace.until(() => bot.workspace.sockets === 0);
      await bot.workspace.until(() => bot.workspace.sockets === 1);
      const outcome = await bot.workspace.as(people.ada.id).command('/quiz list');
      expect((await outcome.reply()).text).toBe('You said list');
    }
  });
});

describe("@slack/web-api's filesUploadV2", () => {
  it('uploads a file and shares it', async () => {
    const bot = await startBoltBot('http', () => undefined);
    onTestFinished(() => bot.stop());
    const client = new WebClient(botToken, { slackApiUrl: bot.workspace.apiUrl });
    await client.filesUploadV2({
      channel_id: channels.results.id,
      filename: 'results.csv',
      file: Buffer.from('name,score\nRosa,9\n'),
      initial_comment: 'Here they are',
    });
    const [message] = bot.workspace.messages(channels.results.id);
    expect(message).toMatchObject({
      text: 'Here they are',
      files: [{ name: 'results.csv', mimetype: 'text/csv', preview: 'name,score\nRosa,9\n' }],
    });
    const bytes = await fetch(message?.files?.[0]?.url ?? '');
    expect(await bytes.text()).toBe('name,score\nRosa,9\n');
  });
});
