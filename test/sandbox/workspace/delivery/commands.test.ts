import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { channels, people } from '../../../../src/sandbox/workspace/people.ts';
import { signingSecret } from '../support/bolt-bot.ts';
import { startMs, useStage } from '../support/stage.ts';

const stage = useStage();

describe('commands', () => {
  it('are signed over timestamp and raw body', async () => {
    await stage.ada.command('/quiz list');
    const [received] = stage.bot.received;
    const timestamp = received?.headers['x-slack-request-timestamp'];
    expect(timestamp).toBe(String(startMs / 1000));
    expect(received?.headers['x-slack-signature']).toBe(
      `v0=${createHmac('sha256', signingSecret)
        .update(`v0:${String(timestamp)}:${received?.body}`)
        .digest('hex')}`,
    );
  });

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

  it("show the bot's response, to the person or to the channel", async () => {
    stage.bot.answerWith(() => ({ body: 'Just you' }));
    await stage.ada.command('/quiz list');
    stage.bot.answerWith(() => ({ body: { response_type: 'in_channel', text: 'Everybody' } }));
    await stage.ada.command('/quiz list');
    expect(stage.workspace.ephemerals(people.ada.id, channels.results.id)).toMatchObject([{ text: 'Just you' }]);
    expect(stage.workspace.messages(channels.results.id)).toMatchObject([{ text: 'Everybody' }]);
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
