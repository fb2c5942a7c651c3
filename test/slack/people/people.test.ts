import type { WebClient } from '@slack/web-api';
import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import type { Person } from '../../../src/sandbox/workspace/model.ts';
import { people, teamId } from '../../../src/sandbox/workspace/people.ts';
import type { Known } from '../../../src/slack/people/people.ts';
import { peopleOf } from '../../support/sample-users.ts';
import { openSlack } from '../open-slack.ts';
import { createMembersOf } from '../../../src/slack/people/members.ts';

const elsewhere: Person = { ...people.ivo, teamId: 'T0ELSEWHERE', enterpriseId: 'E0OWN' };

test.each<[string, Person, string | undefined, Partial<Known>]>([
  ['a colleague', people.ada, undefined, { outsider: undefined, emailAddress: 'ada@quiz.example' }],
  ['a guest', people.lena, undefined, { outsider: 'guest' }],
  ['a deactivated person', people.dora, undefined, { outsider: 'deactivated' }],
  ['a person of another company who has the address of a colleague', people.ivo, undefined, { outsider: 'stranger' }],
  ['a person of another company, where the bot is in an organization', people.ivo, 'E0OWN', { outsider: 'stranger' }],
  ['a person of another workspace of the same organization', elsewhere, 'E0OWN', { outsider: undefined }],
  ['a person of an organization, where the bot is in none', elsewhere, undefined, { outsider: 'stranger' }],
  [
    'a person whose address is not confirmed',
    people.aisha,
    undefined,
    { outsider: undefined, emailAddress: undefined, isUnconfirmed: true },
  ],
])('Slack describes %s', async (_, person, enterpriseId, expected) => {
  const enterprise =
    enterpriseId === undefined ? undefined : { id: enterpriseId, name: 'Own', isInstalledForAll: false };
  const { workspace, client } = await openSlack(enterprise && { enterprise });
  workspace.setPerson(person);
  const own = async () => ({ teamId, enterpriseId });
  expect(await peopleOf(client, { own, now: () => 0 }).of(person.id)).toMatchObject(expected);
});

/** A Slack whose people all have the same profile, which it changes. */
function slackOfAlike() {
  const clock = { now: 1_000_000 };
  const calls: string[] = [];
  const slack = { deleted: false, isAway: false };
  const userOf = (id: string) => ({ id, team_id: 'T1', locale: 'de-DE', deleted: slack.deleted });
  const client = {
    users: {
      async info({ user }: { user: string }) {
        calls.push(`info ${user}`);
        return { user: userOf(user) };
      },
      async list() {
        calls.push('list');
        if (slack.isAway) throw new Error('Slack is away');
        return { members: Array.from({ length: 30 }, (_, n) => userOf(`U${n}`)) };
      },
    },
  } as unknown as WebClient;
  const stored = { kept: new Map<string, string>(), locales: new Map<string, string>() };
  const found = peopleOf(client, {
    kept: new Keyv({ store: stored.kept }),
    locales: new Keyv({ store: stored.locales }),
    now: () => clock.now,
  });
  return { clock, calls, slack, stored, found };
}

test('a person is asked about once in ten minutes, once by all who ask at the same time, and anew where it must be fresh', async () => {
  const { clock, calls, slack, found } = slackOfAlike();
  await Promise.all([found.of('U1'), found.of('U1')]);
  expect((await found.of('U1')).outsider).toBeUndefined();
  expect(calls).toEqual(['info U1']);
  slack.deleted = true;
  expect(await found.of('U1', { maxAgeMs: 0 })).toMatchObject({ outsider: 'deactivated' });
  expect(await found.of('U1')).toMatchObject({ outsider: 'deactivated' });
  expect(calls).toHaveLength(2);
  clock.now += 60_000;
  await found.of('U1', { maxAgeMs: 60_000 });
  expect(calls).toHaveLength(3);
  clock.now += 600_000;
  await found.of('U1');
  expect(calls).toHaveLength(4);
  await found.changed('U1', 'de-DE');
  await found.of('U1');
  expect(calls).toHaveLength(5);
});

test('many people are read from the list, those who are not known yet', async () => {
  const { calls, slack, found } = slackOfAlike();
  const personIds = Array.from({ length: 30 }, (_, n) => `U${n}`);
  await found.learn(personIds.slice(0, 20));
  expect(calls).toEqual([]);
  await found.of('U3');
  await found.learn(personIds);
  for (const personId of personIds) expect(await found.of(personId)).toMatchObject({ personId });
  expect(calls).toEqual(['info U3', 'list']);
  slack.isAway = true;
  await found.learn(Array.from({ length: 30 }, (_, n) => `V${n}`));
});

test('what is kept for longer than minutes names nobody', async () => {
  const { stored, found } = slackOfAlike();
  await found.of('U1');
  const [kept, locale] = [stored.kept, stored.locales].map(
    (store) => JSON.parse([...store.values()].join()) as { value: object; expires: number },
  );
  expect(Object.keys(locale!.value).toSorted()).toEqual(['at', 'locale']);
  expect(kept!.expires - Date.now()).toBeLessThanOrEqual(600_000);
});

const slackError = (error: string) =>
  Object.assign(new Error(error), { code: 'slack_webapi_platform_error', data: { ok: false, error } });

/** A Slack with one channel, whose members come two at a time. */
function slackWith({
  members = ['U1', 'U2', 'U3'],
  isPrivate = false,
  error,
}: { members?: string[]; isPrivate?: boolean; error?: string } = {}) {
  let calls = 0;
  const failing = async () => {
    if (error) throw slackError(error);
  };
  const client = {
    conversations: {
      members: async ({ cursor = '0' }: { cursor?: string }) => {
        await failing();
        calls += 1;
        const next = Number(cursor) + 2;
        return {
          members: members.slice(Number(cursor), next),
          response_metadata: { next_cursor: next < members.length ? String(next) : '' },
        };
      },
      info: async () => ({ channel: { is_private: isPrivate } }),
    },
    usergroups: { users: { list: async () => failing().then(() => ({ users: members })) } },
  } as unknown as WebClient;
  return { membersOf: createMembersOf(client), calls: () => calls };
}

const channel = { kind: 'channel', id: 'C1', name: 'training' } as const;
const userGroup = { kind: 'usergroup', id: 'S1', name: 'kitchen-team' } as const;

test('the members of a channel are read page by page, up to what operations take', async () => {
  expect(await slackWith().membersOf(channel, 'U1', { atMost: 200 })).toEqual({ personIds: ['U1', 'U2', 'U3'] });
  const crowd = slackWith({ members: Array.from({ length: 1_000 }, (_, n) => `U${n}`) });
  await crowd.membersOf(channel, 'U1', { atMost: 200 });
  expect(crowd.calls()).toBe(25);
});

test('the only members of a private channel learn who is in it', async () => {
  expect(await slackWith({ isPrivate: true }).membersOf(channel, 'U1', { atMost: 200 })).toHaveProperty('personIds');
  expect(await slackWith({ isPrivate: true }).membersOf(channel, 'U9', { atMost: 200 })).toEqual({
    problem: 'You’re not in #training, so you can’t use it.',
  });
  expect(await slackWith().membersOf(channel, 'U9', { atMost: 200 })).toHaveProperty('personIds');
});

test('the people of a user group are listed', async () => {
  expect(await slackWith().membersOf(userGroup, 'U9', { atMost: 200 })).toEqual({ personIds: ['U1', 'U2', 'U3'] });
});

test.each([
  ['channel_not_found', channel, 'Invigilator isn’t in #training. Type /invite @Invigilator there'],
  ['missing_scope', userGroup, 'Invigilator may not see who is in @kitchen-team.'],
  ['no_such_subteam', userGroup, '@kitchen-team isn’t a user group any more.'],
])('%s becomes a sentence', async (error, mention, sentence) => {
  expect(await slackWith({ error }).membersOf(mention, 'U1', { atMost: 200 })).toEqual({
    problem: expect.stringContaining(sentence),
  });
});

test('any other error of Slack is thrown', async () => {
  await expect(slackWith({ error: 'fatal_error' }).membersOf(channel, 'U1', { atMost: 200 })).rejects.toThrow();
});

interface FakeUser {
  id: string;
  team_id?: string;
  real_name?: string;
  is_bot?: boolean;
  is_restricted?: boolean;
  deleted?: boolean;
  is_email_confirmed?: boolean;
  profile?: Record<string, string>;
}

/** A Slack with these people, whose list has so many on a page. */
function slackOf(users: readonly FakeUser[], { pageSize = 200 }: { pageSize?: number } = {}) {
  const calls: string[] = [];
  const all = users.map((user) => ({ team_id: 'T1', is_email_confirmed: true, ...user }));
  const client = {
    users: {
      info: async ({ user: id }: { user: string }) => {
        calls.push(`info ${id}`);
        const user = all.find((each) => each.id === id);
        if (user === undefined) throw slackError('user_not_found');
        return { user };
      },
      list: async ({ cursor = '0' }: { cursor?: string }) => {
        calls.push(`list ${cursor}`);
        const next = Number(cursor) + pageSize;
        return {
          members: all.slice(Number(cursor), next),
          response_metadata: { next_cursor: next < all.length ? String(next) : '' },
        };
      },
    },
  } as unknown as WebClient;
  return {
    profilesOf: peopleOf(client, { now: () => 0 }).profilesOf,
    calls,
  };
}

const crowd = (count: number): FakeUser[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `U${n}`,
    profile: { real_name: `Person ${n}`, email: `p${n}@quiz.example` },
  }));

test('names come in their parts, or split at the first space of the whole name', async () => {
  const { profilesOf } = slackOf([
    { id: 'U1', profile: { first_name: ' Zoë ', last_name: 'de la Cruz', real_name: 'Zo', email: 'zoe@quiz.example' } },
    { id: 'U2', profile: { real_name: '  Mary Ann Lee ', email: 'mary@quiz.example' } },
    { id: 'U3', real_name: 'Plato', profile: { email: 'plato@quiz.example' } },
    { id: 'U4' },
  ]);
  expect(
    (await profilesOf(['U1', 'U2', 'U3', 'U4'])).map(({ firstName, lastName, emailAddress }) => [
      firstName,
      lastName,
      emailAddress,
    ]),
  ).toEqual([
    ['Zoë', 'de la Cruz', 'zoe@quiz.example'],
    ['Mary', 'Ann Lee', 'mary@quiz.example'],
    ['Plato', '', 'plato@quiz.example'],
    ['', '', undefined],
  ]);
});

test('a few people are asked for one by one, and come in the order in which they were named', async () => {
  const { profilesOf, calls } = slackOf(crowd(30));
  expect((await profilesOf(['U3', 'U1', 'U2'])).map(({ personId }) => personId)).toEqual(['U3', 'U1', 'U2']);
  expect(calls.toSorted()).toEqual(['info U1', 'info U2', 'info U3']);
});

test('many people are found in the list, which is read only as far as the last of them', async () => {
  const { profilesOf, calls } = slackOf(crowd(100), { pageSize: 10 });
  const wanted = Array.from({ length: 25 }, (_, n) => `U${n}`);
  expect((await profilesOf(wanted)).map(({ personId }) => personId)).toEqual(wanted);
  expect(calls).toEqual(['list 0', 'list 10', 'list 20']);
});

test('people whom the list lacks are asked for, and those whom Slack does not know are left out', async () => {
  const { profilesOf, calls } = slackOf(crowd(21));
  const wanted = [...Array.from({ length: 21 }, (_, n) => `U${n}`), 'UGONE'];
  expect((await profilesOf(wanted)).map(({ personId }) => personId)).toEqual(wanted.slice(0, -1));
  expect(calls).toEqual(['list 0', 'info UGONE']);
});

test('the list is read as far as its pages come at once', async () => {
  const { profilesOf, calls } = slackOf(crowd(60), { pageSize: 2 });
  const wanted = Array.from({ length: 60 }, (_, n) => `U${n}`);
  expect((await profilesOf(wanted)).map(({ personId }) => personId)).toEqual(wanted);
  expect(calls.filter((call) => call.startsWith('list'))).toHaveLength(15);
  expect(calls.filter((call) => call.startsWith('info'))).toHaveLength(30);
});
