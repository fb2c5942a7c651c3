import { describe, expect, test, vi } from 'vitest';
import type { Delivery, Subscription } from '../../../../src/domain/subscription.ts';
import { pauseAlerts, resumeAlerts, testAlerts } from '../../../../src/features/alerts/operations/pause-and-resume.ts';
import {
  subscribeChannel,
  unsubscribeChannel,
} from '../../../../src/features/alerts/operations/subscribe-and-unsubscribe.ts';
import { subscription } from '../../../support/builders/alerts.ts';
import { openHouse } from '../../../support/house.ts';

const hourMs = 3_600_000;
const fireSafety = { id: 'q-1', name: 'Fire safety' };
const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: null };
const here = { channel_id: 'C1', channel_name: 'training' };
const there = { channel_id: 'C2', channel_name: 'crew' };
const each: Delivery = { kind: 'each' };
const thread: Delivery = { kind: 'thread' };
const hourly: Delivery = { kind: 'digest', every: 'hour' };
const daily: Delivery = { kind: 'digest', every: 'day', at: '09:00' };

/** A person in channel C1, with the subscriptions that are there, at 00:16:40 UTC. */
async function inChannel({ by = 'UADA', kept = [] as Subscription[] } = {}) {
  const house = openHouse({ subscriptions: kept.map((one) => ({ subscription: one, waiting: 0 })) });
  const context = await house.readerFor(by, 'C1');
  return { ...house, context, alerts: context.alerts, nowMs: house.clock.now };
}

const on = (overrides: Partial<Subscription> = {}, waiting = 0) => ({
  subscription: { subscription: subscription(overrides), waiting },
});
const byErin = { since: 1, until: null, by: 'UERIN' };
const gone = 'This subscription doesn’t exist any more. /quiz-alerts list shows the current ones.';

describe('what a subscription posts', () => {
  test.each<[Partial<Subscription>, posts: string]>([
    [{ delivery: each }, 'alerts for every quiz'],
    [{ delivery: thread }, 'the daily thread of every quiz'],
    [{ delivery: hourly }, 'the hourly digest of every quiz'],
    [{ delivery: daily }, 'the daily digest of every quiz'],
    [{ delivery: each, quiz: fireSafety, filter: { kind: 'failed' } }, 'alerts for ⁨Fire safety⁩ (failed only)'],
    [{ delivery: thread, quiz: fireSafety }, 'the daily thread of ⁨Fire safety⁩'],
    [{ delivery: hourly, quiz: fireSafety }, 'the hourly digest of ⁨Fire safety⁩'],
    [{ delivery: daily, quiz: fireSafety }, 'the daily digest of ⁨Fire safety⁩'],
  ])('%j is paused and resumed as “%s”', async (what, posts) => {
    const { context } = await inChannel();
    const areMany = posts.startsWith('alerts');
    const begun = (inWhere: string) => `${posts[0]!.toUpperCase()}${posts.slice(1)}${inWhere}`;
    for (const [channelId, inWhere] of [
      ['C1', ''],
      ['C2', ' in the channel'],
    ] as const) {
      const running = on({ ...what, channelId });
      const paused = on({ ...what, channelId, pause: byErin });
      expect([
        await pauseAlerts.run(context, running),
        await pauseAlerts.run(context, paused),
        await resumeAlerts.run(context, paused),
        await resumeAlerts.run(context, running),
      ]).toEqual([
        {
          kind: 'done',
          message: `Paused ${posts}${inWhere}. Results are kept for 7 days.`,
          next: [{ label: 'Resume', operation: 'resume-alerts', input: { subscription: ['s-1'] } }],
        },
        {
          kind: 'done',
          message: `${begun(inWhere)} ${areMany ? 'were' : 'was'} already paused. Nothing changed.`,
          isNoChange: true,
          next: [{ label: 'Resume', operation: 'resume-alerts', input: { subscription: ['s-1'] } }],
        },
        {
          kind: 'done',
          message: `Resumed ${posts}${inWhere}.`,
          next: [{ label: 'Pause again', operation: 'pause-alerts', input: { subscription: ['s-1'] } }],
        },
        {
          kind: 'done',
          message: `${begun(inWhere)} ${areMany ? 'weren’t' : 'wasn’t'} paused. Nothing changed.`,
          isNoChange: true,
          next: [{ label: 'Pause', operation: 'pause-alerts', input: { subscription: ['s-1'] } }],
        },
      ]);
    }
  });
});

describe('pausing', () => {
  const until = 1_000_000 + 2 * hourMs;

  test('is by the person who asks, until the time they say', async () => {
    const { context, alerts } = await inChannel({ by: 'UERIN' });
    const pause = vi.spyOn(alerts, 'pause');
    const { message } = (await pauseAlerts.run(context, { ...on(), time: '2h' })) as { message: string };
    expect(pause).toHaveBeenCalledExactlyOnceWith('s-1', 'UERIN', until);
    expect(message).toStrictEqual(expect.stringMatching(/^Paused alerts for every quiz until .*\. Results are kept/));
    await pauseAlerts.run(context, on());
    expect(pause).toHaveBeenLastCalledWith('s-1', 'UERIN', null);
  });

  test.each([
    ['so already, with the same end', { ...byErin, until }, '2h', false],
    ['so already, with another end', { ...byErin, until: until + 1 }, '2h', true],
    ['so already, but without an end', byErin, '2h', true],
    ['by the bot, which ends with its reason', { ...byErin, by: null, code: 'not_in_channel' }, undefined, true],
    ['until a time that is over', { ...byErin, until: 999_999 }, undefined, true],
  ])('changes what is paused %s: %j', async (_, pause, time, changes) => {
    const { context, alerts } = await inChannel();
    const asked = vi.spyOn(alerts, 'pause');
    const answer = await pauseAlerts.run(context, { ...on({ pause }), ...(time && { time }) });
    expect([asked.mock.calls.length > 0, 'isNoChange' in answer]).toEqual([changes, !changes]);
  });

  test('again, after resuming, is for the time that was left', async () => {
    const { context, nowMs } = await inChannel();
    const pause = { ...byErin, until: nowMs + hourMs - 1 };
    expect(await resumeAlerts.run(context, on({ pause }))).toMatchObject({
      next: [{ operation: 'pause-alerts', input: { subscription: ['s-1'], time: ['for 60m'] } }],
    });
  });
});

test('what is asked for says what it does, and what follows', async () => {
  const { context } = await inChannel();
  const operations = [pauseAlerts, resumeAlerts, testAlerts, unsubscribeChannel];
  expect(
    await Promise.all(operations.map(async (one) => [one.action!(on()), await one.effect!(context, on())])),
  ).toEqual([
    ['pause alerts for every quiz', 'New results would wait until the pause ends or someone resumes them.'],
    ['resume alerts for every quiz', 'Results would be posted again, including those that waited.'],
    [
      'post a sample alert with results of every quiz',
      'The channel would get a sample alert with results of every quiz.',
    ],
    ['unsubscribe the channel from results of every quiz', 'No results would be posted there any more.'],
  ]);
});

describe('resuming', () => {
  const closed = { ...byErin, by: null, code: 'not_in_channel' };

  test.each([
    [0, 'Resumed alerts for every quiz.'],
    [1, 'Resumed alerts for every quiz. The submission that was waiting will be posted now.'],
    [1_200, 'Resumed alerts for every quiz. The 1,200 submissions that were waiting will be posted now.'],
  ])('tells of %i submissions that waited', async (waiting, message) => {
    const { context } = await inChannel();
    expect(await resumeAlerts.run(context, on({ pause: byErin }, waiting))).toMatchObject({ message });
  });

  test('asks whether the bot can post now only where it could not', async () => {
    const { context, alerts } = await inChannel();
    const whyClosed = vi
      .spyOn(alerts, 'whyClosed')
      .mockResolvedValue({ why: 'the bot isn’t in the channel', remedy: 'Invite it.' });
    const resume = vi.spyOn(alerts, 'resume');
    const refusal = resumeAlerts.run(context, on({ pause: closed }));
    await expect(refusal).rejects.toThrow('The bot isn’t in the channel. Invite it. Then try again.');
    await expect(refusal).rejects.toMatchObject({ field: 'subscription' });
    expect(resume).not.toHaveBeenCalled();
    await resumeAlerts.run(context, on({ pause: byErin }));
    whyClosed.mockResolvedValue(undefined);
    await resumeAlerts.run(context, on({ pause: closed }));
    expect([whyClosed.mock.calls, resume.mock.calls]).toEqual([
      [['C1'], ['C1']],
      [['s-1'], ['s-1']],
    ]);
  });
});

test.each(['pause', 'resume', 'unsubscribe'] as const)('what is gone meanwhile is no more to %s', async (deed) => {
  const { context, alerts } = await inChannel();
  vi.spyOn(alerts, deed).mockResolvedValue(false);
  const operation = { pause: pauseAlerts, resume: resumeAlerts, unsubscribe: unsubscribeChannel }[deed];
  const values = on({ pause: deed === 'pause' ? null : byErin });
  const refusal = operation.run(context, values);
  await expect(refusal).rejects.toThrow(gone);
  await expect(refusal).rejects.toMatchObject({ field: 'subscription' });
});

describe('a test', () => {
  test.each([
    [{}, 'Posted a sample alert for every quiz in this channel.'],
    [{ quiz: fireSafety }, 'Posted a sample alert for ⁨Fire safety⁩ in this channel.'],
    [{ channelId: 'C2' }, 'Posted a sample alert for every quiz in the channel.'],
    [{ channelId: 'C2', quiz: fireSafety }, 'Posted a sample alert for ⁨Fire safety⁩ in the channel.'],
  ])('of %j says where it is', async (what, message) => {
    const { context, alerts } = await inChannel();
    const posted = vi.spyOn(alerts, 'test');
    expect(await testAlerts.run(context, on(what))).toEqual({ kind: 'done', message });
    expect(posted).toHaveBeenCalledExactlyOnceWith(subscription(what));
    posted.mockResolvedValue({ closed: 'The channel is archived.' });
    const refusal = testAlerts.run(context, on(what));
    await expect(refusal).rejects.toThrow('The channel is archived.');
    await expect(refusal).rejects.toMatchObject({ field: 'subscription' });
  });
});

describe('subscribing', () => {
  const input = (id: string) => ({ subscription: [id] });

  test.each([
    [here, 'Subscribed this channel to results of every quiz: one message per submission.'],
    [there, 'Subscribed ⁨#crew⁩ to results of every quiz: one message per submission.'],
  ])('%j can be tested and taken back', async (channel, message) => {
    const { context, alerts } = await inChannel({ by: 'UADA' });
    const subscribe = vi.spyOn(alerts, 'subscribe');
    const targets = [{ kind: 'subscription', id: 's-new', name: 'Every quiz: one message per submission' }];
    expect(await subscribeChannel.run(context, { channel })).toEqual({
      kind: 'done',
      targets,
      message,
      next: [
        { label: 'Send a test', operation: 'test-alerts', input: input('s-new') },
        { label: 'Undo', operation: 'unsubscribe-channel', input: input('s-new') },
      ],
    });
    const spec = { quiz: null, filter: { kind: 'all' }, delivery: each, timeZone: 'Europe/Berlin', showsNames: true };
    expect(subscribe).toHaveBeenCalledExactlyOnceWith({ channelId: channel.channel_id, ...spec }, 'UADA');
    subscribe.mockResolvedValue({ closed: 'The bot isn’t in the channel.' });
    const refusal = subscribeChannel.run(context, { channel });
    await expect(refusal).rejects.toThrow('The bot isn’t in the channel.');
    await expect(refusal).rejects.toMatchObject({ field: 'channel' });
  });

  const wished = { channel: here, quiz: { ...quiz, name: 'Renamed' }, filter: 'failed', delivery: 'daily' };
  const same = subscription({
    quiz: fireSafety,
    filter: { kind: 'failed' },
    delivery: daily,
    timeZone: 'Europe/Berlin',
  });

  test.each<[Partial<Subscription>, isSame: boolean]>([
    [{}, true],
    [{ ownerId: 'UERIN', createdAt: 5, teamId: 'T2' }, true],
    [{ channelId: 'C2' }, false],
    [{ quiz: null }, false],
    [{ quiz: { id: 'q-2', name: 'Fire safety' } }, false],
    [{ filter: { kind: 'passed' } }, false],
    [{ delivery: { ...daily, at: '09:01' } }, false],
    [{ delivery: hourly }, false],
    [{ timeZone: 'UTC' }, false],
    [{ showsNames: false }, false],
  ])('to what a channel gets, but for %j, changes nothing: %j', async (difference, isSame) => {
    const { context, alerts } = await inChannel({ kept: [{ ...same, ...difference }] });
    const subscribe = vi.spyOn(alerts, 'subscribe');
    await subscribeChannel.run(context, wished);
    expect(subscribe).toHaveBeenCalledTimes(isSame ? 0 : 1);
  });

  test('to single messages is the same in any time zone', async () => {
    const { context, alerts } = await inChannel({ kept: [subscription({ timeZone: 'America/Lima' })] });
    const subscribe = vi.spyOn(alerts, 'subscribe');
    await subscribeChannel.run(context, { channel: here });
    expect(subscribe).not.toHaveBeenCalled();
  });

  test.each([
    [here, null, 'This channel was already subscribed to results of every quiz: one message per submission.'],
    [
      here,
      byErin,
      'This channel was already subscribed to results of every quiz: one message per submission (paused).',
    ],
    [there, null, 'There was already a subscription of ⁨#crew⁩ to results of every quiz: one message per submission.'],
  ])('%j again, with a pause of %j, says so', async (channel, pause, message) => {
    const { context } = await inChannel({ kept: [subscription({ channelId: channel.channel_id, pause })] });
    const next = pause
      ? { label: 'Resume', operation: 'resume-alerts', input: input('s-1') }
      : { label: 'Send a test', operation: 'test-alerts', input: input('s-1') };
    expect(await subscribeChannel.run(context, { channel })).toEqual({
      kind: 'done',
      message: `${message} Nothing changed.`,
      isNoChange: true,
      next: [next],
    });
  });

  test('is refused where the channel has twenty, and only there', async () => {
    const kept = Array.from({ length: 20 }, (_, n) => subscription({ filter: { kind: 'below', percentage: n + 1 } }));
    const { context, alerts } = await inChannel({ kept });
    const subscribe = vi.spyOn(alerts, 'subscribe');
    const refusal = subscribeChannel.run(context, { channel: here });
    await expect(refusal).rejects.toThrow(
      'A channel can have up to 20 subscriptions. Unsubscribe from one first: /quiz-alerts list shows them.',
    );
    await expect(refusal).rejects.toMatchObject({ field: 'channel' });
    expect(subscribe).not.toHaveBeenCalled();
    await subscribeChannel.run(context, { channel: there });
    expect(subscribe).toHaveBeenCalledOnce();
  });

  test('says who could read what, and refuses what it cannot read before a form is sent', async () => {
    const { context } = await inChannel();
    expect(await subscribeChannel.effect!(context, { channel: here })).toBe(
      'Everyone in ⁨#training⁩ could read the results.',
    );
    expect([subscribeChannel.action!({ channel: here, quiz }), subscribeChannel.action!({ channel: here })]).toEqual([
      'subscribe ⁨#training⁩ to results of ⁨Fire safety⁩',
      'subscribe ⁨#training⁩ to results of every quiz',
    ]);
    const check = (values: Record<string, unknown>) => () => subscribeChannel.check!({ channel: here, ...values });
    expect(check({ filter: 'below', limit: '60', delivery: 'daily', at: '8am', time_zone: 'UTC' })).not.toThrow();
    expect(check({})).not.toThrow();
    expect(check({ filter: 'below', limit: 'lots' })).toThrow('I don’t know “below lots”. Try below 60.');
    expect(check({ delivery: 'each', at: '8am' })).toThrow('“8am” is only for a daily digest');
    expect(check({ time_zone: 'Mars/Olympus' })).toThrow('“Mars/Olympus” isn’t a time zone');
  });
});

describe('unsubscribing', () => {
  test.each([
    [{}, 0, 'Unsubscribed this channel from results of every quiz: one message per submission.'],
    [
      { filter: { kind: 'failed' } },
      0,
      'Unsubscribed this channel from results of every quiz: failed only, one message per submission.',
    ],
    [
      { channelId: 'C2' },
      1,
      'Unsubscribed the channel from results of every quiz: one message per submission. The submission that was waiting won’t be posted.',
    ],
    [
      { quiz: fireSafety },
      1_200,
      'Unsubscribed this channel from results of ⁨Fire safety⁩: one message per submission. The 1,200 submissions that were waiting won’t be posted.',
    ],
  ] as const)('from %j with %i waiting can be taken back', async (what, waiting, message) => {
    const { context, alerts } = await inChannel();
    const unsubscribe = vi.spyOn(alerts, 'unsubscribe');
    expect(await unsubscribeChannel.run(context, on(what, waiting))).toMatchObject({
      kind: 'done',
      message,
      next: [{ label: 'Undo', operation: 'subscribe-channel' }],
    });
    expect(unsubscribe).toHaveBeenCalledExactlyOnceWith('s-1');
  });

  test.each<[Partial<Subscription>, input: Record<string, string[]>]>([
    [{}, { filter: ['all'], delivery: ['each'] }],
    [
      { quiz: fireSafety, filter: { kind: 'below', percentage: 60 }, delivery: daily, showsNames: false },
      { quiz: ['q-1'], filter: ['below'], limit: ['60'], delivery: ['daily'], at: ['09:00'], names: ['off'] },
    ],
    [
      { filter: { kind: 'grade', grade: 'B' }, delivery: hourly },
      { filter: ['grade'], limit: ['B'], delivery: ['hourly'] },
    ],
    [
      { filter: { kind: 'failed' }, delivery: thread },
      { filter: ['failed'], delivery: ['thread'] },
    ],
  ])('from %j is taken back with all that it was', async (what, given) => {
    const { context } = await inChannel();
    const answer = await unsubscribeChannel.run(context, on(what));
    expect('next' in answer && answer.next).toEqual([
      expect.objectContaining({ input: { channel: ['channel:C1'], time_zone: ['UTC'], ...given } }),
    ]);
  });

  test('from the subscription of the configuration is refused', async () => {
    const { context, alerts } = await inChannel();
    const unsubscribe = vi.spyOn(alerts, 'unsubscribe');
    const refusal = unsubscribeChannel.run(context, on({ ownerId: null }));
    await expect(refusal).rejects.toThrow(
      'This subscription comes from the bot’s configuration (ALERTS_CHANNEL), so it ends there. You can pause it here.',
    );
    await expect(refusal).rejects.toMatchObject({ field: 'subscription' });
    expect(unsubscribe).not.toHaveBeenCalled();
  });
});
