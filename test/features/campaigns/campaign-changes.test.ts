import { describe, expect, test } from 'vitest';
import { personOf } from '../../../src/obligations/people.ts';
import { dayMs, monday } from '../../support/builders/campaigns.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { quizUser } from '../../support/builders/users.ts';
import { openCampaign } from '../../support/campaign-bed.ts';

const hourMs = 3_600_000;
const excuse = (userId: string, at: number, until: number | null = null) =>
  ({
    kind: 'excuse',
    userIds: [userId],
    by: 'UTOM',
    reason: 'On leave',
    at,
    until,
  }) as const;
const submitted = (user_id: string, at: number) =>
  quizResponse({ user_id, response_id: `r-${user_id}`, date_submitted: new Date(at) });

describe.each([false, true])('what is done to a campaign by mistake (the store loses answers: %s)', (losesAnswers) => {
  test('an excuse is taken back: they get the reminders that are planned, and no other', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    await campaign.put(excuse('kim', monday + hourMs));
    await campaign.until(monday + 2 * hourMs);
    await campaign.put({ kind: 'include', userIds: ['kim'], at: monday + 2 * hourMs });
    await campaign.until(monday + 8 * dayMs);
    expect(await campaign.messagesTo('kim')).toEqual([
      'campaign-notice 11-23T10:00',
      'campaign-notice reminder 11-30T10:00',
    ]);
  });

  test('“Not me” is answered: they hear that the quiz is for them', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    await campaign.put({ kind: 'not-me', userId: 'kim', at: monday + hourMs });
    await campaign.until(monday + dayMs);
    await campaign.put({ kind: 'include', userIds: ['kim'], at: monday + dayMs });
    await campaign.until(monday + dayMs + hourMs);
    expect((await campaign.contentsTo('kim')).at(-1)).toMatchObject({ kind: 'campaign-notice', isForThem: true });
    await campaign.until(monday + 8 * dayMs);
    expect((await campaign.contentsTo('kim')).at(-1)).not.toHaveProperty('isForThem', true);
    expect(await campaign.messagesTo('kim')).toEqual([
      'campaign-notice 11-23T10:00',
      'campaign-notice reminder 11-24T10:00',
      'campaign-notice reminder 11-30T10:00',
    ]);
  });

  test('an excuse ends: they count as excused until then, and are asked again', async () => {
    const campaign = await openCampaign({ losesAnswers });
    const until = monday + 9 * dayMs;
    await campaign.until(monday + hourMs);
    await campaign.put(excuse('kim', monday + hourMs, until));
    await campaign.until(until - 1);
    const state = async (now: number) => {
      const running = (await campaign.campaign())!;
      return personOf(running.members[1]!, running, now).state;
    };
    expect(await state(until - 1)).toBe('excused');
    expect(await state(until)).toBe('open');
    await campaign.until(until + hourMs);
    expect(await campaign.messagesTo('kim')).toEqual([
      'campaign-notice 11-23T10:00',
      'campaign-notice reminder 12-02T10:00',
    ]);
  });

  test('a new due time is told once to everybody who is missing, with the reminders worked out anew', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + 10 * dayMs);
    campaign.responses.push(submitted('rosa', monday + 10 * dayMs));
    await campaign.put({
      kind: 'rule',
      change: { dueAt: monday + 28 * dayMs, endsAt: monday + 56 * dayMs },
      at: monday + 10 * dayMs,
    });
    await campaign.until(monday + 11 * dayMs);
    expect((await campaign.contentsTo('kim')).at(-1)).toMatchObject({
      dueAt: monday + 28 * dayMs,
      dueWas: monday + 14 * dayMs,
    });
    await campaign.until(monday + 28 * dayMs - 1);
    expect(await campaign.messagesTo('kim')).toEqual([
      'campaign-notice 11-23T10:00',
      'campaign-notice reminder 11-30T10:00',
      'campaign-notice reminder 12-03T10:00',
      'campaign-notice reminder 12-14T10:00',
      'campaign-notice reminder 12-21T09:00',
    ]);
    expect(await campaign.messagesTo('rosa')).toHaveLength(2);
  });

  test('a new due time that is taken back before it was told is told to nobody', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    const endsAt = monday + 56 * dayMs;
    await campaign.put({ kind: 'rule', change: { dueAt: monday + 28 * dayMs, endsAt }, at: monday + hourMs });
    await campaign.put({ kind: 'rule', change: { dueAt: monday + 14 * dayMs, endsAt }, at: monday + hourMs + 1 });
    await campaign.until(monday + 6 * dayMs);
    expect(await campaign.messagesTo('kim')).toEqual(['campaign-notice 11-23T10:00']);
  });

  test('does not end on the day on which the last person is excused', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    campaign.responses.push(submitted('rosa', monday + hourMs));
    await campaign.put({
      kind: 'result',
      userId: 'rosa',
      responseId: 'r-rosa',
      result: { outcome: 'passed', percentage: 90, submittedAt: monday + hourMs },
    });
    await campaign.put(excuse('kim', monday + 2 * hourMs));
    await campaign.until(monday + dayMs + 2 * hourMs - 1);
    expect((await campaign.campaign())?.endedAt).toBeNull();
    await campaign.until(monday + dayMs + 2 * hourMs);
    expect((await campaign.campaign())?.endedAt).toBe(monday + dayMs + 2 * hourMs);
  });
});

describe.each([false, true])('what happens around a campaign (the store loses answers: %s)', (losesAnswers) => {
  test('asks for nothing while the quiz is closed, tells its owner, and goes on when it is open', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    campaign.quiz.status = 'closed';
    await campaign.until(monday + 9 * dayMs);
    expect(await campaign.campaign()).toMatchObject({ obstacle: { status: 'closed', since: monday + 7 * dayMs } });
    expect(await campaign.messagesTo('kim')).toEqual(['campaign-notice 11-23T10:00']);
    expect(await campaign.messagesTo('tom')).toEqual(['⏸️ 11-30T10:00']);
    campaign.quiz.status = 'open';
    await campaign.until(monday + 9 * dayMs + hourMs);
    expect(await campaign.campaign()).toMatchObject({ obstacle: null });
    expect(await campaign.messagesTo('kim')).toEqual([
      'campaign-notice 11-23T10:00',
      'campaign-notice reminder 12-02T11:00',
    ]);
  });

  test('sends a message again that was taken back since nobody could take the quiz', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + 1);
    await campaign.put({ kind: 'quiz', name: 'Fire safety', status: 'closed', at: monday + 1, by: 'UTOM' });
    const [message] = await campaign.contentsTo('kim');
    const to = { userId: 'kim', handedAt: monday };
    expect(await campaign.campaigns.messageNow('T1', message as never, to)).toBeUndefined();
    await campaign.put({
      kind: 'delivery',
      userId: 'kim',
      handedAt: monday,
      at: monday + 2,
      failure: 'not_needed',
    });
    campaign.quiz.status = 'closed';
    await campaign.until(monday + dayMs);
    expect(await campaign.messagesTo('tom')).toEqual([]);
    campaign.quiz.status = 'open';
    await campaign.put({ kind: 'quiz', name: 'Fire safety', status: 'open', at: monday + dayMs });
    await campaign.until(monday + dayMs + 1);
    expect(await campaign.messagesTo('kim')).toEqual(['campaign-notice 11-23T10:00', 'campaign-notice 11-24T10:00']);
    expect(await campaign.messagesTo('rosa')).toEqual(['campaign-notice 11-23T10:00']);
  });

  test('an answer that was asked for before a change through the bot says nothing new', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    await campaign.put({ kind: 'quiz', name: 'Fire safety', status: 'closed', at: monday + hourMs, by: 'UTOM' });
    await campaign.put({ kind: 'quiz', name: 'Fire safety', status: 'open', at: monday + hourMs - 1 });
    expect(await campaign.campaign()).toMatchObject({ obstacle: { since: monday + hourMs, by: 'UTOM' } });
  });

  test('takes the new name of its quiz', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    campaign.quiz.name = 'Fire safety 2027';
    await campaign.until(monday + 8 * dayMs);
    expect((await campaign.contentsTo('kim')).at(-1)).toMatchObject({ quizName: 'Fire safety 2027' });
    await campaign.put({ kind: 'quiz', name: 'Fire drill', status: 'open', at: monday + 8 * dayMs });
    expect(await campaign.service.all()).toMatchObject([{ quiz: { name: 'Fire drill' } }]);
  });

  test('ends when its quiz is deleted, and knows why', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    await campaign.put({ kind: 'quiz', name: 'Fire safety', status: 'gone', at: monday + hourMs, by: 'UTOM' });
    campaign.quiz.status = 'closed';
    await campaign.until(monday + 2 * hourMs);
    expect(await campaign.campaign()).toMatchObject({ endedAt: monday + hourMs, obstacle: { status: 'gone' } });
    expect(await campaign.messagesTo('tom')).toEqual([]);
  });

  test('tells the owner where the lead cannot see results any more, and escalates to the owner', async () => {
    const campaign = await openCampaign({ losesAnswers, plan: { leads: ['lee'], timeZone: 'UTC' } });
    campaign.users.set('lee', quizUser({ user_id: 'lee', user_type: 'trainer', edit_quizzes: true }));
    await campaign.until(monday + hourMs);
    campaign.users.set('lee', quizUser({ user_id: 'lee', user_type: 'trainer', edit_quizzes: false }));
    await campaign.until(monday + 18 * dayMs);
    expect(await campaign.messagesTo('lee')).toEqual([]);
    expect(await campaign.messagesTo('tom')).toEqual(['👤 11-30T10:00', 'campaign-escalation 12-10T10:00']);
  });

  test('names the missing people to each lead who can see results, and tells the owner once there is none', async () => {
    const campaign = await openCampaign({
      losesAnswers,
      plan: { leads: ['lee', 'uma'], timeZone: 'UTC' },
    });
    const put = (user_id: string, edit_quizzes: boolean) =>
      campaign.users.set(user_id, quizUser({ user_id, user_type: 'trainer', edit_quizzes }));
    put('lee', true);
    put('uma', true);
    await campaign.until(monday + 18 * dayMs);
    put('lee', false);
    await campaign.until(monday + 25 * dayMs);
    put('uma', false);
    await campaign.until(monday + 32 * dayMs);
    expect(await campaign.messagesTo('lee')).toEqual(['campaign-escalation 12-10T10:00']);
    expect(await campaign.messagesTo('uma')).toEqual([
      'campaign-escalation 12-10T10:00',
      'campaign-escalation 12-17T10:00',
    ]);
    expect(await campaign.notesTo('tom')).toEqual([expect.stringContaining('The lead of the campaign')]);
  });

  test('asks administrators where nobody answers for it, until one takes it over', async () => {
    const campaign = await openCampaign({ losesAnswers });
    campaign.users.set('ada', quizUser({ user_id: 'ada', user_type: 'administrator', edit_quizzes: true }));
    await campaign.until(monday + hourMs);
    campaign.users.delete('tom');
    campaign.lost.add('UTOM');
    await campaign.until(monday + 8 * dayMs);
    expect(await campaign.notesTo('ada')).toEqual([expect.stringContaining('Nobody answers for the campaign')]);
    await campaign.handOver('UADA');
    expect(await campaign.campaign()).toMatchObject({ unable: [] });
    expect(await campaign.service.all()).toMatchObject([{ ownerId: 'UADA' }]);
    await campaign.until(monday + 18 * dayMs);
    expect(await campaign.messagesTo('ada')).toContain('campaign-escalation 12-10T10:00');
  });
});
