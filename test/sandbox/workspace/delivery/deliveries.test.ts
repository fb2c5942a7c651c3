import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ManualClock, manualClock } from '../../../../src/sandbox/workspace/clock.ts';
import { channels, people } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { openWorkspace, signingSecret } from '../support/bolt-bot.ts';
import { type RecordingBot, startRecordingBot } from '../support/recording-bot.ts';

const startMs = 1_790_000_000_000;
let clock: ManualClock;
let workspace: Workspace;
let bot: RecordingBot;

beforeEach(async () => {
  clock = manualClock(startMs);
  bot = await startRecordingBot();
  workspace = await openWorkspace({ clock, bot: { url: bot.url } });
});

afterEach(async () => {
  await bot.stop();
  await workspace.close();
});

const ada = () => workspace.as(people.ada.id);

describe('commands', () => {
  it('are signed over timestamp and raw body', async () => {
    await ada().command('/quiz list');
    const [received] = bot.received;
    const timestamp = received?.headers['x-slack-request-timestamp'];
    expect(timestamp).toBe(String(startMs / 1000));
    expect(received?.headers['x-slack-signature']).toBe(`v0=${createHmac('sha256', signingSecret).update(`v0:${String(timestamp)}:${received?.body}`).digest('hex')}`);
  });

  it('name person, channel and text', async () => {
    await ada().command('/quiz  close Fire safety ', { channel: channels.leads.id });
    expect(bot.received[0]?.payload).toMatchObject({ command: '/quiz', text: 'close Fire safety', user_id: people.ada.id, channel_id: channels.leads.id, channel_name: 'privategroup', team_id: workspace.teamId, trigger_id: expect.any(String), response_url: expect.stringContaining('http') });
  });

  it.each([
    ['people', 'show @ada', '<@U00000ADA|ada>'],
    ['channels', 'show #training', '<#C0TRAINING|training>'],
    ['links', 'show https://example.com/a?b=1&c=2', '<https://example.com/a?b=1&amp;c=2>'],
    ['e-mail addresses', 'show rosa@quiz.example', '<mailto:rosa@quiz.example|rosa@quiz.example>'],
    ['what could be markup', 'show <!channel> & co', '&lt;!channel&gt; &amp; co'],
    ['mentions that are there already', 'show <@U00000ADA|ada>', '<@U00000ADA|ada>'],
    ['names nobody has', 'show @nobody', '@nobody'],
  ])('with should_escape resolve or escape %s', async (_name, typed, expected) => {
    await ada().command(`/quiz ${typed}`);
    expect(bot.received[0]?.payload['text']).toBe(`show ${expected}`);
  });

  it('without should_escape arrive as typed', async () => {
    await ada().command('/plain show @ada <b>');
    expect(bot.received[0]?.payload['text']).toBe('show @ada <b>');
  });

  it('show what the bot answers, to the person or to the channel', async () => {
    bot.answerWith(() => ({ body: 'Just you' }));
    await ada().command('/quiz list');
    bot.answerWith(() => ({ body: { response_type: 'in_channel', text: 'Everybody' } }));
    await ada().command('/quiz list');
    expect(workspace.ephemerals(people.ada.id, channels.results.id)).toMatchObject([{ text: 'Just you' }]);
    expect(workspace.messages(channels.results.id)).toMatchObject([{ text: 'Everybody' }]);
  });

  it('that nobody acknowledges within 3 s fail with operation_timeout', async () => {
    bot.answerWith(() => 'never');
    const outcome = ada().command('/quiz list');
    await workspace.until(() => workspace.deliveries.length > 0);
    clock.advance(2999);
    expect(workspace.deliveries[0]?.error).toBeUndefined();
    clock.advance(1);
    expect(await outcome).toMatchObject({ error: 'operation_timeout' });
    expect(workspace.ephemerals(people.ada.id)).toMatchObject([{ text: '/quiz failed with the error "operation_timeout"' }]);
  });

  it.each([
    ['an error', { status: 500 }],
    ['a refused signature', { status: 401 }],
    ['a cut connection', 'cut'],
  ] as const)('that meet %s fail with dispatch_failed', async (_name, answer) => {
    bot.answerWith(() => answer);
    expect(await ada().command('/quiz list')).toMatchObject({ error: 'dispatch_failed' });
  });

  it('that the manifest does not have are not valid', async () => {
    expect(await ada().command('/nonsense')).toMatchObject({ error: 'invalid_command' });
    expect(bot.received).toEqual([]);
  });
});

async function responseUrl(): Promise<string> {
  await ada().command('/quiz list');
  return String(bot.received.at(-1)?.payload['response_url']);
}

const respond = (url: string, body: object) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('response URLs', () => {
  it('take five posts', async () => {
    const url = await responseUrl();
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await respond(url, { text: `${index}` })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
    expect(workspace.ephemerals(people.ada.id)).toHaveLength(5);
  });

  it('live half an hour', async () => {
    const url = await responseUrl();
    clock.advance(30 * 60_000);
    expect((await respond(url, { text: 'In time' })).status).toBe(200);
    clock.advance(1);
    expect(await (await respond(url, { text: 'Too late' })).json()).toMatchObject({ ok: false, error: 'expired_url' });
  });

  it('replace and delete what came before', async () => {
    const url = await responseUrl();
    await respond(url, { text: 'One moment' });
    await respond(url, { text: 'Done', replace_original: true });
    expect(workspace.ephemerals(people.ada.id)).toMatchObject([{ text: 'Done' }]);
    await respond(url, { delete_original: true });
    expect(workspace.ephemerals(people.ada.id)).toEqual([]);
  });

  it('refuse wrong blocks', async () => {
    const response = await respond(await responseUrl(), { blocks: [{ type: 'nonsense' }] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_blocks', errors: ['unsupported type: nonsense [json-pointer:/blocks/0/type]'] });
  });

  it('cannot be made up', async () => {
    expect((await respond(`${workspace.url}response/made-up`, { text: 'Hello' })).status).toBe(404);
  });
});

describe('events', () => {
  it('are those the manifest subscribes to', async () => {
    await ada().say(channels.leads.id, 'In private');
    await ada().say(channels.general.id, 'Where the bot is not');
    expect(bot.received).toEqual([]);
    await ada().say(channels.results.id, 'Hello @invigilator');
    expect(new Set(bot.received.map((received) => Object(received.payload['event']).type))).toEqual(new Set(['app_mention', 'message']));
    expect(bot.received[0]?.payload).toMatchObject({ type: 'event_callback', event_id: expect.stringMatching(/^Ev/), event: { user: people.ada.id, channel: channels.results.id, text: expect.stringContaining('<@U') } });
  });

  it('are sent again at once, after a minute and after five, and say so', async () => {
    bot.answerWith(() => ({ status: 500 }));
    await ada().openHome();
    for (const [count, delayMs] of [
      [2, 0],
      [3, 60_000],
      [4, 300_000],
    ] as const) {
      clock.advance(delayMs);
      await workspace.until(() => workspace.deliveries.filter((delivery) => delivery.error !== undefined).length === count);
    }
    clock.advance(3_600_000);
    expect(bot.received.map((received) => received.headers['x-slack-retry-num'])).toEqual([undefined, '1', '2', '3']);
    expect(bot.received[1]?.headers['x-slack-retry-reason']).toBe('http_error');
    expect(new Set(bot.received.map((received) => received.payload['event_id'])).size).toBe(1);
  });

  it('are not sent again once acknowledged', async () => {
    let isDown = true;
    bot.answerWith(() => ({ status: isDown ? 503 : 200 }));
    await ada().openHome();
    isDown = false;
    clock.advance(0);
    await workspace.until(() => workspace.deliveries.some((delivery) => delivery.retryNum === 1 && delivery.status === 200));
    clock.advance(600_000);
    expect(bot.received).toHaveLength(2);
  });
});

describe('clicks', () => {
  const blocks = [
    { type: 'section', block_id: 'one', text: { type: 'plain_text', text: 'One' }, accessory: { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' }, value: '42' } },
    { type: 'actions', block_id: 'two', elements: [{ type: 'static_select', action_id: 'pick', options: [{ text: { type: 'plain_text', text: 'A' }, value: 'a' }] }, { type: 'overflow', action_id: 'more', options: [{ text: { type: 'plain_text', text: 'Export' }, value: 'export' }] }] },
  ];

  it('on ephemeral messages carry no message, on others they do', async () => {
    bot.answerWith((received) => ({ body: received.payload['command'] === undefined ? undefined : { text: 'Hello', blocks, response_type: received.payload['text'] } }));
    for (const type of ['ephemeral', 'in_channel'] as const) {
      const message = await (await ada().command(`/quiz ${type}`)).reply();
      await ada().click(message, 'go');
      const payload = bot.received.at(-1)?.payload;
      expect(payload).toMatchObject({ type: 'block_actions', container: { type: 'message', message_ts: message.ts, is_ephemeral: type === 'ephemeral' }, actions: [{ type: 'button', block_id: 'one', action_id: 'go', value: '42' }], response_url: expect.any(String), trigger_id: expect.any(String) });
      expect(payload !== undefined && 'message' in payload).toBe(type === 'in_channel');
    }
  });

  it('carry what a menu chose, by text or by value', async () => {
    bot.answerWith((received) => ({ body: received.payload['command'] === undefined ? undefined : { text: 'Hello', blocks } }));
    const message = await (await ada().command('/quiz')).reply();
    await ada().click(message, 'pick', 'A');
    expect(bot.received.at(-1)?.payload).toMatchObject({ actions: [{ selected_option: { value: 'a' } }], state: { values: { two: { pick: { selected_option: { value: 'a' } } } } } });
    await ada().click(message, { block: 'two', action: 'more' }, 'export');
    expect(bot.received.at(-1)?.payload).toMatchObject({ actions: [{ type: 'overflow', selected_option: { value: 'export' } }] });
    await expect(ada().click(message, 'pick', 'B')).rejects.toThrow('does not offer "B"');
    await expect(ada().click(message, 'nowhere')).rejects.toThrow('0 elements are "nowhere"');
  });

  it("on somebody else's ephemeral message are impossible", async () => {
    bot.answerWith(() => ({ body: { text: 'Hello', blocks } }));
    const message = await (await ada().command('/quiz')).reply();
    await expect(workspace.as(people.tom.id).click(message, 'go')).rejects.toThrow('sees no message');
  });
});

it('a message shortcut carries the message', async () => {
  const said = await workspace.as(people.rosa.id).say(channels.training.id, 'Who am I?');
  await ada().messageShortcut('find-in-quiz', channels.training.id, said.ts);
  expect(bot.received.at(-1)?.payload).toMatchObject({ type: 'message_action', callback_id: 'find-in-quiz', message_ts: said.ts, message: { user: people.rosa.id, text: 'Who am I?' } });
});
