import type { WebClient } from '@slack/web-api';
import { Keyv } from 'keyv';
import { describe, expect, test } from 'vitest';
import type { Identity } from '../../../src/directory/identity.ts';
import type { NamedList } from '../../../src/directory/directory.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import type { User } from '../../../src/quiz-api/records.ts';
import {
  createFindColleague,
  createFindRecipient,
  createReach,
  type Colleague,
} from '../../../src/slack/people/addresses.ts';
import { createOpenDirectMessages, createOpeningTurn } from '../../../src/slack/people/direct-messages.ts';
import { peopleOf } from '../../support/sample-users.ts';
import { quizUser } from '../../support/builders/users.ts';
import { recordingLog } from '../../support/log.ts';
import { createWhoHasLeft } from '../../../src/slack/people/departed.ts';
import { knownFrom, type SlackUser } from '../../../src/slack/people/people.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const begin = 1_000_000_000;
const slackError = (code: string) =>
  Object.assign(new Error(code), { code: 'slack_webapi_platform_error', data: { ok: false, error: code } });
const rateLimited = (seconds: number) =>
  Object.assign(new Error('limited'), { code: 'slack_webapi_rate_limited_error', retryAfter: seconds });

interface Member {
  id: string;
  team_id: string;
  tz: string;
  profile: { email: string };
  deleted?: boolean;
  is_restricted?: boolean;
}

const member = (id: string, overrides: Partial<Member> = {}): Member => ({
  id,
  team_id: 'T1',
  tz: 'Europe/Berlin',
  profile: { email: `${id.toLowerCase()}@quiz.example` },
  ...overrides,
});
const crowd = (count: number) => Array.from({ length: count }, (_, index) => `U${index}`);
const addressOf = (id: string) => `${id.toLowerCase()}@quiz.example`;

/** A Slack with these members, which fails the calls that are listed; `gone`: users who are still in the bot's list. */
function setUp(
  members: readonly Member[],
  { failures = [] as Error[], users = [] as readonly string[], gone = [] as readonly string[] } = {},
) {
  const clock = { now: begin };
  const calls: string[] = [];
  const listedAt: number[] = [];
  const slept: number[] = [];
  const sleep = async (ms: number) => {
    slept.push(ms);
    clock.now += ms;
  };
  const client = {
    users: {
      async list({ cursor = '0', limit }: { cursor?: string; limit: number }) {
        calls.push('users.list');
        listedAt.push(clock.now);
        const failure = failures.shift();
        if (failure) throw failure;
        const next = Number(cursor) + limit;
        return {
          members: members.slice(Number(cursor), next),
          response_metadata: { next_cursor: next < members.length ? String(next) : '' },
        };
      },
      async lookupByEmail({ email }: { email: string }) {
        calls.push('users.lookupByEmail');
        const user = members.find(({ profile, deleted }) => profile.email === email && deleted !== true);
        if (user === undefined) throw slackError('users_not_found');
        return { user };
      },
    },
    conversations: {
      async open({ users: id }: { users: string }) {
        calls.push('conversations.open');
        return { channel: { id: `D-${id}` } };
      },
    },
  } as unknown as WebClient;
  const kept: string[] = [];
  const stored = new Map<string, string>();
  const colleagues = new Keyv<{ colleague: Colleague | null }>({
    store: {
      get: (key: string) => stored.get(key),
      set: (key: string, value: string) => void (kept.push(`${key} ${value}`), stored.set(key, value)),
      delete: (key: string) => stored.delete(key),
      clear: () => stored.clear(),
    },
  });
  const findColleague = createFindColleague({
    client,
    colleagues,
    teamId: () => 'T1',
    own: async () => ({ teamId: 'T1', enterpriseId: undefined }),
    people: peopleOf(client, { sleep, now: () => clock.now }),
  });
  const quizUsers = users.map((id) => quizUser({ user_id: id, user_name: addressOf(id), email_address: '' }));
  const byAddress = new Map(
    quizUsers.filter(({ user_id }) => !gone.includes(user_id)).map((user) => [user.user_name, user]),
  );
  const identity: Pick<Identity, 'userWithAddress'> = { userWithAddress: async (address) => byAddress.get(address) };
  const list = {
    names: async () => ({ byId: (id: string) => quizUsers.find(({ user_id }) => user_id === id) }),
    get: async () => quizUsers,
    read: async (_id: string, read: () => Promise<User>) => read(),
    put: () => {},
  } as unknown as NamedList<User>;
  const { log } = recordingLog();
  const findRecipient = createFindRecipient({
    users: list,
    api: {
      get: async (id) => {
        if (!gone.includes(id)) throw new Error('every user is listed');
        throw new QuizApiError('gone', { operation: 'getUser', method: 'GET', path: `/users/${id}` }, 'answered 404');
      },
    },
    identity,
    findColleague,
    timeZone: 'UTC',
    log,
    now: () => clock.now,
  });
  const reach = createReach({ findColleague, identity, timeZone: 'UTC' });
  return { clock, client, calls, listedAt, slept, kept, findColleague, findRecipient, reach, quizUsers };
}

describe('the list of the workspace’s people', () => {
  test('answers for many addresses at once, page by page', async () => {
    const ids = crowd(450);
    const { findColleague, calls, kept } = setUp([
      ...ids.map((id) => member(id)),
      member('UGUEST', { is_restricted: true }),
      member('UGONE', { deleted: true }),
      member('UELSE', { team_id: 'T2' }),
    ]);
    const addresses = [...ids, 'UGUEST', 'UGONE', 'UELSE', 'UNOBODY'].map(addressOf);
    await findColleague.learn(addresses);
    expect(calls).toEqual(['users.list', 'users.list', 'users.list']);
    const found = await Promise.all(addresses.map((address) => findColleague(address)));
    expect(found.map((colleague) => colleague?.personId)).toEqual([...ids, undefined, undefined, undefined, undefined]);
    expect(found[7]).toEqual({ personId: ids[7], timeZone: 'Europe/Berlin' });
    expect(kept).toHaveLength(addresses.length);
    expect(kept.join()).not.toContain('@');
    expect(calls).toHaveLength(3);
  });

  test('is read once for several who ask at the same time', async () => {
    const { findColleague, calls } = setUp(crowd(100).map((id) => member(id)));
    await Promise.all([findColleague.learn(crowd(100).map(addressOf)), findColleague.learn(crowd(50).map(addressOf))]);
    expect(calls).toEqual(['users.list']);
  });

  test('is read at most as fast as Slack allows', async () => {
    const { findColleague, listedAt } = setUp(crowd(12_000).map((id) => member(id)));
    await findColleague.learn(['u11999@quiz.example']);
    expect(listedAt).toHaveLength(60);
    // 20 pages at once, and 20 a minute.
    for (const [index, at] of listedAt.entries()) expect(index).toBeLessThanOrEqual(20 + (at - begin) / 3_000);
    expect(await findColleague('u11999@quiz.example')).toMatchObject({ personId: 'U11999' });
  });

  test('is read on after a wait where Slack asks for it, and is not taken for whole where it fails', async () => {
    const { findColleague, slept } = setUp(
      crowd(300).map((id) => member(id)),
      { failures: [rateLimited(30)] },
    );
    await findColleague.learn(['u299@quiz.example']);
    expect(slept).toEqual([30_000]);
    expect(await findColleague('u299@quiz.example')).toMatchObject({ personId: 'U299' });
    const failing = setUp(
      crowd(300).map((id) => member(id)),
      { failures: [slackError('internal_error')] },
    );
    await expect(failing.findColleague.learn(['u299@quiz.example'])).rejects.toThrow();
    expect(await failing.findColleague.knows('u299@quiz.example')).toBe(false);
  });
});

describe('users of the account', () => {
  test('are reached by lookups where they are few, and by the list where they are many', async () => {
    for (const [count, expected] of [
      [5, crowd(5).map(() => 'users.lookupByEmail')],
      [500, ['users.list', 'users.list', 'users.list']],
    ] as const) {
      const { reach, calls, quizUsers } = setUp(
        crowd(count).map((id) => member(id)),
        { users: crowd(count) },
      );
      const reached = await reach(quizUsers, { call: { priority: 'background' } });
      expect([reached.size, reached.get('U3')]).toEqual([count, { personId: 'U3', timeZone: 'Europe/Berlin' }]);
      expect(calls).toEqual(expected);
    }
  });

  test('are found for 1,000 messages within seconds, by few lookups and the list', async () => {
    const ids = crowd(1_000);
    const absent = new Set(ids.slice(900));
    const { findRecipient, clock, calls } = setUp(
      ids.filter((id) => !absent.has(id)).map((id) => member(id)),
      { users: ids },
    );
    const found = new Map<string, unknown>();
    const dueAt = new Map(ids.map((id) => [id, begin]));
    while (dueAt.size > 0) {
      clock.now = Math.max(clock.now, Math.min(...dueAt.values()));
      for (const id of [...dueAt].filter(([, at]) => at <= clock.now).map(([due]) => due)) {
        const recipient = await findRecipient(id);
        if (recipient.kind === 'later') {
          dueAt.set(id, recipient.at);
          continue;
        }
        dueAt.delete(id);
        found.set(id, recipient);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(found.get('U5')).toEqual({ kind: 'found', personId: 'U5', timeZone: 'Europe/Berlin' });
    expect(found.get('U950')).toEqual({ kind: 'nobody', reason: 'no_person' });
    expect(clock.now - begin).toBeLessThanOrEqual(20_000);
    expect(calls.filter((call) => call === 'users.lookupByEmail').length).toBeLessThanOrEqual(25);
  });
});

test('a user who is deleted while they are looked up isn’t in the account any more', async () => {
  const { findRecipient } = setUp([member('UROSA')], { users: ['UROSA'], gone: ['UROSA'] });
  expect(await findRecipient('UROSA')).toEqual({ kind: 'nobody', reason: 'no_user' });
});

describe('the conversation with a person', () => {
  test('is opened once, also over restarts', async () => {
    const { client, calls } = setUp([]);
    const conversations = new Keyv<string>();
    const open = () => createOpenDirectMessages({ client, conversations, teamId: () => 'T1' });
    const first = open();
    expect([await first.knows('U1'), await first('U1'), await first('U1'), await first.knows('U1')]).toEqual([
      false,
      'D-U1',
      'D-U1',
      true,
    ]);
    expect([await open().knows('U1'), await open()('U1'), await open().knows('U2')]).toEqual([true, 'D-U1', false]);
    expect(calls).toEqual(['conversations.open']);
  });

  test('is known by its person, also over restarts, and where an earlier version opened it', async () => {
    const { client } = setUp([]);
    const conversations = new Keyv<string>();
    await conversations.set('T1:U2', 'D-U2');
    const open = () => createOpenDirectMessages({ client, conversations, teamId: () => 'T1' });
    const first = open();
    expect(await first.personOf('D-U1')).toBeUndefined();
    for (const id of ['U1', 'U2']) await first(id);
    for (const { personOf } of [first, open()])
      expect(await Promise.all(['D-U1', 'D-U2', 'D-U3'].map(personOf))).toEqual(['U1', 'U2', undefined]);
  });

  test('has its turn at most 50 times a minute, and at once where it is known', async () => {
    const clock = { now: begin };
    const openedAt: number[] = [];
    const turn = createOpeningTurn({ knows: async (id) => id === 'UKNOWN', now: () => clock.now });
    const dueAt = new Map(crowd(200).map((id) => [id, begin]));
    while (dueAt.size > 0) {
      const [next] = [...dueAt].toSorted(([, a], [, b]) => a - b);
      const [id, at] = next!;
      clock.now = Math.max(clock.now, at);
      const later = await turn(id);
      if (later === undefined) {
        openedAt.push(clock.now);
        dueAt.delete(id);
      } else dueAt.set(id, later);
      expect(await turn('UKNOWN')).toBeUndefined();
    }
    for (const at of openedAt)
      expect(openedAt.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(50);
  });
});

const teamId = 'T1';

function userNamed(name: string): User {
  const address = `${name}@quiz.example`;
  return quizUser({ user_id: `u-${name}`, user_name: address, email_address: address });
}

function memberNamed(name: string, overrides: Partial<SlackUser> = {}): SlackUser {
  return { id: `U${name}`, team_id: teamId, profile: { email: `${name}@quiz.example` }, ...overrides };
}

function openWhoHasLeft(users: readonly User[], members: readonly SlackUser[]) {
  const byAddress = new Map(users.map((user) => [user.email_address, user]));
  const lookedUp: string[] = [];
  const whoHasLeft = createWhoHasLeft({
    people: {
      of: async () => {
        throw new Error('nobody is asked about');
      },
      async *everyone() {
        yield members.map((one) => knownFrom(one, { teamId, enterpriseId: undefined }));
      },
    },
    identity: {
      async userWithAddress(address) {
        lookedUp.push(address);
        return byAddress.get(address);
      },
    },
  });
  return { whoHasLeft, lookedUp };
}

test('whose an address is, is looked up only where Slack lists the address or the user was found before', async () => {
  const users = ['ada', 'ben', 'cleo', 'dora', 'emil'].map(userNamed);
  const members = [memberNamed('ada'), memberNamed('ben', { deleted: true }), memberNamed('gone', { deleted: true })];
  const { whoHasLeft, lookedUp } = openWhoHasLeft(users, members);
  const standings = await whoHasLeft.everyone(users, new Map([['u-cleo', 'Ugone']]));
  expect(Object.fromEntries(standings)).toEqual({
    'u-ada': { kind: 'here', personId: 'Uada' },
    'u-ben': { kind: 'left', personId: 'Uben', at: undefined },
    'u-cleo': { kind: 'left', personId: 'Ugone', at: undefined },
  });
  expect(lookedUp).toEqual(['ada@quiz.example', 'ben@quiz.example', 'cleo@quiz.example']);
});

test('other work has its turn while a large account is looked through', async () => {
  const names = Array.from({ length: 1_000 }, (_, number) => `person-${number}`);
  const users = names.map(userNamed);
  const { whoHasLeft } = openWhoHasLeft(
    users,
    names.map((name) => memberNamed(name)),
  );
  expect(await turnsDuring(whoHasLeft.everyone(users, new Map()))).toBeGreaterThanOrEqual(9);
});
