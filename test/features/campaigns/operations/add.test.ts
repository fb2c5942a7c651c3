import { expect, test } from 'vitest';
import { everything } from '../../../../src/governance/rights/visibility.ts';
import { addToCampaign } from '../../../../src/features/campaigns/operations/add.ts';
import type { AnyContext } from '../../../../src/operations/context.ts';
import type { AudiencePart } from '../../../../src/operations/fields/audience.ts';
import { campaignMember, campaignOf } from '../../../support/builders/campaigns.ts';
import { quizUser } from '../../../support/builders/users.ts';

const lea = quizUser({ user_id: 'u-lea' });

/** Adds Lea, who is not suspended, by a decision on these people. @returns the requests that changed something */
async function addLea(people: AudiencePart['people']): Promise<string[]> {
  const changes: string[] = [];
  const context = {
    api: {
      quizzes: { groups: async () => [] },
      responses: { list: async () => [] },
      users: { assignQuiz: async (userId: string) => void changes.push(`assign to ${userId}`) },
    },
    directory: { users: { fresh: async () => [lea], edit: () => {} }, quizGroups: { put: () => {} } },
    campaigns: { put: async (id: string) => void changes.push(`add to ${id}`) },
    reach: async () => new Map(),
    visibility: everything,
    platform: { name: 'Slack' },
    timeZone: 'Etc/UTC',
    call: {},
    now: () => 0,
  } as unknown as AnyContext;
  const campaign = campaignOf({ members: [campaignMember('u-1')] });
  await addToCampaign.run(context, { people: [{ kind: 'user', user: lea, people }], campaign });
  return changes;
}

test('adds the people whom the decision was about, and not one who was suspended then', async () => {
  expect(await addLea([{ userId: 'u-lea', isTrained: true }])).toEqual([
    'assign to u-lea',
    expect.stringMatching('add to'),
  ]);
  expect(await addLea([])).toEqual([]);
});
