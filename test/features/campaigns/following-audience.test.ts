import { expect, test, vi } from 'vitest';
import { PlatformError } from '../../../src/domain/errors.ts';
import type { CampaignEvent } from '../../../src/domain/campaign.ts';
import { personOf } from '../../../src/obligations/people.ts';
import { openCampaign } from '../../support/campaign-bed.ts';
import { dayMs, monday, plannedMember, standingRule, type PlanOverrides } from '../../support/builders/campaigns.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { quizUser } from '../../support/builders/users.ts';

const hourMs = 60 * 60_000;
const minuteMs = 60_000;
const kitchen = { group_id: 'g-1', group_name: 'Kitchen' };
const hasQuiz = { quizzes: [{ quiz_id: 'q-1', name: 'Fire safety', date_assigned: null }] };

/** A campaign that stands for the group Kitchen, in which Rosa is, and for a channel. */
async function openStanding(plan: PlanOverrides = {}, options: { approvedBy?: string } = {}) {
  const bed = await openCampaign({
    ...options,
    plan: {
      ...standingRule,
      audience: ['group:g-1', 'channel:C1|kitchen'],
      except: [],
      members: [plannedMember('rosa')],
      ...plan,
    },
    ask: async () => {},
  });
  const setUser = (userId: string, change: Parameters<typeof quizUser>[0]) =>
    bed.users.set(userId, quizUser({ user_id: userId, user_name: `${userId}@quiz.example`, ...hasQuiz, ...change }));
  bed.audience.members.set('channel:C1|kitchen', []);
  setUser('rosa', { groups: [kitchen] });
  return {
    ...bed,
    setUser,
    /** Its only row is done. */
    finishBatch() {
      const [row] = bed.batch.plan!.rows;
      bed.batch.rows = { state: 'finished', rows: [{ row: row!, outcome: { kind: 'done' } }] } as typeof bed.batch.rows;
    },
    changed: async (at: number) => bed.put({ kind: 'audience-changed', at }),
    stateOf: async (userId: string, at: number) => {
      const campaign = (await bed.campaign())!;
      const member = campaign.members.find((one) => one.userId === userId);
      return member && personOf(member, campaign, at).state;
    },
    memberIds: async () => (await bed.campaign())!.members.map(({ userId }) => userId),
  };
}

test('nobody leaves whom a list skipped that was read while others left', async () => {
  const bed = await openStanding();
  const { members } = bed.audience;
  for (const userId of ['leo', 'mia']) bed.setUser(userId, {});
  members.set('channel:C1|kitchen', ['ULEO', 'UMIA']);
  await bed.until(monday + hourMs);
  members.set('channel:C1|kitchen', ['ULEO']);
  vi.spyOn(members, 'get').mockReturnValueOnce([]);
  await bed.changed(monday + hourMs);
  const at = monday + 2 * hourMs;
  await bed.until(at);
  expect([await bed.stateOf('leo', at), await bed.stateOf('mia', at)]).toEqual(['open', 'not required']);
  expect(bed.audited.map(({ operation }) => operation)).toEqual(['add-to-campaign', 'excuse-campaign']);
});

test('an old pass of somebody who joins counts before any message, and lasts over leaving and coming back', async () => {
  const bed = await openStanding();
  await bed.until(monday + hourMs);
  bed.responses.push(
    quizResponse({ user_id: 'leo', response_id: 'r-leo', date_submitted: new Date(monday - 30 * dayMs) }),
  );
  bed.setUser('leo', { groups: [kitchen] });
  await bed.changed(monday + hourMs);
  await bed.until(monday + 2 * hourMs);
  expect(await bed.stateOf('leo', monday + 2 * hourMs)).toBe('complete');
  bed.setUser('leo', {});
  await bed.until(monday + 3 * dayMs);
  expect(await bed.stateOf('leo', monday + 3 * dayMs)).toBe('not required');
  bed.setUser('leo', { groups: [kitchen] });
  await bed.until(monday + 5 * dayMs);
  expect(await bed.stateOf('leo', monday + 5 * dayMs)).toBe('complete');
  expect(await bed.messagesTo('leo')).toEqual([]);
});

test('who lacks the quiz gets it by a batch of the owner, and is written to when they have it; meanwhile others wait', async () => {
  const bed = await openStanding();
  await bed.until(monday + hourMs);
  bed.setUser('leo', { groups: [kitchen], quizzes: [] });
  await bed.changed(monday + hourMs);
  await bed.until(monday + 2 * hourMs);
  expect([bed.batch.by, bed.batch.plan?.rows.length]).toEqual(['UTOM', 1]);
  expect((await bed.campaign())?.members.at(-1)).toMatchObject({ userId: 'leo', assignment: 'waiting' });
  expect(await bed.messagesTo('leo')).toEqual([]);
  bed.setUser('zoe', { groups: [kitchen] });
  await bed.changed(monday + 2 * hourMs);
  await bed.until(monday + 3 * hourMs);
  expect(await bed.memberIds()).toEqual(['rosa', 'leo']);
  bed.finishBatch();
  await bed.until(monday + 4 * hourMs);
  expect(await bed.memberIds()).toEqual(['rosa', 'leo', 'zoe']);
  expect(await bed.messagesTo('leo')).toHaveLength(1);
});

test('who is excepted is not taken in, who comes under the exception leaves, and who is added by name stays', async () => {
  const office = { group_id: 'g-2', group_name: 'Office' };
  const bed = await openStanding({ except: ['group:g-2'] });
  await bed.until(monday + hourMs);
  bed.setUser('leo', { groups: [kitchen, office] });
  bed.setUser('rosa', { groups: [kitchen, office] });
  bed.setUser('mia', {});
  const mia = { ...(await bed.campaign())!.members[0]!, userId: 'mia' };
  await bed.put({ kind: 'join', members: [mia], at: monday + hourMs, areNamed: true });
  await bed.until(monday + dayMs);
  expect(await bed.memberIds()).toEqual(['rosa', 'mia']);
  expect(await bed.stateOf('rosa', monday + dayMs)).toBe('not required');
  expect(await bed.stateOf('mia', monday + dayMs)).toBe('open');
});

test('who joins a campaign whose start was approved is on the record with who approved it', async () => {
  const bed = await openStanding({}, { approvedBy: 'UADA' });
  await bed.until(monday + hourMs);
  bed.setUser('leo', { groups: [kitchen], quizzes: [] });
  await bed.changed(monday + hourMs);
  await bed.until(monday + 2 * hourMs);
  expect(bed.audited).toMatchObject([{ operation: 'add-to-campaign', approvedBy: 'UADA' }]);
  expect(bed.batch).toMatchObject({ by: 'UTOM', approvedBy: 'UADA' });
});

test('while the platform does not answer, nobody joins and nobody leaves, and it is asked again', async () => {
  const bed = await openStanding();
  await bed.until(monday + hourMs);
  bed.audience.failure = new PlatformError('ratelimited', { kind: 'rate_limited', retryAfterMs: 30_000 });
  bed.setUser('rosa', {});
  bed.setUser('leo', { groups: [kitchen] });
  await bed.changed(monday + hourMs);
  await bed.until(monday + 2 * hourMs);
  expect(await bed.memberIds()).toEqual(['rosa']);
  expect(await bed.stateOf('rosa', monday + 2 * hourMs)).toBe('open');
  bed.audience.failure = undefined;
  await bed.until(monday + 2 * hourMs + 2 * minuteMs);
  expect(await bed.stateOf('rosa', monday + 3 * hourMs)).toBe('not required');
  expect(await bed.stateOf('leo', monday + 3 * hourMs)).toBe('open');
});

test('a channel that the bot cannot see any more keeps its people, and the owner reads it once', async () => {
  const bed = await openStanding({ members: [plannedMember('rosa'), plannedMember('leo')] });
  bed.setUser('leo', {});
  bed.audience.members.set('channel:C1|kitchen', ['ULEO']);
  await bed.until(monday + hourMs);
  bed.audience.members.set('channel:C1|kitchen', undefined);
  await bed.until(monday + 5 * dayMs);
  expect(await bed.stateOf('leo', monday + 5 * dayMs)).toBe('open');
  expect(await bed.notesTo('tom')).toEqual([expect.stringContaining('who is in #C1, from which the campaign')]);
});

test('the owner reads once that nobody is left, and again once people came and left again', async () => {
  const bed = await openStanding();
  await bed.until(monday + hourMs);
  bed.setUser('rosa', { groups: [] });
  await bed.changed(monday + hourMs);
  await bed.until(monday + 5 * dayMs);
  const note = expect.stringContaining('Nobody is left in the ongoing campaign for *Fire safety*') as string;
  expect(await bed.notesTo('tom')).toEqual([note]);
  bed.setUser('rosa', { groups: [kitchen] });
  await bed.changed(monday + 5 * dayMs);
  await bed.until(monday + 6 * dayMs);
  bed.setUser('rosa', { suspended: true });
  await bed.changed(monday + 6 * dayMs);
  await bed.until(monday + 10 * dayMs);
  expect(await bed.notesTo('tom')).toEqual([note, note]);
});

test('where nothing happens, it is compared once a day, and the responses are read once a week', async () => {
  const bed = await openStanding();
  bed.responses.push(quizResponse({ user_id: 'rosa', date_submitted: new Date(monday) }));
  await bed.until(monday + dayMs);
  const before = { lists: bed.audience.reads, responses: bed.reads() };
  await bed.until(monday + 15 * dayMs);
  expect(bed.audience.reads - before.lists).toBe(14);
  expect(bed.reads() - before.responses).toBe(2);
});

test('applying events twice changes nothing the second time', async () => {
  const bed = await openStanding();
  await bed.until(monday + hourMs);
  const at = monday + hourMs;
  const join: CampaignEvent = {
    kind: 'join',
    members: (await bed.campaign())!.members.map((one) => ({ ...one, userId: 'leo' })),
    at,
    areNamed: false,
  };
  const leave: CampaignEvent = { kind: 'leave', userIds: ['leo'], at: at + 5 };
  for (const event of [join, leave, join, leave]) await bed.put(event);
  expect((await bed.campaign())?.members.at(-1)?.stays).toEqual([{ from: at, to: at + 5 }]);
});

test('who joins and has a pass that counts does not get the quiz yet; who has none gets it', async () => {
  const bed = await openStanding();
  await bed.until(monday + hourMs);
  bed.responses.push(
    quizResponse({ response_id: 'r-leo', user_id: 'leo', date_submitted: new Date(monday - 30 * dayMs) }),
  );
  for (const userId of ['leo', 'mia']) bed.setUser(userId, { groups: [kitchen], quizzes: [] });
  await bed.changed(monday + hourMs);
  await bed.until(monday + 2 * hourMs);
  const { members = [] } = (await bed.campaign()) ?? {};
  expect(members.map(({ userId, assignment }) => [userId, assignment])).toEqual([
    ['rosa', 'has'],
    ['leo', 'later'],
    ['mia', 'waiting'],
  ]);
  expect(bed.batch.plan?.rows).toMatchObject([{ userId: 'mia' }]);
});

test('who has a pass that counts gets the quiz before it is to be renewed, and the message about it after that', async () => {
  const passedAt = monday - 328 * dayMs;
  const done = { state: 'done', validUntil: passedAt + 365 * dayMs, asksFrom: passedAt + 335 * dayMs } as const;
  const bed = await openStanding({ members: [plannedMember('rosa', { obligation: done })] });
  bed.setUser('rosa', { groups: [kitchen], quizzes: [] });
  bed.responses.push(quizResponse({ response_id: 'r-1', user_id: 'rosa', date_submitted: new Date(passedAt) }));
  await bed.until(monday + 4 * dayMs);
  expect([bed.batch.plan, (await bed.campaign())?.members[0]?.assignment]).toEqual([undefined, 'later']);
  await bed.until(monday + 6 * dayMs);
  expect((await bed.campaign())?.members[0]?.assignment).toBe('waiting');
  expect(bed.batch.plan?.rows).toMatchObject([{ userId: 'rosa' }]);
  bed.finishBatch();
  await bed.until(monday + 7 * dayMs);
  expect([(await bed.campaign())?.members[0]?.assignment, await bed.messagesTo('rosa')]).toEqual(['has', []]);
  await bed.until(monday + 9 * dayMs);
  expect(await bed.messagesTo('rosa')).toEqual(['campaign-notice 12-01T09:00']);
});
