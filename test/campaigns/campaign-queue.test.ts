import { describe, expect, test } from 'vitest';
import { personQueue } from '../../src/domain/queue-names.ts';
import { createCampaignQueue, isStillWanted, type CampaignState } from '../../src/campaigns/campaign-queue.ts';
import type { CampaignEvent } from '../../src/domain/campaign.ts';
import type { QuizResponse } from '../../src/quiz-api/responses.ts';
import { campaignOf, dayMs, monday } from '../support/builders/campaigns.ts';
import { quizResponse } from '../support/builders/responses.ts';
import { quizUser } from '../support/builders/users.ts';
import { recordingLog } from '../support/log.ts';
import { createMemoryOutbox } from '../support/memory-outbox.ts';

const queue = 'campaign/T1/c-1';

/** A campaign that is carried on as time goes by. `losesAnswers`: the store makes each change and fails to say so, now and then. */
async function openCampaign({ losesAnswers = false } = {}) {
  const outbox = createMemoryOutbox();
  let now = monday;
  let commits = 0;
  const responses: QuizResponse[] = [];
  let reads = 0;
  const commit: typeof outbox.commit = async (...change) => {
    const isKept = await outbox.commit(...change);
    commits += 1;
    if (losesAnswers && commits % 3 === 0) throw new Error('the answer is lost');
    return isKept;
  };
  const run = createCampaignQueue({
    outbox: { ...outbox, commit },
    responses: {
      async list() {
        reads += 1;
        return responses;
      },
    },
    users: async (userIds) => userIds.map((user_id) => quizUser({ user_id, user_name: `${user_id}@quiz.example`, email_address: '' })),
    holidays: new Set(),
    wake: async () => {},
    log: recordingLog().log,
    now: () => now,
  });
  await outbox.commit(queue, { version: 0, state: { campaign: campaignOf(), askedAt: 0 } satisfies CampaignState, isBusy: true });

  return {
    responses,
    reads: () => reads,
    put: (event: CampaignEvent) => outbox.put([{ queue, subscriptionId: '', at: now, content: { kind: 'campaign-event', event } }]),
    state: async () => (await outbox.stateOf<CampaignState>(queue)).state,
    /** Lets the time pass, as the queues would run the campaign. */
    async until(moment: number) {
      for (;;) {
        const next = await run(queue).catch(() => now);
        if (next === undefined || next > moment) break;
        now = Math.max(now, next);
      }
      now = moment;
    },
    messagesTo: async (userId: string) =>
      (await outbox.waiting(personQueue('T1', userId), { limit: 1_000 })).map(({ at, content }) => `${content.kind}${'isReminder' in content && content.isReminder ? ' reminder' : ''} ${new Date(at).toISOString().slice(5, 16)}`),
  };
}

describe.each([false, true])('a campaign (the store loses answers: %s)', (losesAnswers) => {
  test('writes to people once, reminds those who are missing, and names them to the lead', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + dayMs);
    campaign.responses.push(quizResponse({ user_id: 'rosa', date_submitted: new Date(monday + dayMs) }));
    await campaign.until(monday + 18 * dayMs);
    expect(await campaign.messagesTo('rosa')).toEqual(['campaign-notice 11-23T10:00']);
    expect(await campaign.messagesTo('kim')).toEqual(['campaign-notice 11-23T10:00', 'campaign-notice reminder 11-30T10:00', 'campaign-notice reminder 12-07T09:00', 'campaign-notice reminder 12-08T10:00', 'campaign-notice reminder 12-09T10:00', 'campaign-notice reminder 12-10T10:00', 'campaign-notice reminder 12-11T10:00']);
    expect(await campaign.messagesTo('tom')).toEqual(['campaign-escalation 12-10T10:00']);
  });

  test('takes results as they come, and ends when nobody is missing', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + dayMs);
    await campaign.put({ kind: 'result', userId: 'rosa', responseId: 'r-1', result: { outcome: 'passed', percentage: 90, submittedAt: monday } });
    await campaign.put({ kind: 'excuse', userIds: ['kim'], by: 'UTOM', reason: 'On leave', at: monday });
    await campaign.until(monday + 2 * dayMs);
    expect((await campaign.state())?.campaign).toMatchObject({ endedAt: monday + dayMs, members: [{ result: { outcome: 'passed' } }, { excused: { reason: 'On leave' } }] });
    await campaign.until(monday + 20 * dayMs);
    expect(await campaign.messagesTo('kim')).toEqual(['campaign-notice 11-23T10:00']);
  });
});

test('the responses are read once for each round of reminders', async () => {
  const campaign = await openCampaign();
  await campaign.until(monday + 14 * dayMs - 1);
  expect(campaign.reads()).toBe(2);
});

test('a message whose turn comes late is dropped for a person who has taken the quiz meanwhile', async () => {
  const campaign = await openCampaign();
  const notice = { kind: 'campaign-notice', campaignId: 'c-1', quizId: 'q-1', quizName: 'Fire safety', by: 'UTOM', dueAt: null, isReminder: true } as const;
  expect(isStillWanted(notice, await campaign.state(), 'rosa')).toBe(true);
  await campaign.put({ kind: 'result', userId: 'rosa', responseId: 'r-1', result: { outcome: 'passed', percentage: 90, submittedAt: monday } });
  await campaign.until(monday + dayMs);
  expect(isStillWanted(notice, await campaign.state(), 'rosa')).toBe(false);
  expect(isStillWanted(notice, await campaign.state(), 'kim')).toBe(true);
  expect(isStillWanted(notice, undefined, 'kim')).toBe(false);
});
