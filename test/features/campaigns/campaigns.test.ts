import { describe, expect, test } from 'vitest';
import { createSharedState } from '../../../src/durable/mail.ts';
import { createMemoryMail } from '../../support/memory-outbox.ts';
import { createCampaignLists } from '../../../src/features/campaigns/campaign-service.ts';
import { personQueue } from '../../../src/domain/queues.ts';
import type { CampaignState } from '../../../src/features/campaigns/stored-campaign.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import { submission } from '../../support/builders/alerts.ts';
import { assignRow } from '../../support/builders/rows.ts';
import { campaignPlan, dayMs, monday, plannedMember, retentionMs } from '../../support/builders/campaigns.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { openCampaign } from '../../support/campaign-bed.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const call = { operation: 'listResponses', method: 'GET', path: '/' } as const;
const passed = (userId: string) =>
  ({
    kind: 'result',
    userId,
    responseId: `r-${userId}`,
    result: { outcome: 'passed', percentage: 90, submittedAt: monday },
  }) as const;
const excused = (userId: string) =>
  ({ kind: 'excuse', userIds: [userId], by: 'UTOM', reason: 'On leave', at: monday, until: null }) as const;

const notice = {
  kind: 'campaign-notice',
  campaignId: 'c-1',
  quizId: 'q-1',
  quizName: 'Fire safety',
  by: 'UTOM',
  dueAt: null,
  isReminder: true,
} as const;

describe.each([false, true])('a campaign (the store loses answers: %s)', (losesAnswers) => {
  test('writes to people once, reminds those who are missing, and names them to the lead', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + dayMs);
    campaign.responses.push(quizResponse({ user_id: 'rosa', date_submitted: new Date(monday + dayMs) }));
    await campaign.until(monday + 18 * dayMs);
    expect(await campaign.messagesTo('rosa')).toEqual(['campaign-notice 11-23T10:00']);
    expect(await campaign.messagesTo('kim')).toEqual([
      'campaign-notice 11-23T10:00',
      'campaign-notice reminder 11-30T10:00',
      'campaign-notice reminder 12-07T09:00',
      'campaign-notice reminder 12-08T10:00',
      'campaign-notice reminder 12-09T10:00',
      'campaign-notice reminder 12-10T10:00',
      'campaign-notice reminder 12-11T10:00',
    ]);
    expect(await campaign.messagesTo('tom')).toEqual(['campaign-escalation 12-10T10:00']);
  });

  test('sends a lead who is missing the escalation in place of the reminder of that day', async () => {
    const campaign = await openCampaign({ losesAnswers, plan: { leads: ['kim'], timeZone: 'UTC' } });
    const staff = { user_type: 'trainer', edit_quizzes: true };
    campaign.users.set('kim', { ...campaign.users.get('kim')!, ...staff });
    await campaign.until(monday + 18 * dayMs);
    expect((await campaign.messagesTo('kim')).slice(-4)).toEqual([
      'campaign-notice reminder 12-08T10:00',
      'campaign-notice reminder 12-09T10:00',
      'campaign-escalation 12-10T10:00',
      'campaign-notice reminder 12-11T10:00',
    ]);
    expect((await campaign.messagesTo('rosa')).at(-2)).toBe('campaign-notice reminder 12-10T10:00');
    const escalation = (await campaign.outbox.waiting(personQueue('T1', 'kim'), { limit: 100 })).find(
      ({ content }) => content.kind === 'campaign-escalation',
    );
    expect(escalation?.content).toMatchObject({ ownQuizId: 'q-1', missing: 2 });
  });

  test('keeps what a person did whose user is deleted, though the service has it no more', async () => {
    const campaign = await openCampaign();
    campaign.responses.push(quizResponse({ user_id: 'rosa', response_id: 'r-rosa', date_submitted: new Date(monday) }));
    await campaign.until(monday + dayMs);
    campaign.users.delete('rosa');
    campaign.responses.splice(0);
    await campaign.until(monday + 8 * dayMs);
    const asked = (await campaign.campaign())!;
    for (const { members } of [asked, (await campaign.service.readNow(asked, {})).campaign])
      expect(members[0]).toMatchObject({ name: 'rosa', attempts: [{ outcome: 'passed', responseId: 'r-rosa' }] });
  });

  test('keeps an attempt that the service has, where the address of the person has changed', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + hourMs);
    campaign.responses.push(
      quizResponse({
        user_id: null,
        email_address: 'old@quiz.example',
        response_id: 'r-rosa',
        date_submitted: new Date(monday),
      }),
    );
    await campaign.put({ ...passed('rosa'), at: monday + hourMs });
    await campaign.until(monday + 8 * dayMs);
    expect((await campaign.campaign())?.members[0]?.attempts[0]?.outcome).toBe('passed');
  });

  test('knows at once of an attempt that the bot deletes, and of a webhook before the service lists its response', async () => {
    const campaign = await openCampaign({ losesAnswers });
    const outcome = async () => (await campaign.campaign())?.members[0]?.attempts[0]?.outcome;
    await campaign.until(monday + hourMs);
    await campaign.put({ ...passed('rosa'), at: monday + hourMs });
    expect(await outcome()).toBe('passed');
    await campaign.put({ kind: 'read', since: monday + hourMs + 60_000, results: [] });
    expect(await outcome()).toBe('passed');
    await campaign.put({ kind: 'deleted', responseId: 'r-rosa' });
    expect(await outcome()).toBeUndefined();
  });

  test('takes results as they come, ends when nobody is missing, and says so on the record', async () => {
    const campaign = await openCampaign({ losesAnswers });
    await campaign.until(monday + dayMs);
    campaign.responses.push(quizResponse({ user_id: 'rosa', response_id: 'r-rosa', date_submitted: new Date(monday) }));
    await campaign.put(passed('rosa'));
    await campaign.put(excused('kim'));
    await campaign.until(monday + 2 * dayMs);
    expect(await campaign.campaign()).toMatchObject({
      endedAt: monday + dayMs,
      members: [{ attempts: [{ outcome: 'passed' }] }, { excused: { reason: 'On leave' } }],
    });
    expect(await campaign.service.all()).toMatchObject([{ id: 'c-1', endedAt: monday + dayMs }]);
    expect(campaign.audited.at(-1)).toMatchObject({
      operation: 'end-campaign',
      change: expect.stringMatching('record the end of the campaign'),
      correlationId: 'c-1',
      details: expect.arrayContaining([
        { label: 'Done', value: '1' },
        { label: 'Excused', value: '1' },
      ]),
    });
    expect(campaign.audited.at(-1)?.by).toBeUndefined();
    await campaign.until(monday + 20 * dayMs);
    expect(await campaign.messagesTo('kim')).toEqual(['campaign-notice 11-23T10:00']);
    expect(await campaign.outbox.queues()).not.toContainEqual(expect.objectContaining({ queue: 'campaign/T1/c-1' }));
  });
});

test('the responses are read at the start and once for each round of reminders', async () => {
  const campaign = await openCampaign();
  await campaign.until(monday + 14 * dayMs - 1);
  expect(campaign.reads()).toBe(3);
});

test.each([
  ['does not answer', () => new QuizApiError('no connection', call, 'failed'), 60_000],
  [
    'has no requests left',
    () => new QuizApiError('budget spent', call, 'was not sent', { availableAt: new Date(monday + hourMs) }),
    hourMs,
  ],
])('where the service %s, messages wait, and events are still taken', async (_, error, laterMs) => {
  let failures = 1;
  const campaign = await openCampaign({
    ask: async () => {
      failures -= 1;
      if (failures >= 0) throw error();
    },
  });
  await campaign.until(monday + 1_000);
  await campaign.put(excused('kim'));
  await campaign.until(monday + laterMs - 1);
  expect(await campaign.overdueSince()).toBe(monday);
  expect([await campaign.messagesTo('rosa'), (await campaign.campaign())?.members[1]?.excused?.reason]).toEqual([
    [],
    'On leave',
  ]);
  await campaign.until(monday + laterMs);
  expect(await campaign.messagesTo('rosa')).toHaveLength(1);
  expect(await campaign.overdueSince()).toBeUndefined();
});

describe('the quiz is assigned', () => {
  const toAssign = { assign: { groups: [{ id: 'g-1', name: 'Kitchen' }], users: [{ id: 'kim', name: 'Kim' }] } };
  const members = campaignPlan().members.map((member) =>
    member.userId === 'rosa' ? { ...member, groups: ['Kitchen'] } : member,
  );
  const groupRow = assignRow('q-1', { groupId: 'g-1' }, { name: 'Kitchen' });
  const userRow = assignRow('q-1', { userId: 'kim' }, { name: 'Kim' });

  test('in one step with the start, groups first, by the rights of the person who starts it, and the board shows how far it is', async () => {
    const { batch, campaign, outbox } = await openCampaign({
      plan: { ...toAssign, members, board: { channelId: 'CBOARD', showsNames: true } },
    });
    expect(batch).toMatchObject({
      by: 'UTOM',
      liveId: 'campaign-c-1',
      plan: {
        rows: [
          { name: 'Kitchen', changes: groupRow.changes },
          { name: 'Kim', changes: userRow.changes },
        ],
        operation: 'start-campaign',
      },
    });
    expect(batch.plan?.action).toBe('assign \u2068Fire safety\u2069 to 1 group and 1 person');
    expect(await outbox.waiting('batch/T1/b-1', { limit: 5 })).toHaveLength(1);
    expect(await campaign()).toMatchObject({
      assigning: { batchId: 'b-1' },
      members: [{ assignment: 'waiting' }, { assignment: 'waiting' }],
    });
  });

  test('before the first message to each member, and a member who did not get it gets no message', async () => {
    const campaign = await openCampaign({ plan: { ...toAssign, members } });
    await campaign.until(monday + hourMs);
    expect([await campaign.messagesTo('rosa'), await campaign.messagesTo('kim')]).toEqual([[], []]);
    campaign.batch.rows = {
      state: 'running',
      rows: [
        { row: groupRow, outcome: { kind: 'done' } },
        { row: userRow, outcome: { kind: 'trying' } },
      ],
    };
    await campaign.until(monday + 2 * hourMs);
    expect([await campaign.messagesTo('rosa'), await campaign.messagesTo('kim')]).toEqual([
      ['campaign-notice 11-23T11:00'],
      [],
    ]);
    campaign.batch.rows = {
      state: 'finished',
      rows: [
        { row: groupRow, outcome: { kind: 'done' } },
        { row: userRow, outcome: { kind: 'failed', error: 'No such user.' } },
      ],
    };
    await campaign.until(monday + 20 * dayMs);
    expect(await campaign.messagesTo('kim')).toEqual([]);
    expect((await campaign.campaign())?.members.map(({ assignment }) => assignment)).toEqual(['has', 'failed']);
    const news = await campaign.contentsTo('tom');
    expect(news.filter(({ kind }) => kind === 'note')).toMatchObject([
      {
        campaignId: 'c-1',
        note: {
          heading: expect.stringContaining(
            '*Fire safety* couldn’t be assigned to kim, so its campaign sends them nothing.',
          ),
          steps: [
            { label: 'Try again', input: { campaign: ['c-1'], people: ['user:kim'] } },
            { label: 'Get result', input: { batch: ['b-1'] } },
            { label: 'View all' },
          ],
        },
      },
    ]);
  });

  test('and who started the campaign is told each time that assigning stops', async () => {
    const campaign = await openCampaign({ plan: { ...toAssign, members } });
    const rows = [
      { row: groupRow, outcome: { kind: 'waiting' } as const },
      { row: userRow, outcome: { kind: 'waiting' } as const },
    ];
    const stopped = async () =>
      (await campaign.notesTo('tom')).filter((heading) => heading.includes('for its campaign has stopped'));
    campaign.batch.rows = { state: 'stopped', rows };
    await campaign.until(monday + hourMs);
    expect(await stopped()).toHaveLength(1);
    campaign.batch.rows = { state: 'running', rows };
    await campaign.until(monday + 2 * hourMs);
    expect((await campaign.campaign())?.assigning).toMatchObject({ isStopped: false });
    campaign.batch.rows = { state: 'stopped', rows };
    await campaign.until(monday + 3 * hourMs);
    expect(await stopped()).toHaveLength(2);
  });
});

describe('the board', () => {
  const board = { channelId: 'C1', showsNames: true };

  test('shows the campaign with what waits to be applied, and is final at the end', async () => {
    const { campaigns, put, until, refreshes } = await openCampaign({ plan: { board } });
    await put(passed('rosa'));
    expect(await campaigns.live('T1', 'campaign-c-1')).toMatchObject({
      to: { channelId: 'C1' },
      isFinal: false,
      announcement: { kind: 'campaign-board', campaign: { members: [{ attempts: [{ outcome: 'passed' }] }, {}] } },
    });
    expect(await campaigns.live('T1', 'campaign-end-c-1')).toBeUndefined();
    await put({ kind: 'end', at: monday + 5 });
    await until(monday + hourMs);
    expect(await campaigns.live('T1', 'campaign-c-1')).toMatchObject({ isFinal: true });
    expect(await campaigns.live('T1', 'campaign-end-c-1')).toMatchObject({
      to: { channelId: 'C1' },
      isFinal: true,
      announcement: { kind: 'campaign-end' },
    });
    expect(await refreshes('campaign-end-c-1')).toEqual(['11-23T10:00']);
  });

  test('shows every 5 seconds how far the quiz is assigned', async () => {
    const campaign = await openCampaign({
      plan: { board, assign: { groups: [], users: [{ id: 'kim', name: 'Kim' }] } },
    });
    const batch = {
      id: 'b-1',
      action: 'assign Fire safety to 1 person',
      ownerId: 'UTOM',
      state: 'running',
      startedAt: monday,
      endedAt: null,
    } as const;
    campaign.batch.progress = { batch, total: 1, done: 0, failed: 0, skipped: 0, readyAt: undefined };
    expect(await campaign.campaigns.live('T1', 'campaign-c-1')).toMatchObject({
      announcement: { assigning: { total: 1, done: 0 } },
    });
    await campaign.until(monday + 60_000);
    const before = (await campaign.refreshes('campaign-c-1')).length;
    await campaign.until(monday + 120_000);
    expect((await campaign.refreshes('campaign-c-1')).length - before).toBe(12);
  });

  test('of a campaign without a channel is not there, and the owner gets the final post', async () => {
    const { campaigns, put, until } = await openCampaign();
    await put({ kind: 'end', at: monday + 5 });
    await until(monday + hourMs);
    expect(await campaigns.live('T1', 'campaign-c-1')).toBeUndefined();
    expect(await campaigns.live('T1', 'campaign-end-c-1')).toMatchObject({ to: { personId: 'UTOM' } });
    expect(await campaigns.live('T1', 'campaign-gone')).toBeUndefined();
  });
});

test('people are kept by themselves while their campaign runs, and with it afterwards', async () => {
  const { outbox, campaign, put, until } = await openCampaign();
  const queue = 'campaign/T1/c-1';
  await until(monday + minuteMs);
  const { version, state, parts } = await outbox.stateWithParts(queue);
  const running = state as CampaignState;
  const members = (await campaign())!.members;
  expect([running.campaign.members, [...parts.values()]]).toEqual([[], members]);
  const whole = { ...running, campaign: { ...running.campaign, members } };
  await outbox.commit(queue, { version, state: whole, isBusy: true, parts: { count: 0, changed: new Map() } });
  await put(passed('rosa'));
  await until(monday + 2 * minuteMs);
  expect((await campaign())!.members).toMatchObject([
    { userId: 'rosa', attempts: [{ outcome: 'passed' }] },
    members[1],
  ]);
  expect((await outbox.stateWithParts(queue)).parts.size).toBe(2);
  await put({ kind: 'end', at: monday + 3 * minuteMs });
  await until(monday + 4 * minuteMs);
  const ended = await outbox.stateWithParts(queue);
  expect([(ended.state as CampaignState).campaign, ended.parts.size]).toEqual([await campaign(), 0]);
});

test('the messages of a round do not read the people of their campaign from the store again, also after it has changed', async () => {
  const { campaigns, put, until, stateReads } = await openCampaign();
  const readsOf = async (userIds: readonly string[]) => {
    const before = stateReads();
    const answers = [];
    for (const userId of userIds)
      answers.push((await campaigns.messageNow('T1', notice, { userId, handedAt: monday })) !== undefined);
    return { answers, reads: stateReads() - before };
  };
  await until(monday + minuteMs);
  expect(await readsOf(['rosa', 'kim', 'tom', 'kim'])).toEqual({ answers: [true, true, false, true], reads: 0 });
  await put(passed('rosa'));
  await until(monday + 2 * minuteMs);
  expect(await readsOf(['rosa', 'kim', 'rosa'])).toEqual({ answers: [false, true, false], reads: 0 });
});

test('messages that have waited have their campaign read once more, since a webhook can be lost meanwhile', async () => {
  const { campaigns, responses, quiz, reads, until } = await openCampaign();
  const areWanted = async () => {
    const before = reads();
    const isWanted = async (userId: string) =>
      (await campaigns.messageNow('T1', notice, { userId, handedAt: monday })) !== undefined;
    return { answers: await Promise.all([isWanted('rosa'), isWanted('kim')]), reads: reads() - before };
  };
  await until(monday + minuteMs);
  responses.push(quizResponse({ response_id: 'r-1', user_id: 'rosa' }));
  expect(await areWanted()).toEqual({ answers: [true, true], reads: 0 });
  await until(monday + hourMs);
  expect(await areWanted()).toEqual({ answers: [false, true], reads: 1 });
  expect(await areWanted()).toEqual({ answers: [false, true], reads: 0 });
  quiz.status = 'closed';
  await until(monday + 2 * hourMs);
  expect(await areWanted()).toEqual({ answers: [false, false], reads: 1 });
});

describe('submissions', () => {
  test('reach every running campaign of their quiz', async () => {
    const { campaigns, service, put, until } = await openCampaign();
    await service.start(campaignPlan(), 'UTOM', null);
    await service.start(campaignPlan({ quiz: { id: 'q-2', name: 'Hygiene' } }), 'UTOM', null);
    const queues = async () =>
      (await campaigns.entriesFor('T1', submission({ quizId: 'q-1' }), 'rosa')).map(({ queue }) => queue);
    expect(await queues()).toEqual(['campaign/T1/c-2', 'campaign/T1/c-1']);
    await put({ kind: 'end', at: monday });
    await until(monday + 5);
    expect(await queues()).toEqual(['campaign/T1/c-2']);
  });

  test('leave the list as long after their end as they are kept, and never for a clock that is suddenly ahead', async () => {
    const { service, put, until, outbox } = await openCampaign();
    await put({ kind: 'end', at: monday });
    await until(monday + dayMs);
    const idsAt = async (now: number, steadyNow: number) => {
      const lists = createCampaignLists({
        shared: createSharedState({ outbox, mail: createMemoryMail(outbox) }),
        retentionMs,
        now: () => now,
        steadyNow: () => steadyNow,
      });
      const shown = await lists.of('T1');
      await lists.change('T1', (campaigns) => ({ campaigns }));
      expect(await lists.of('T1')).toEqual(shown);
      return shown.map(({ id }) => id);
    };
    await service.start(campaignPlan(), 'UTOM', null);
    const late = monday + retentionMs + dayMs;
    expect(await idsAt(late, monday + retentionMs - 1)).toEqual(['c-2', 'c-1']);
    expect(await idsAt(late, late)).toEqual(['c-2']);
  });
});

describe('results of a campaign of many', () => {
  const userIds = Array.from({ length: 200 }, (_, number) => `u-${number}`);
  const members = userIds.map((userId) => plannedMember(userId, { personId: null }));
  const board = { channelId: 'C7', showsNames: true };
  const id = 'campaign-c-1';

  async function openLarge() {
    const campaign = await openCampaign({ plan: { members, board } });
    await campaign.until(monday + minuteMs);
    return { ...campaign, version: () => campaign.outbox.versionOf('campaign/T1/c-1') };
  }

  test('are kept together, since its whole state is kept with them', async () => {
    const { put, until, version } = await openLarge();
    const before = await version();
    for (let number = 0; number < 10; number += 1) {
      await put(passed(`u-${number}`));
      await until(monday + minuteMs + number * 100);
    }
    expect(await version()).toBe(before);
    await until(monday + minuteMs + 2_000);
    expect(await version()).toBe(before + 1);
  });

  test('are seen at once all the same, also on its board', async () => {
    const { put, until, campaign, refreshes } = await openLarge();
    const shown = (await refreshes(id)).length;
    await put(passed('u-3'));
    await until(monday + minuteMs + 1);
    expect((await campaign())?.members[3]?.attempts[0]?.outcome).toBe('passed');
    expect(await refreshes(id)).toHaveLength(shown + 1);
  });

  test('are kept at once with what else happens', async () => {
    const { put, until, version } = await openLarge();
    const before = await version();
    await put(passed('u-3'));
    await put(excused('u-4'));
    await until(monday + minuteMs + 1);
    expect(await version()).toBe(before + 1);
  });
});
