import { expect, test } from 'vitest';
import type { CampaignSummary } from '../../../src/domain/campaign.ts';
import type { NewQueueEntry } from '../../../src/domain/queue-entry.ts';
import { changedParts, createAudienceSignals } from '../../../src/features/campaigns/audience-signals.ts';
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
  let now = monday;
  let isAway = false;
  const put: NewQueueEntry[] = [];
  const tell = createAudienceSignals({
    lists: { recent: async () => campaigns },
    async put(entries) {
      if (isAway) throw new Error('the store is away');
      put.push(...entries);
    },
    now: () => now,
  });
  return {
    tell: async (...parts: string[]) => tell('T1', parts),
    wait: (ms: number) => (now += ms),
    setAway: (is: boolean) => (isAway = is),
    told: () =>
      put
        .splice(0)
        .map(({ queue, content }) =>
          content.kind === 'campaign-event' && content.event.kind === 'audience-changed'
            ? `${queue} ${content.event.parts.join(' ')}`
            : content.kind,
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
  expect(told()).toEqual(['campaign/T1/kitchen channel:C1 group:g-1']);
  await tell('account');
  expect(told()).toEqual(['campaign/T1/kitchen account', 'campaign/T1/office account']);
});

test('forty joins in a row are one event, and one after the comparison may have begun is another', async () => {
  const { tell, told, wait } = open(summary('kitchen', { watches: ['channel:C1'] }));
  for (let count = 0; count < 40; count += 1) {
    await tell('channel:C1');
    wait(1_000);
  }
  expect(told()).toHaveLength(1);
  wait(10_000);
  await tell('channel:C1');
  expect(told()).toHaveLength(1);
});

test('what could not be stored is told with the next change', async () => {
  const { tell, told, setAway } = open(summary('kitchen', { watches: ['channel:C1'] }));
  setAway(true);
  await expect(tell('channel:C1')).rejects.toThrow('away');
  setAway(false);
  await tell('channel:C1');
  expect(told()).toHaveLength(1);
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
