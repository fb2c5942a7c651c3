import { expect, test, describe } from 'vitest';
import { everything } from '../../../../src/governance/rights/rights.ts';
import { addToCampaign, approvalToAdd } from '../../../../src/features/campaigns/operations/add.ts';
import type { Campaign } from '../../../../src/domain/campaign.ts';
import type { OperationContext, Right } from '../../../../src/operations/context.ts';
import type { AudiencePart } from '../../../../src/operations/fields/people.ts';
import type { DoneResult } from '../../../../src/operations/page.ts';
import type { QuizResponse } from '../../../../src/quiz-api/responses.ts';
import { plainSentence } from '../../../../src/domain/said.ts';
import { campaignMember, campaignOf } from '../../../support/builders/campaigns.ts';
import { quizResponse } from '../../../support/builders/responses.ts';
import { quizUser } from '../../../support/builders/users.ts';
import { policyDecision } from '../../../../src/governance/rights/policy.ts';
import { approvalFor } from '../../../../src/features/campaigns/operations/who-takes-part.ts';

const lea = quizUser({ user_id: 'u-lea' });

/** Adds Lea, who is not suspended, by a decision on these people. `changes` are the requests that changed something. */
async function addLea(
  people: AudiencePart['people'],
  ofLea: readonly QuizResponse[] = [],
  members = [campaignMember('u-1')],
) {
  const changes: string[] = [];
  const read: unknown[] = [];
  /** What the campaign gets. */
  const order: string[] = [];
  const responses = [quizResponse({ user_id: 'u-1' }), ...ofLea];
  const context = {
    api: {
      quizzes: { groups: async () => [] },
      responses: { list: async () => responses },
      users: { assignQuiz: async (userId: string) => void changes.push(`assign to ${userId}`) },
    },
    directory: { users: { fresh: async () => [lea], edit: () => {} }, quizGroups: { put: () => {} } },
    campaigns: {
      async takeIn({ id }: Campaign, taken: { members: readonly { userId: string }[] }) {
        order.push('add');
        changes.push(`${taken.members.map(({ userId }) => userId).join()} into ${id}`);
      },
      async putRead({ id }: Campaign, results: unknown) {
        order.push('read');
        read.push([id, results]);
      },
    },
    reach: async () => new Map(),
    visibility: everything,
    actor: {},
    platform: { name: 'Slack' },
    timeZone: 'Etc/UTC',
    call: {},
    now: () => 7,
  } as unknown as OperationContext;
  const campaign = campaignOf({ members });
  const { message } = (await addToCampaign.run(context, {
    people: [{ kind: 'user', user: lea, people }],
    campaign,
  })) as DoneResult;
  return {
    changes,
    order,
    message: plainSentence(message),
    read,
    known: [[campaign.id, { users: [lea], responses, since: 7 }]],
  };
}

test('adds people before the campaign gets to know that everybody else has passed, which would end it', async () => {
  expect((await addLea([{ userId: 'u-lea', isTrained: true }])).order).toEqual(['add', 'read']);
});

test('adds the people whom the decision was about, and not one who was suspended then', async () => {
  expect((await addLea([{ userId: 'u-lea', isTrained: true }])).changes).toEqual(['assign to u-lea', 'u-lea into c-1']);
  expect((await addLea([])).changes).toEqual([]);
});

test('says when the person who isn’t added passed', async () => {
  const attempts = [8, 13].map((day) =>
    quizResponse({ user_id: 'u-lea', user_name: lea.user_name, date_submitted: new Date(Date.UTC(2026, 10, day, 9)) }),
  );
  expect(await addLea([{ userId: 'u-lea', isTrained: true }], attempts)).toMatchObject({
    changes: [],
    message: '“Rosa Almeida” passed “Fire safety” on Fri 13 Nov 2026. Nobody was added.',
  });
});

test('a member who could not get the quiz gets it, and the messages', async () => {
  const members = [campaignMember('u-lea', { name: 'Rosa Almeida', assignment: 'failed' })];
  expect(await addLea([], [], members)).toMatchObject({
    changes: ['assign to u-lea', 'u-lea into c-1'],
    message: 'Assigned “Fire safety” to “Rosa Almeida”. They get the messages of its campaign now.',
  });
});

test('the campaign gets to know what was read for it', async () => {
  const { read, known } = await addLea([]);
  expect(read).toEqual(known);
});

const administrator: ReadonlySet<Right> = new Set(['known', 'staff', 'edit_quizzes', 'administrator']);
const trainer: ReadonlySet<Right> = new Set(['known', 'staff', 'edit_quizzes']);

const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `u-${from + index}`);
const campaignWith = (count: number) => campaignOf({ members: idsOf(count).map((userId) => campaignMember(userId)) });
const groupOf = (userIds: readonly string[], isTrained = true): AudiencePart => ({
  kind: 'group',
  group: { group_id: 'g-1', group_name: 'Kitchen' },
  people: userIds.map((userId) => ({ userId, isTrained })),
});

describe('a campaign is started or gets more people', () => {
  test.each([
    [100, true, null],
    [100, false, 'other people'],
    [101, true, 'many people'],
    [101, false, 'many people'],
  ])('with %s people, whom the person trains: %s', (count, isTrained, approval) => {
    expect(approvalFor(idsOf(count).map(() => ({ isTrained })))).toBe(approval);
    for (const already of [1, 99])
      expect(approvalToAdd([groupOf(idsOf(count - already, already), isTrained)], campaignWith(already))).toBe(
        approval,
      );
  });

  test('and people who are in it already, or come twice, count once', () => {
    expect(approvalToAdd([groupOf(idsOf(60, 40)), groupOf(idsOf(50, 50))], campaignWith(50))).toBe(null);
    expect(approvalToAdd([groupOf(idsOf(1, 3), false)], campaignWith(100))).toBe(null);
  });

  test.each([
    ['trained people', groupOf(idsOf(5, 10)), 10, 'at once', 'at once'],
    ['other people', groupOf(idsOf(5, 10), false), 10, 'at once', 'approval'],
    ['more than 100 people', groupOf(idsOf(5, 98)), 98, 'approval', 'approval'],
  ] as const)('an administrator and a trainer who add %s', (_, part, already, ofAdministrator, ofTrainer) => {
    const input = { people: [part], campaign: campaignWith(already) };
    expect(policyDecision(addToCampaign, input, administrator)).toBe(ofAdministrator);
    expect(policyDecision(addToCampaign, input, trainer)).toBe(ofTrainer);
  });
});
