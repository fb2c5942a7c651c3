import { describe, expect, it } from 'vitest';
import { channels, people, userGroups } from '../../../../src/sandbox/workspace/people.ts';
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
      ],
    },
    {
      type: 'section',
      block_id: 'three',
      text: { type: 'plain_text', text: 'Three' },
      accessory: {
        type: 'overflow',
        action_id: 'more',
        options: [{ text: { type: 'plain_text', text: 'Export' }, value: 'export' }],
      },
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
    await stage.ada.click(message, { block: 'three', action: 'more' }, 'export');
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

  it('replace earlier messages', async () => {
    const url = await responseUrl();
    await respond(url, { text: 'One moment' });
    await respond(url, { text: 'Done', replace_original: true });
    expect(stage.workspace.ephemerals(people.ada.id)).toMatchObject([{ text: 'Done' }]);
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

describe('commands', () => {
  it('include person, channel and text', async () => {
    await stage.ada.command('/quiz  close Fire safety ', { channel: channels.leads.id });
    expect(stage.bot.received[0]?.payload).toMatchObject({
      command: '/quiz',
      text: 'close Fire safety',
      user_id: people.ada.id,
      channel_id: channels.leads.id,
      channel_name: 'privategroup',
      team_id: stage.workspace.teamId,
      trigger_id: expect.any(String),
      response_url: expect.stringContaining('http'),
    });
  });

  it.each([
    ['people', 'show @ada', '<@U00000ADA|ada>'],
    ['channels', 'show #training', '<#C0TRAINING|training>'],
    ['user groups', 'show @kitchen-team', '<!subteam^S0KITCHEN|@kitchen-team>'],
    ['disabled user groups', 'show @winter-crew', '@winter-crew'],
    ['links', 'show https://example.com/a?b=1&c=2', '<https://example.com/a?b=1&amp;c=2>'],
    ['e-mail addresses', 'show rosa@quiz.example', '<mailto:rosa@quiz.example|rosa@quiz.example>'],
    ['possible markup', 'show <!channel> & co', '&lt;!channel&gt; &amp; co'],
    ['existing mentions', 'show <@U00000ADA|ada>', '<@U00000ADA|ada>'],
    ['unknown names', 'show @nobody', '@nobody'],
  ])('with should_escape resolve or escape %s', async (_name, typed, expected) => {
    await stage.ada.command(`/quiz ${typed}`);
    expect(stage.bot.received[0]?.payload['text']).toBe(`show ${expected}`);
  });

  it('without should_escape contain the text as typed', async () => {
    await stage.ada.command('/plain show @ada <b>');
    expect(stage.bot.received[0]?.payload['text']).toBe('show @ada <b>');
  });

  it('without an acknowledgement within 3 s fail with operation_timeout', async () => {
    stage.bot.answerWith(() => 'never');
    const outcome = stage.ada.command('/quiz list');
    await stage.workspace.until(() => stage.workspace.deliveries.length > 0);
    stage.clock.advance(2999);
    expect(stage.workspace.deliveries[0]?.error).toBeUndefined();
    stage.clock.advance(1);
    expect(await outcome).toMatchObject({ error: 'operation_timeout' });
    expect(stage.workspace.ephemerals(people.ada.id)).toMatchObject([
      { text: '/quiz failed with the error "operation_timeout"' },
    ]);
  });

  it.each([
    ['an error', { status: 500 }],
    ['a refused signature', { status: 401 }],
    ['a closed connection', 'cut'],
  ] as const)('that meet %s fail with dispatch_failed', async (_name, answer) => {
    stage.bot.answerWith(() => answer);
    expect(await stage.ada.command('/quiz list')).toMatchObject({ error: 'dispatch_failed' });
  });

  it('that the manifest lacks are invalid', async () => {
    expect(await stage.ada.command('/nonsense')).toMatchObject({ error: 'invalid_command' });
    expect(stage.bot.received).toEqual([]);
  });
});

describe('events', () => {
  it('are limited to the subscriptions in the manifest', async () => {
    await stage.ada.say(channels.leads.id, 'In private');
    await stage.ada.say(channels.general.id, 'Where the bot is not');
    expect(stage.bot.received).toEqual([]);
    await stage.ada.say(channels.results.id, 'Hello @invigilator');
    expect(new Set(stage.bot.received.map((received) => Object(received.payload['event']).type))).toEqual(
      new Set(['app_mention', 'message']),
    );
    expect(stage.bot.received[0]?.payload).toMatchObject({
      type: 'event_callback',
      event_id: expect.stringMatching(/^Ev/),
      event: { user: people.ada.id, channel: channels.results.id, text: expect.stringContaining('<@U') },
    });
  });

  it('report that the bot joined a channel, with the first letter of its id', async () => {
    await stage.ada.remove(channels.leads.id);
    await stage.ada.invite(channels.leads.id);
    await stage.ada.invite(channels.general.id);
    expect(stage.bot.received.map((received) => received.payload['event'])).toMatchObject([
      { type: 'member_joined_channel', channel: channels.leads.id, channel_type: 'G', inviter: people.ada.id },
      { type: 'member_joined_channel', channel: channels.general.id, channel_type: 'C', inviter: people.ada.id },
    ]);
  });

  it('tell of people who come and go, where the bot is, and of user groups and people that change', async () => {
    const { workspace } = stage;
    await workspace.join(channels.partners.id, people.nora.id, people.ada.id);
    await workspace.join(channels.general.id, people.katarzyna.id);
    await workspace.leave(channels.partners.id, people.nora.id);
    workspace.setUserGroup({ ...userGroups.kitchen, members: [people.rosa.id, people.nora.id] });
    workspace.setPerson({ ...people.zoe, isDeleted: true });
    workspace.setPerson({ ...people.zoe, id: 'U000000NEW', name: 'new', email: 'new@quiz.example' });
    const events = () => stage.bot.received.map((received) => Object(received.payload['event']));
    await workspace.until(() => events().length === 6);
    expect(events()).toMatchObject([
      { type: 'member_joined_channel', user: people.nora.id, channel: channels.partners.id, channel_type: 'C' },
      { type: 'member_left_channel', user: people.nora.id, channel: channels.partners.id },
      expect.objectContaining({ type: 'subteam_updated' }),
      {
        type: 'subteam_members_changed',
        subteam_id: userGroups.kitchen.id,
        added_users: [people.nora.id],
        removed_users: [people.ravi.id, people.zoe.id, people.dora.id],
      },
      { type: 'user_change', user: { id: people.zoe.id, deleted: true } },
      { type: 'team_join', user: { id: 'U000000NEW' } },
    ]);
  });

  it('are lost or late where that is asked for', async () => {
    const { workspace, bot, clock } = stage;
    workspace.faults.setEventFault({ kind: 'lost' }, ['member_joined_channel']);
    await workspace.join(channels.partners.id, people.nora.id);
    workspace.faults.setEventFault({ kind: 'late', ms: 3_600_000 });
    await workspace.leave(channels.partners.id, people.nora.id);
    expect(bot.received).toEqual([]);
    clock.advance(3_600_000);
    await workspace.until(() => bot.received.length === 1);
    expect(bot.received[0]?.payload['event']).toMatchObject({ type: 'member_left_channel' });
    workspace.faults.setEventFault(undefined);
    await workspace.join(channels.partners.id, people.nora.id);
    expect(bot.received).toHaveLength(2);
  });

  it('are retried at once, after one minute and after five, with retry headers', async () => {
    stage.bot.answerWith(() => ({ status: 500 }));
    await stage.ada.openHome();
    for (const [count, delayMs] of [
      [2, 0],
      [3, 60_000],
      [4, 300_000],
    ] as const) {
      stage.clock.advance(delayMs);
      await stage.workspace.until(
        () => stage.workspace.deliveries.filter((delivery) => delivery.error !== undefined).length === count,
      );
    }
    stage.clock.advance(3_600_000);
    expect(stage.workspace.deliveries).toHaveLength(4);
    expect(stage.bot.received.map((received) => received.headers['x-slack-retry-num'])).toEqual([
      undefined,
      '1',
      '2',
      '3',
    ]);
    expect(stage.bot.received[1]?.headers['x-slack-retry-reason']).toBe('http_error');
    expect(new Set(stage.bot.received.map((received) => received.payload['event_id'])).size).toBe(1);
  });

  it('are not retried after an acknowledgement', async () => {
    let isDown = true;
    stage.bot.answerWith(() => ({ status: isDown ? 503 : 200 }));
    await stage.ada.openHome();
    isDown = false;
    stage.clock.advance(0);
    await stage.workspace.until(() =>
      stage.workspace.deliveries.some((delivery) => delivery.retryNum === 1 && delivery.status === 200),
    );
    stage.clock.advance(600_000);
    expect(stage.workspace.deliveries).toHaveLength(2);
  });
});
