import { describe, expect, it } from 'vitest';
import { channels, people } from '../../../../src/sandbox/workspace/people.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage();

describe('clicks', () => {
  const blocks = [
    {
      type: 'section',
      block_id: 'one',
      text: { type: 'plain_text', text: 'One' },
      accessory: { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' }, value: '42' },
    },
    {
      type: 'actions',
      block_id: 'two',
      elements: [
        {
          type: 'static_select',
          action_id: 'pick',
          options: [{ text: { type: 'plain_text', text: 'A' }, value: 'a' }],
        },
        {
          type: 'overflow',
          action_id: 'more',
          options: [{ text: { type: 'plain_text', text: 'Export' }, value: 'export' }],
        },
      ],
    },
  ];

  it('include the message, unless it is ephemeral', async () => {
    stage.bot.answerWith((received) => ({
      body:
        received.payload['command'] === undefined
          ? undefined
          : { text: 'Hello', blocks, response_type: received.payload['text'] },
    }));
    for (const type of ['ephemeral', 'in_channel'] as const) {
      const message = await (await stage.ada.command(`/quiz ${type}`)).reply();
      await stage.ada.click(message, 'go');
      const payload = stage.bot.received.at(-1)?.payload;
      expect(payload).toMatchObject({
        type: 'block_actions',
        container: { type: 'message', message_ts: message.ts, is_ephemeral: type === 'ephemeral' },
        actions: [{ type: 'button', block_id: 'one', action_id: 'go', value: '42' }],
        response_url: expect.any(String),
        trigger_id: expect.any(String),
      });
      expect(payload !== undefined && 'message' in payload).toBe(type === 'in_channel');
    }
  });

  it('include the chosen option, by text or by value', async () => {
    stage.bot.answerWith((received) => ({
      body: received.payload['command'] === undefined ? undefined : { text: 'Hello', blocks },
    }));
    const message = await (await stage.ada.command('/quiz')).reply();
    await stage.ada.click(message, 'pick', 'A');
    expect(stage.bot.received.at(-1)?.payload).toMatchObject({
      actions: [{ selected_option: { value: 'a' } }],
      state: { values: { two: { pick: { selected_option: { value: 'a' } } } } },
    });
    await stage.ada.click(message, { block: 'two', action: 'more' }, 'export');
    expect(stage.bot.received.at(-1)?.payload).toMatchObject({
      actions: [{ type: 'overflow', selected_option: { value: 'export' } }],
    });
    await expect(stage.ada.click(message, 'pick', 'B')).rejects.toThrow('does not offer "B"');
    await expect(stage.ada.click(message, 'nowhere')).rejects.toThrow('0 elements are "nowhere"');
  });

  it("on another person's ephemeral message are impossible", async () => {
    stage.bot.answerWith(() => ({ body: { text: 'Hello', blocks } }));
    const message = await (await stage.ada.command('/quiz')).reply();
    await expect(stage.workspace.as(people.tom.id).click(message, 'go')).rejects.toThrow('sees no message');
  });
});

it('of a message shortcut include the message', async () => {
  const said = await stage.workspace.as(people.rosa.id).say(channels.training.id, 'Who am I?');
  await stage.ada.messageShortcut('find-in-quiz', channels.training.id, said.ts);
  expect(stage.bot.received.at(-1)?.payload).toMatchObject({
    type: 'message_action',
    callback_id: 'find-in-quiz',
    message_ts: said.ts,
    message: { user: people.rosa.id, text: 'Who am I?' },
  });
});

async function responseUrl(): Promise<string> {
  await stage.ada.command('/quiz list');
  return String(stage.bot.received.at(-1)?.payload['response_url']);
}

const respond = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('response URLs', () => {
  it('accept five posts', async () => {
    const url = await responseUrl();
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await respond(url, { text: `${index}` })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
    expect(stage.workspace.ephemerals(people.ada.id)).toHaveLength(5);
  });

  it('expire after 30 minutes', async () => {
    const url = await responseUrl();
    stage.clock.advance(30 * 60_000);
    expect((await respond(url, { text: 'In time' })).status).toBe(200);
    stage.clock.advance(1);
    expect(await (await respond(url, { text: 'Too late' })).json()).toMatchObject({ ok: false, error: 'expired_url' });
  });

  it('are invalid a day later', async () => {
    const url = await responseUrl();
    stage.clock.advance(24 * 60 * 60_000 + 1);
    await responseUrl();
    expect(await (await respond(url, { text: 'Far too late' })).json()).toMatchObject({ error: 'invalid_url' });
  });

  it('replace and delete earlier messages', async () => {
    const url = await responseUrl();
    await respond(url, { text: 'One moment' });
    await respond(url, { text: 'Done', replace_original: true });
    expect(stage.workspace.ephemerals(people.ada.id)).toMatchObject([{ text: 'Done' }]);
    await respond(url, { delete_original: true });
    expect(stage.workspace.ephemerals(people.ada.id)).toEqual([]);
  });

  it('reject invalid blocks', async () => {
    const response = await respond(await responseUrl(), { blocks: [{ type: 'nonsense' }] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: 'invalid_blocks',
      errors: ['unsupported type: nonsense [json-pointer:/blocks/0/type]'],
    });
    expect(stage.workspace.calls.at(-1)).toMatchObject({
      method: 'response_url',
      error: 'invalid_blocks',
      status: 400,
    });
  });

  it('cannot be guessed', async () => {
    expect((await respond(`${stage.workspace.url}response/made-up`, { text: 'Hello' })).status).toBe(404);
  });
});
