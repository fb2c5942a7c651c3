import { expect, test } from 'vitest';
import type { CampaignSummary } from '../../../src/domain/campaign.ts';
import type { NewQueueEntry } from '../../../src/domain/queues.ts';
import { changedParts } from '../../../src/features/campaigns/audience.ts';
import { createAudienceSignals } from '../../../src/features/campaigns/campaigns.ts';
import { monday } from '../../support/builders/campaigns.ts';
import { quizUser } from '../../support/builders/users.ts';

const group = (group_id: string) => ({ group_id, group_name: group_id });
const summary = (id: string, overrides: Partial<CampaignSummary>): CampaignSummary => ({
  id,
  quiz: { id: 'q-1', name: 'Fire safety' },
  ownerId: 'UTOM',
  leads: [],
  startedAt: monday,
  endedAt: null,
  ...overrides,
});

function open(...campaigns: CampaignSummary[]) {
  const put: NewQueueEntry[] = [];
  const tell = createAudienceSignals({
    lists: { recent: async () => campaigns },
    async put(entries) {
      put.push(...entries);
    },
    now: () => monday,
  });
  return {
    tell: async (...parts: string[]) => tell('T1', parts),
    told: () =>
      put
        .splice(0)
        .map(({ queue, content }) =>
          content.kind === 'campaign-event' && content.event.kind === 'audience-changed' ? queue : content.kind,
        ),
  };
}

test('a part that changes is told to the campaigns that stand and name it, and a change of the account to all of them', async () => {
  const { tell, told } = open(
    summary('kitchen', { watches: ['group:g-1', 'channel:C1'] }),
    summary('office', { watches: ['group:g-2'] }),
    summary('round', {}),
    summary('over', { watches: ['group:g-1'], endedAt: monday }),
  );
  await tell('channel:C1', 'group:g-1', 'channel:C9');
  expect(told()).toEqual(['campaign/T1/kitchen']);
  await tell('account');
  expect(told()).toEqual(['campaign/T1/kitchen', 'campaign/T1/office']);
});

test('groups that a user joined or left have changed, and the account where a user came, went or was suspended', () => {
  const rosa = quizUser({ user_id: 'rosa', groups: [group('a'), group('b')] });
  const moved = { ...rosa, groups: [group('b'), group('c')] };
  expect(changedParts([{ before: rosa, after: moved }])).toEqual(['group:a', 'group:c']);
  expect(changedParts([{ before: rosa, after: { ...rosa, first_name: 'Rose' } }])).toEqual([]);
  expect(changedParts([{ before: rosa, after: { ...rosa, suspended: true } }])).toEqual(['account']);
  expect(changedParts([{ before: undefined, after: rosa }])).toEqual(['account', 'group:a', 'group:b']);
  expect(changedParts([{ before: rosa, after: undefined }])).toEqual(['account', 'group:a', 'group:b']);
});
