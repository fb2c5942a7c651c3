import { describe, expect, it } from 'vitest';
import { channels, people } from '../../../../src/sandbox/workspace/people.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage();

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
