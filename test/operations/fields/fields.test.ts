import { describe, expect, test } from 'vitest';
import { kindOf, type Field } from '../../../src/operations/fields/fields.ts';
import { openHouse } from '../../support/house.ts';
import { named, plainSentence } from '../../../src/domain/said.ts';
import {
  findSubscription,
  subscriptionKind,
  visibleSubscriptions,
} from '../../../src/operations/fields/subscription.ts';
import type { Right, OperationContext } from '../../../src/operations/context.ts';
import type { NarrowOptions } from '../../../src/operations/fields/field-kind.ts';
import { subscription } from '../../support/builders/alerts.ts';
import {
  campaignCandidates,
  campaignFacts,
  withStarters,
  campaignKind,
  visibleCampaigns,
  type CampaignField,
  type CampaignViewer,
} from '../../../src/operations/fields/campaign.ts';
import { campaignMember, campaignOf, dayMs, monday, openEnd } from '../../support/builders/campaigns.ts';
import { asSent } from '../../support/as-sent.ts';
import { addToCampaign } from '../../../src/features/campaigns/operations/add.ts';
import { showCampaign } from '../../../src/features/campaigns/operations/list-and-show.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';

async function open(who = 'UADA') {
  const account = openHouse();
  const resolver = await account.readerFor(who);
  const { directory } = resolver;
  await Promise.all([directory.quizzes.get(), directory.users.get(), directory.groups.get()]);
  const narrow = (field: Field, text: string, limit = 100) => kindOf(field).narrow(text, field, { ...resolver, limit });
  return { ...account, narrow };
}

const field = (kind: Field['kind'], more: object = {}) => ({ kind, label: '', ...more }) as Field;

describe('a picker offers', () => {
  test('quizzes with the typed words in a state that makes sense, as far as the person may see them', async () => {
    const { narrow, account } = await open();
    expect(await narrow(field('quiz'), 'fire')).toMatchObject([{ name: 'Fire drill' }, { name: 'Fire safety' }]);
    expect(await narrow(field('quiz'), 'fire', 1)).toHaveLength(1);
    expect(await narrow(field('quiz', { status: ['closed'] }), '')).toEqual([]);
    expect(account.quizzes).toHaveLength(3);
    expect(await (await open('UROSA')).narrow(field('quiz'), '')).toEqual([]);
  });

  test('users whom the field accepts, as far as the person may see them', async () => {
    const { narrow } = await open();
    expect(await narrow(field('user'), 'rosa')).toMatchObject([{ user_id: 'u-rosa' }]);
    expect(
      await narrow(field('user', { accepts: (user: { suspended: boolean }) => user.suspended }), ''),
    ).toMatchObject([{ user_id: 'u-sven' }]);
    expect(await (await open('UNORA')).narrow(field('user'), '')).toEqual([]);
  });

  test('groups, as far as the person may see them', async () => {
    expect(await (await open()).narrow(field('group'), 'crew')).toEqual([{ group_id: 'g-1', group_name: 'Crew' }]);
    expect(await (await open('UUMA')).narrow(field('group'), '')).toEqual([]);
  });

  test('as assignees groups first, for half of the places at most, then users', async () => {
    const { narrow } = await open();
    const offered = (await narrow(field('assignees'), '', 2)) as { kind: string }[][];
    expect(offered.map((one) => one.map(({ kind }) => kind))).toEqual([['group'], ['user']]);
  });

  test.each(['text', 'email', 'choice', 'flags', 'people', 'channel'] as const)(
    'nothing of its own for a field of kind %s',
    async (kind) => {
      expect(await (await open()).narrow(field(kind, { options: [] }), '')).toEqual([]);
    },
  );
});

test.each([
  ['2026-12-18T17:00:00.000Z', '18 Dec 2026, 17:00 UTC'],
  ['1 week more', '1 week more'],
])('a time such as “%s” is described as people read it', (time, described) => {
  const due = field('text', { isTime: true });
  expect(plainSentence(kindOf(due).describe(time, due))).toBe(described);
});

const all = [
  { id: 'other', channelId: 'C2', ownerId: 'U2', quiz: { id: 'q-1', name: 'Fire safety' } },
  { id: 'own', channelId: 'C2', ownerId: 'U1', quiz: { id: 'q-2', name: 'First aid' } },
  { id: 'here', channelId: 'C1', ownerId: 'U2', quiz: { id: 'q-3', name: 'Première urgence' } },
  { id: 'here-too', channelId: 'C1', ownerId: null, quiz: null },
].map((overrides) => ({ subscription: subscription(overrides), waiting: 0 }));

const seenBy = (rights: Right[], channelId = 'C1') =>
  visibleSubscriptions(all, {
    actor: { personId: 'U1', isOwner: false, user: undefined, nobody: undefined },
    rights: new Set(rights),
    channelId,
  });
const find = (typed: string, { rights = [], channelId = 'C1' }: { rights?: Right[]; channelId?: string } = {}) => {
  const found = findSubscription(seenBy(rights, channelId), typed, channelId);
  return 'message' in found ? found.message : found.fitting.map((state) => state.subscription.id);
};

test('lists the subscriptions of the channel, then the person’s own in other channels, and all for an administrator', () => {
  expect(seenBy([]).map((state) => state.subscription.id)).toEqual(['here', 'here-too', 'own']);
  expect(seenBy(['administrator']).map((state) => state.subscription.id)).toEqual(['here', 'here-too', 'own', 'other']);
});

test.each([
  ['', ['here', 'here-too', 'own']],
  ['aid', ['own']],
  ['every', ['here-too']],
])('a picker offers those with “%s” in their words', async (typed, ids) => {
  const actor = { personId: 'U1' };
  const options = { alerts: { all: async () => all }, actor, rights: new Set(), channelId: 'C1', limit: 9 };
  const offered = await subscriptionKind.narrow(
    typed,
    { kind: 'subscription', label: '' },
    options as unknown as NarrowOptions,
  );
  expect(offered.map((state) => state.subscription.id)).toEqual(ids);
});

describe('a subscription is found', () => {
  test.each([
    ['', ['here', 'here-too']],
    ['1', ['here']],
    ['#3', ['own']],
    ['own', ['own']],
    ['premiere', ['here']],
    ['first', ['own']],
    ['all', ['here-too']],
  ])('by “%s”', (typed, ids) => {
    expect(find(typed)).toEqual(ids);
  });

  test('by its id in any channel, but only by its owner and administrators', () => {
    expect(find('own', { channelId: 'D9' })).toEqual(['own']);
    expect(find('other', { channelId: 'D9', rights: ['administrator'] })).toEqual(['other']);
    expect(find('other', { channelId: 'D9' })).toContain(`There’s no subscription ${named('other')}`);
  });

  test('in no channel without subscriptions', () => {
    expect(find('', { channelId: 'C3' })).toContain('This channel has no subscriptions');
  });

  test('by no number beyond the list', () => {
    expect(find('4')).toContain(`There’s no subscription ${named('4')}`);
    expect(find('0')).toContain(`There’s no subscription ${named('0')}`);
  });
});

test('a campaign is told from others by its due time and who started it', () => {
  expect(asSent(campaignFacts({ ...campaignOf(), starter: 'Tom Lindqvist' }))).toBe(
    'due 7 Dec 2026, 10:00, by “Tom Lindqvist”',
  );
  expect(asSent(campaignFacts(campaignOf({ ...openEnd })))).toBe('started 23 Nov 2026, 10:00');
  expect(asSent(campaignFacts(campaignOf({ endedAt: monday + dayMs })))).toBe('ended 24 Nov 2026');
  expect(asSent(campaignFacts(campaignOf({ leads: ['tom'], timeZone: 'Asia/Tokyo' })))).toBe('due 7 Dec 2026, 19:00');
});

test('of campaigns with the same due time and starter, the choices name the start', () => {
  const campaigns = [
    campaignOf({ id: 'c-1' }),
    campaignOf({ id: 'c-2', startedAt: monday + dayMs }),
    campaignOf({ id: 'c-3', dueAt: monday }),
  ];
  const choices = campaignCandidates(campaigns).map(({ value, label }) => ({ value, label: asSent(label, 'label') }));
  expect(choices).toEqual([
    { value: 'c-1', label: 'Fire safety, started 23 Nov 2026, 10:00' },
    { value: 'c-2', label: 'Fire safety, started 24 Nov 2026, 10:00' },
    { value: 'c-3', label: 'Fire safety, due 23 Nov 2026, 10:00' },
  ]);
});

test('of campaigns that began in the same minute, too, the choices name the people', () => {
  const [rosa, ravi] = [
    campaignMember('rosa', { name: 'Rosa Almeida' }),
    campaignMember('ravi', { name: 'Ravi Banerjee' }),
  ];
  const labels = (...audiences: (typeof rosa)[][]) =>
    campaignCandidates(audiences.map((members, number) => campaignOf({ id: `c-000${number}`, members }))).map(
      ({ label }) => asSent(label, 'label'),
    );
  expect(labels([rosa], [ravi, rosa])).toEqual(['Fire safety, Rosa Almeida', 'Fire safety, Ravi Banerjee and 1 other']);
  expect(labels([rosa], [rosa])).toEqual(['Fire safety, ID …0000', 'Fire safety, ID …0001']);
});

test('a choice fits on a button with its due time and starter, however long the names are', () => {
  const starter = 'Wolfeschlegelsteinhausenbergerdorff Anna-Maria';
  const quiz = { id: 'q-1', name: 'Everything that is to be known about lifts and ladders' };
  const [choice] = campaignCandidates([{ ...campaignOf({ quiz }), starter }]);
  const label = asSent(choice?.label ?? '', 'label');
  expect(label.length).toBeLessThanOrEqual(75);
  expect(label).toMatch(/^Everything that is.*…, due 7 Dec 2026, 10:00, by Wolfeschlegelstei…$/);
});

test('the name is left out where nobody says who started it', async () => {
  const actorOf = async (personId: string) => {
    if (personId === 'UTOM') throw new Error('Slack is away');
    return { personId, isOwner: false, user: undefined, nobody: undefined, name: 'Ada' };
  };
  const found = await withStarters([campaignOf(), campaignOf({ ownerId: 'UADA' })], { actorOf });
  expect(found.map(({ starter }) => starter)).toEqual([undefined, 'Ada']);
});

const campaign = campaignOf({ ownerId: 'UTOM' });

/** What Tom, who started the campaign, means by its ID. */
async function meant(of: CampaignField, seesQuiz: boolean) {
  const resolver = {
    actor: { personId: 'UTOM', user: undefined },
    visibility: { quiz: () => seesQuiz },
    campaigns: { all: async () => [campaign], byId: async () => campaign },
  } as unknown as OperationContext;
  return campaignKind.resolve([campaign.id], of, resolver);
}

test('whoever started a campaign still sees it without its quiz, and can assign the quiz to nobody', async () => {
  for (const [{ fields }, seesQuiz, kind] of [
    [showCampaign, false, 'value'],
    [addToCampaign, true, 'value'],
    [addToCampaign, false, 'invalid'],
  ] as const)
    expect(await meant(fields['campaign'] as CampaignField, seesQuiz)).toMatchObject({ kind });
});

test('who sees a campaign is known without reading it, since years of them are in the list', async () => {
  const read: string[] = [];
  const summaries = ['of others', 'led'].map((id) => ({
    ...campaign,
    id,
    ownerId: 'UADA',
    endedAt: 1,
    leads: id === 'led' ? ['tom'] : ['ada'],
  }));
  const viewer = {
    actor: { personId: 'UTOM', user: { user_id: 'tom' } },
    visibility: { quiz: () => false },
    campaigns: {
      all: async () => summaries,
      byId: async (id: string) => {
        read.push(id);
        return campaign;
      },
    },
  } as unknown as CampaignViewer;
  expect((await visibleCampaigns(viewer)).map(({ id }) => id)).toEqual(['led']);
  expect(read).toEqual([]);
});

const readBy = (name: string, line: string) => {
  const operation = operationNamed(name)!;
  const readings = operation.parse!(line);
  return 'inputs' in readings ? readings.inputs : readings;
};

test.each([
  ['list-users', 'trainers respondents', 'Choose either “trainers” or “respondents”.'],
  ['list-users', 'rosa in', 'Something is missing after “in”. Type it like in Kitchen.'],
  ['list-quizzes', 'open or closed', 'Choose either “open” or “closed”.'],
])('%s explains “%s”', (name, line, message) => {
  expect(() => readBy(name, line)).toThrow(message);
});

async function listed(name: string, input: Record<string, unknown>, personId = 'UADA') {
  const account = openHouse();
  Object.assign(account.account.quizzes[2]!, { name: 'Open water', status: 'closed' });
  const result = await operationNamed(name)!.run(await account.readerFor(personId), input as never);
  if (result.kind !== 'page') return [];
  return (result.parts ?? []).flatMap(({ items = [] }) =>
    items.map(({ about }) => (name === 'list-users' ? about!.name.split(' ')[0] : about!.name)),
  );
}

test('a list of quizzes is narrowed, and a name that reads like a state is found too', async () => {
  expect(await listed('list-quizzes', { status: 'open', name: 'fire' })).toEqual(['Fire drill', 'Fire safety']);
  expect(await listed('list-quizzes', { status: 'closed' })).toEqual(['Open water']);
  expect(await listed('list-quizzes', { status: 'closed', name: 'wat' })).toEqual(['Open water']);
  expect(await listed('list-quizzes', { status: 'open', name: 'water' })).toEqual(['Open water']);
  expect(await listed('list-quizzes', { status: 'closed', name: 'zoe' })).toEqual([]);
});

test('a list of users is narrowed', async () => {
  const group = (group_id: string, group_name: string) => ({ group_id, group_name });
  expect(await listed('list-users', { state: 'suspended' })).toEqual(['Sven']);
  expect(await listed('list-users', { name: 'er', user_type: 'trainer', group: group('g-1', 'Crew') })).toEqual([
    'Erin',
  ]);
  expect(await listed('list-users', { user_type: 'administrator', group: group('g-1', 'Crew') })).toEqual(['Ada']);
  expect(await listed('list-users', { group: group('g-none', 'Warehouse') })).toEqual([]);
});

test('a quiz is shown with at most three requests, with who has it and who took it', async () => {
  const account = openHouse();
  const [fire] = account.account.quizzes;
  account.account.users
    .find(({ user_id }) => user_id === 'u-rosa')!
    .quizzes.push({ quiz_id: 'q-1', name: 'Fire safety', date_assigned: null });
  const context = await account.readerFor('UERIN');
  await context.directory.quizzes.fresh();
  account.calls.length = 0;
  const result = await operationNamed('show-quiz')!.run(context, { quiz: fire! });
  const page = result.kind === 'page' ? result : undefined;
  expect(page?.steps).toContainEqual(expect.objectContaining({ url: 'https://quiz.example/take/q-1' }));
  expect(page?.parts?.flatMap(({ facts = [] }) => facts)).toEqual(
    expect.arrayContaining([
      ['Assigned to', '1 person'],
      ['Submitted by', 'Nobody yet'],
    ]),
  );
  expect(account.calls.map(({ call }) => call)).toEqual(['quizzes.groups q-1', 'responses.list q-1']);
});
