import { describe, expect, test } from 'vitest';
import { dayMs, monday } from '../../support/builders/campaigns.ts';
import { quizUser } from '../../support/builders/users.ts';
import { openCampaign } from '../../support/campaign-bed.ts';
import { personQueue } from '../../../src/domain/queues.ts';

const hourMs = 3_600_000;

describe.each([false, true])('what is done to a campaign by mistake (the store loses answers: %s)', (losesAnswers) => {
  test('a new due time that is taken back before it was told is told to nobody', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    const endsAt = monday + 56 * dayMs;
    await campaign.put({ kind: 'rule', change: { dueAt: monday + 28 * dayMs, endsAt }, at: monday + hourMs });
    await campaign.put({ kind: 'rule', change: { dueAt: monday + 14 * dayMs, endsAt }, at: monday + hourMs + 1 });
    await campaign.until(monday + 6 * dayMs);
    expect(await campaign.messagesTo('kim')).toEqual(['campaign-notice 11-23T10:00']);
  });

  test('a message that waits while the due time is moved says the new one, and no other message says it', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    const dueAt = monday + 28 * dayMs;
    await campaign.put({ kind: 'rule', change: { dueAt, endsAt: monday + 56 * dayMs }, at: monday + hourMs });
    await campaign.until(monday + dayMs);
    const arrived = { kind: 'delivery', userId: 'kim', handedAt: monday, at: monday + dayMs, failure: null } as const;
    await campaign.put({ ...arrived, dueAt });
    await campaign.until(monday + 6 * dayMs);
    expect(await campaign.messagesTo('kim')).toEqual(['campaign-notice 11-23T10:00']);
    for (const day of [6, 7]) {
      await campaign.put({ kind: 'rule', change: { dueAt: dueAt + day * dayMs }, at: monday + day * dayMs });
      await campaign.until(monday + (day + 1) * dayMs);
    }
    expect(await campaign.contentsTo('kim')).toMatchObject([{}, { isReminder: true, dueWas: dueAt }]);
  });

  test('a message that waits does not hold up an earlier due time', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    const dueAt = monday + 4 * hourMs;
    await campaign.put({ kind: 'rule', change: { dueAt }, at: monday + hourMs });
    await campaign.until(monday + 2 * hourMs);
    expect(await campaign.messagesTo('kim')).toEqual([
      'campaign-notice 11-23T10:00',
      'campaign-notice reminder 11-23T11:00',
    ]);
    expect(await campaign.contentsTo('kim')).toMatchObject([{}, { dueAt }]);
  });
});

describe.each([false, true])('what happens around a campaign (the store loses answers: %s)', (losesAnswers) => {
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

describe('an offer to answer for a campaign', () => {
  const ada = { ownerId: 'UADA', leads: ['ada'], timeZone: 'UTC' };
  const offer = { at: monday, by: { personId: 'UTOM', userId: 'tom' }, to: { personId: 'UADA', userId: 'ada' } };

  async function openOffered() {
    const bed = await openCampaign();
    const campaign = (await bed.campaign())!;
    await bed.service.offer(campaign, offer);
    return { ...bed, offered: campaign, owner: async () => (await bed.service.all())[0]?.ownerId };
  }

  test('it is accepted once, by whichever instance, and who asked reads it', async () => {
    const { service, offered, campaign, notesTo, owner } = await openOffered();
    const accepted = [1, 2, 3].map(async () => service.handOver(offered, ada, offer.at));
    expect((await Promise.all(accepted)).filter(Boolean)).toHaveLength(1);
    expect(await campaign()).toMatchObject({ ownerId: 'UADA', leads: ['ada'] });
    expect(await owner()).toBe('UADA');
    expect(await notesTo('tom')).toEqual([expect.stringContaining('answers for the campaign for *Fire safety* now')]);
  });

  test('of accepting and withdrawing at once, one counts', async () => {
    const { service, offered, campaign, owner } = await openOffered();
    const [isAccepted, isWithdrawn] = await Promise.all([
      service.handOver(offered, ada, offer.at),
      service.offer(offered, null),
    ]);
    expect(isAccepted).toBe(!isWithdrawn);
    expect((await campaign())?.ownerId).toBe(isAccepted ? 'UADA' : 'UTOM');
    expect(await owner()).toBe(isAccepted ? 'UADA' : 'UTOM');
  });

  test('nobody but the person who was asked accepts it', async () => {
    const { service, offered, owner } = await openOffered();
    const kim = { ownerId: 'UKIM', leads: ['kim'], timeZone: 'UTC' };
    expect(await service.handOver(offered, kim, offer.at)).toBe(false);
    expect(await owner()).toBe('UTOM');
  });

  const minuteMs = 60_000;

  test('when campaigns write to people is the latest notice that was posted, or waits to be', async () => {
    const { service, outbox, until, put } = await openCampaign();
    const notices = async () => Object.fromEntries(await service.noticedAt(['rosa', 'kim', 'tom']));
    // The first messages are handed over, and nobody knows yet what became of them.
    await until(monday + minuteMs);
    expect(await notices()).toEqual({ rosa: monday, kim: monday });
    await outbox.commit(personQueue('T1', 'rosa'), { version: 0, state: { noticedAt: monday + 1 }, isBusy: false });
    await put({ kind: 'delivery', userId: 'rosa', handedAt: monday, at: monday + 1, failure: null });
    await put({ kind: 'excuse', userIds: ['kim'], by: 'UTOM', reason: 'On leave', at: monday, until: null });
    expect(await notices()).toEqual({ rosa: monday + 1 });
  });
});
