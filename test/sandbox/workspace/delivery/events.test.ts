import { describe, expect, it } from 'vitest';
import { channels, people, userGroups } from '../../../../src/sandbox/workspace/people.ts';
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
