import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { Campaign, Candidate, CampaignSummary } from '../../../src/domain/campaign.ts';
import {
  atOnceMs,
  audienceChange,
  takenInAtMost,
  changedParts,
  createMembersSince,
  type AudienceNow,
} from '../../../src/features/campaigns/audience.ts';
import { campaignMember, dayMs, monday } from '../../support/builders/campaigns.ts';
import type { NewQueueEntry } from '../../../src/domain/queues.ts';
import { createAudienceSignals } from '../../../src/features/campaigns/campaigns.ts';
import { quizUser } from '../../support/builders/users.ts';
import type { MemberList } from '../../../src/operations/services/people.ts';
import { runs } from '../../support/drawn.ts';

type Members = Pick<Campaign, 'members' | 'candidates'>;

const now = monday + 10 * dayMs;
const crowd = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

function audience(
  userIds: readonly string[],
  {
    able = userIds,
    untrained = [],
    ...rest
  }: Partial<Omit<AudienceNow, 'able'>> & { able?: readonly string[]; untrained?: readonly string[] } = {},
): AudienceNow {
  return {
    people: userIds.map((userId) => ({ userId, name: userId, isTrained: !untrained.includes(userId) })),
    able: new Set(able),
    isWhole: true,
    knowsExceptions: true,
    ownerIsAble: true,
    ...rest,
  };
}

const members = (...userIds: string[]): Members => ({
  members: userIds.map((userId) => campaignMember(userId)),
  candidates: null,
});
const change = (campaign: Members, is: AudienceNow, takenIn: { at: number; people: number }[] = []) =>
  audienceChange(campaign, is, { now, takenIn });

describe('the audience of a campaign that stands', () => {
  test('takes nobody in while it cannot tell who is excepted', () => {
    const { joined, candidates } = change(members('rosa'), audience(['rosa', 'zoe'], { knowsExceptions: false }));
    expect([joined, candidates]).toEqual([[], null]);
  });

  test(`takes in ${takenInAtMost} people an hour, and asks for more, all of whom then wait for a person`, () => {
    expect(change(members(), audience(crowd(20))).joined).toHaveLength(20);
    const many = change(members(), audience(crowd(21)));
    expect([many.joined, many.candidates?.people.length, many.candidates?.askedAt]).toEqual([[], 21, now]);
    expect(change(members(), audience(crowd(6)), [{ at: now - atOnceMs + 1, people: 15 }]).joined).toEqual([]);
    expect(change(members(), audience(crowd(6)), [{ at: now - atOnceMs, people: 15 }]).joined).toHaveLength(6);
    const later = audienceChange({ members: [], candidates: many.candidates! }, audience([...crowd(3), 'zoe']), {
      now: now + dayMs,
      takenIn: [],
    });
    expect(later.joined).toEqual(['zoe']);
    expect(later.candidates?.people.map(({ userId }) => userId)).toEqual(crowd(3));
  });

  test('asks once for all who wait, and for others a day later at the earliest', () => {
    const person = (userId: string): Candidate => ({ userId, name: userId, since: now - dayMs, why: 'other people' });
    const asked = (askedAt: number, ...who: string[]) =>
      change({ members: [], candidates: { people: [person('kim')], askedAt } }, audience(who, { untrained: who }))
        .candidates?.askedAt;
    expect(asked(now - dayMs, 'kim')).toBe(now - dayMs);
    expect(asked(now - dayMs + 1, 'kim', 'zoe')).toBe(now - dayMs + 1);
    expect(asked(now - dayMs, 'kim', 'zoe')).toBe(now);
  });

  test('does what a naive account of it does, whatever happens', () => {
    const userId = fc.constantFrom(...crowd(30));
    const ids = fc.uniqueArray(userId, { maxLength: 30 });
    const stays = fc.constantFrom(undefined, [{ from: monday }], [{ from: monday, to: monday + dayMs }]);
    const world = fc.record({
      members: fc.uniqueArray(fc.record({ userId, stays }), { maxLength: 30, selector: (one) => one.userId }),
      waiting: fc.uniqueArray(fc.record({ userId, why: fc.constantFrom('many people', 'other people', 'owner') }), {
        maxLength: 10,
        selector: (one) => one.userId,
      }),
      inIt: ids,
      suspended: ids,
      untrained: ids,
      isWhole: fc.boolean(),
      ownerIsAble: fc.boolean(),
      before: fc.nat(25),
    });
    fc.assert(
      fc.property(world, ({ members: some, waiting, inIt, suspended, untrained, isWhole, ownerIsAble, before }) => {
        const campaign = {
          members: some.map((one) => campaignMember(one.userId, one.stays && { stays: one.stays })),
          candidates: {
            people: waiting.map((one) => ({ ...one, name: one.userId, since: now - 5 })),
            askedAt: now - 1,
          },
        } as const;
        const there = inIt.filter((one) => !suspended.includes(one));
        const result = audienceChange(
          campaign,
          audience(there, {
            able: crowd(30).filter((one) => !suspended.includes(one)),
            untrained,
            isWhole,
            ownerIsAble,
          }),
          { now, takenIn: [{ at: now - 1, people: before }] },
        );
        expect(result).toEqual(expected(some, waiting, { there, suspended, untrained, isWhole, ownerIsAble, before }));
      }),
      { numRuns: runs(2_000) },
    );
  });
});

/** Person by person, as the documents say it. */
function expected(
  some: readonly { userId: string; stays?: readonly { from: number; to?: number }[] | undefined }[],
  waiting: readonly { userId: string; why: Candidate['why'] }[],
  world: {
    there: readonly string[];
    suspended: readonly string[];
    untrained: readonly string[];
    isWhole: boolean;
    ownerIsAble: boolean;
    before: number;
  },
) {
  const { there, suspended, untrained, isWhole, ownerIsAble, before } = world;
  const isIn = (id: string) => some.some(({ userId, stays }) => userId === id && stays?.at(-1)?.to === undefined);
  const gone: string[] = [];
  for (const { userId } of some)
    if (isIn(userId) && (suspended.includes(userId) || (isWhole && !there.includes(userId)))) gone.push(userId);
  const may: string[] = [];
  const others: Candidate[] = [];
  for (const userId of there) {
    if (isIn(userId)) continue;
    const known = waiting.find((one) => one.userId === userId);
    const wait = (why: Candidate['why']) => others.push({ userId, name: userId, since: known ? now - 5 : now, why });
    if (known?.why === 'many people' || known?.why === 'other people') wait(known.why);
    else if (!ownerIsAble) wait('owner');
    else if (untrained.includes(userId)) wait('other people');
    else may.push(userId);
  }
  const isCrowd = before + may.length > 20;
  const crowdWaits = isCrowd
    ? may.map((userId): Candidate => {
        const known = waiting.some((one) => one.userId === userId);
        return { userId, name: userId, since: known ? now - 5 : now, why: 'many people' };
      })
    : [];
  const people = [...others, ...crowdWaits].toSorted((a, b) => there.indexOf(a.userId) - there.indexOf(b.userId));
  return {
    gone,
    joined: isCrowd ? [] : may,
    candidates: people.length === 0 ? null : { people, askedAt: now - 1 },
  };
}

describe('what changes an audience', () => {
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
});

describe('the members of a part of an audience', () => {
  const channel = { kind: 'channel', id: 'C1', name: 'kitchen' } as const;

  function open(answer: () => MemberList) {
    let time = monday;
    let reads = 0;
    const membersSince = createMembersSince({
      async membersOf() {
        reads += 1;
        return answer();
      },
      atMost: 3,
      now: () => time,
    });
    return { membersSince, reads: () => reads, wait: (ms: number) => (time += ms) };
  }

  test('campaigns share what was read, unless it is too old for them', async () => {
    const { membersSince, reads, wait } = open(() => ({ personIds: ['UROSA'] }));
    expect(await membersSince(channel, 'UTOM', monday)).toEqual({ personIds: ['UROSA'], isCut: false });
    wait(1_000);
    await membersSince(channel, 'UTOM', monday);
    expect(reads()).toBe(1);
    await membersSince(channel, 'UTOM', monday + 1);
    expect(reads()).toBe(2);
    await membersSince(channel, 'UADA', monday);
    expect(reads()).toBe(3);
  });

  test('a list that is longer than the bot reads is said to be cut', async () => {
    const long = open(() => ({ personIds: ['U1', 'U2', 'U3', 'U4'] }));
    expect(await long.membersSince(channel, 'UTOM', monday)).toMatchObject({ isCut: true });
    const cut = open(() => ({ personIds: ['U1'], isCut: true }));
    expect(await cut.membersSince(channel, 'UTOM', monday)).toMatchObject({ isCut: true });
  });

  test('what could not be read is read again', async () => {
    const { membersSince, reads } = open(() => ({ problem: 'The bot isn’t in it.' }));
    for (let count = 0; count < 2; count += 1)
      expect(await membersSince(channel, 'UTOM', monday)).toEqual({ problem: 'The bot isn’t in it.' });
    expect(reads()).toBe(2);
  });
});
