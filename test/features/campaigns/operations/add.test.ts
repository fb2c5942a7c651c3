import { expect, test } from 'vitest';
import { everything } from '../../../../src/governance/rights/rights.ts';
import { addToCampaign } from '../../../../src/features/campaigns/operations/add.ts';
import type { Campaign } from '../../../../src/domain/campaign.ts';
import type { OperationContext } from '../../../../src/operations/context.ts';
import type { AudiencePart } from '../../../../src/operations/fields/people.ts';
import type { DoneResult } from '../../../../src/operations/operation-result.ts';
import type { QuizResponse } from '../../../../src/quiz-api/responses.ts';
import { plainSentence } from '../../../../src/domain/sentence.ts';
import { campaignMember, campaignOf } from '../../../support/builders/campaigns.ts';
import { quizResponse } from '../../../support/builders/responses.ts';
import { quizUser } from '../../../support/builders/users.ts';

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
