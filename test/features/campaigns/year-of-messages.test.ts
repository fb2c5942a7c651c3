import { expect, test } from 'vitest';
import { resultFor } from '../../../src/features/webhooks/take.ts';
import { openCampaign } from '../../support/campaign-bed.ts';
import { campaignPlan, dayMs, monday, plannedMember, standingRule } from '../../support/builders/campaigns.ts';
import { submission } from '../../support/builders/alerts.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { quizUser } from '../../support/builders/users.ts';
import { openPersonQueue, userId } from '../../support/person-queue.ts';

const hourMs = 60 * 60_000;
const quizzes = ['q-1', 'q-2', 'q-3', 'q-4', 'q-5', 'q-6'];
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** A year in which a person has six passes to renew. @param takesAfterMs how long after the message that asks for it they take a quiz */
async function messagesInAYear(takesAfterMs: number) {
  const plan = (quizId: string) => ({
    ...standingRule,
    escalateAfterMs: null,
    quiz: { id: quizId, name: quizId },
    audience: [`user:${userId}`],
    members: [plannedMember(userId, { personId: 'UROSA', state: 'done', validUntil: monday + 60 * dayMs })],
  });
  const bed = await openCampaign({ plan: plan('q-1') });
  const assigned = quizzes.map((quiz_id) => ({ quiz_id, name: quiz_id, date_assigned: null }));
  bed.users.set(userId, quizUser({ user_id: userId, user_name: 'rosa@quiz.example', quizzes: assigned }));
  for (const quizId of quizzes.slice(1)) await bed.service.start(campaignPlan(plan(quizId)), 'UTOM', null);
  const person = openPersonQueue({
    outbox: bed.outbox,
    messageNow: bed.campaigns.messageNow,
    running: quizzes.map((_, index) => `c-${index + 1}`),
  });
  const passes = (quizId: string, at: number) =>
    bed.responses.push(
      quizResponse({
        response_id: `${quizId} ${at}`,
        quiz_id: quizId,
        user_id: userId,
        user_name: 'rosa@quiz.example',
        date_submitted: new Date(at),
      }),
    );
  // Two of them end in the same days.
  for (const [index, days] of [300, 299, 250, 200, 120, 60].entries()) passes(quizzes[index]!, monday - days * dayMs);

  const toTake = new Map<string, number>();
  let read = 0;
  let nextAt = monday;
  for (let now = monday; now < monday + 365 * dayMs; now += 3 * hourMs) {
    await bed.until(now);
    person.clock.now = now;
    for (let at: number | undefined = Math.min(nextAt, now); at !== undefined && at <= now;) {
      at = await person.run();
      nextAt = at ?? now;
    }
    for (const { announcement } of person.posted.slice(read))
      if (announcement.kind === 'campaign-notices')
        for (const { quizId } of announcement.notices) if (!toTake.has(quizId)) toTake.set(quizId, now + takesAfterMs);
    read = person.posted.length;
    for (const [quizId, at] of toTake) {
      if (at > now) continue;
      toTake.delete(quizId);
      passes(quizId, now);
      const result = { outcome: 'passed', percentage: 90, submittedAt: now } as const;
      const event = { kind: 'result', userId, responseId: `${quizId} ${now}`, result, at: now } as const;
      await bed.put(event, `c-${quizzes.indexOf(quizId) + 1}`);
      bed.outbox.putNow(resultFor({ userId }, { submission: submission({ quizId }), teamId: 'T1', at: now }));
    }
  }
  const notices = person.posted.filter(({ announcement }) => announcement.kind === 'campaign-notices');
  return { all: person.posted.length, notices: notices.map(({ at }) => dayOf(at)) };
}

test('six quizzes are fewer than 15 messages in a year to somebody punctual, results among them', async () => {
  const { all, notices } = await messagesInAYear(2 * dayMs);
  expect(notices.length).toBeGreaterThan(4);
  expect(all).toBeLessThan(15);
});

test('whoever takes quizzes late is asked at most once a day, over all campaigns', async () => {
  const { notices } = await messagesInAYear(40 * dayMs);
  expect(notices.length).toBeGreaterThan(20);
  expect(new Set(notices).size).toBe(notices.length);
});
