import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { peopleOf } from '../../support/people-of.ts';

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

const slackError = (error: string) =>
  Object.assign(new Error(error), { code: 'slack_webapi_platform_error', data: { ok: false, error } });

/** A Slack with these people, whose list has so many on a page. */
function slackWith(users: readonly FakeUser[], { pageSize = 200 }: { pageSize?: number } = {}) {
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
  const { profilesOf } = slackWith([
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
  const { profilesOf, calls } = slackWith(crowd(30));
  expect((await profilesOf(['U3', 'U1', 'U2'])).map(({ personId }) => personId)).toEqual(['U3', 'U1', 'U2']);
  expect(calls.toSorted()).toEqual(['info U1', 'info U2', 'info U3']);
});

test('many people are found in the list, which is read only as far as the last of them', async () => {
  const { profilesOf, calls } = slackWith(crowd(100), { pageSize: 10 });
  const wanted = Array.from({ length: 25 }, (_, n) => `U${n}`);
  expect((await profilesOf(wanted)).map(({ personId }) => personId)).toEqual(wanted);
  expect(calls).toEqual(['list 0', 'list 10', 'list 20']);
});

test('people whom the list lacks are asked for, and those whom Slack does not know are left out', async () => {
  const { profilesOf, calls } = slackWith(crowd(21));
  const wanted = [...Array.from({ length: 21 }, (_, n) => `U${n}`), 'UGONE'];
  expect((await profilesOf(wanted)).map(({ personId }) => personId)).toEqual(wanted.slice(0, -1));
  expect(calls).toEqual(['list 0', 'info UGONE']);
});

test('the list is read as far as its pages come at once', async () => {
  const { profilesOf, calls } = slackWith(crowd(60), { pageSize: 2 });
  const wanted = Array.from({ length: 60 }, (_, n) => `U${n}`);
  expect((await profilesOf(wanted)).map(({ personId }) => personId)).toEqual(wanted);
  expect(calls.filter((call) => call.startsWith('list'))).toHaveLength(15);
  expect(calls.filter((call) => call.startsWith('info'))).toHaveLength(30);
});
