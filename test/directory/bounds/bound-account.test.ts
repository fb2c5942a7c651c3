import { describe, expect, test, vi } from 'vitest';
import { callNames, changingCalls } from '../../../src/quiz-api/endpoints.ts';
import { BeyondGroupsError, OutsideGroupsError } from '../../../src/quiz-api/errors.ts';
import type { ItemChange } from '../../../src/directory/named-list.ts';
import type { User } from '../../../src/quiz-api/users.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { kitchen, openAccountOfGroups, sales } from '../../support/account-of-groups.ts';

const inBackground = { priority: 'background' } as const;
const namesOf = (users: readonly User[]) => users.map(({ user_id }) => user_id).toSorted();

/** A bot for Kitchen that has read every list. */
async function open() {
  const account = openAccountOfGroups();
  const bot = account.botFor('Kitchen');
  await bot.directory.load();
  await vi.waitFor(() => expect(account.calls.filter((call) => call.startsWith('quizzes.groups'))).toHaveLength(4));
  account.clock.now += 60_000;
  account.calls.length = 0;
  return { ...account, ...bot };
}
const changesIn = (calls: readonly string[]) => calls.filter((call) => changingCalls.has(call.split(' ')[0]!));

describe('the lists', () => {
  test('have what belongs to the bot', async () => {
    const { directory } = await open();
    expect(namesOf(await directory.users.get())).toEqual(['both', 'karl', 'kim', 'kurt']);
    expect((await directory.quizzes.get()).map(({ quiz_id }) => quiz_id)).toEqual(['q-kitchen', 'q-shared']);
    expect(await directory.groups.get()).toEqual([kitchen]);
  });

  test('are found by name only where they belong to the bot, and shown without what others have of them', async () => {
    const { directory } = await open();
    const names = await directory.users.names();
    expect(names.byId('sam')).toBeUndefined();
    expect(names.match('sam')).toEqual({ kind: 'none', nearest: [] });
    expect(names.match('bos')).toMatchObject({ kind: 'none' });
    expect(names.named('sam@quiz.example')).toEqual([]);
    expect(names.count('')).toBe(4);
    expect(names.search('bo', { limit: 10 })).toMatchObject([{ user_id: 'both', groups: [kitchen] }]);
    expect(names.byId('both')?.groups).toEqual([kitchen]);
    expect(names.search('', { limit: 10, accepts: ({ groups }) => groups.length > 1 })).toEqual([]);
  });

  test('are the same arrays while nothing has changed', async () => {
    const { directory } = await open();
    expect(await directory.users.get()).toBe(await directory.users.get());
  });

  test('tell of people who come and go', async () => {
    const { directory, set, whole } = await open();
    const heard: ItemChange<User>[] = [];
    directory.users.onChanged((changes) => heard.push(...changes));
    set('karl', { groups: [sales] });
    set('sam', { groups: [sales, kitchen] });
    set('boss', { first_name: 'Big' });
    await whole.directory.users.refresh();
    expect(heard.map(({ before, after }) => [before?.user_id, after?.user_id, after?.groups])).toEqual([
      ['karl', undefined, undefined],
      [undefined, 'sam', [kitchen]],
    ]);
  });

  test('take changes of the bot into the list of the account, whole', async () => {
    const { api, directory, whole, botFor } = await open();
    const forSales = botFor('Sales');
    await directory.users.read('both', () => api.users.get('both'));
    directory.users.edit('both', (user) => ({ ...user, first_name: 'Renamed' }));
    const both = (await whole.directory.users.names()).byId('both');
    expect(both).toMatchObject({ first_name: 'Renamed', groups: [kitchen, sales] });
    expect((await forSales.directory.users.names()).byId('both')).toMatchObject({
      first_name: 'Renamed',
      groups: [sales],
    });
  });

  test('have the groups of quizzes as far as they are the bot’s', async () => {
    const { directory } = await open();
    expect(directory.quizGroups.known('q-shared')).toEqual(new Set([kitchen.group_id]));
    expect(directory.quizGroups.known('q-sales')).toEqual(new Set());
    expect(directory.quizGroups.assigned().toSorted()).toEqual(['q-kitchen', 'q-shared']);
    directory.quizGroups.put('q-shared', []);
    expect(directory.quizGroups.known('q-shared')).toEqual(new Set([kitchen.group_id]));
    expect(await directory.assignedQuizIds()).toEqual(new Set(['q-kitchen', 'q-shared']));
  });
});

describe('the client', () => {
  type Api = Awaited<ReturnType<typeof open>>['api'];
  /** Each call with something of others. Calls without an ID are in the tests of lists and of what is new. */
  const ofOthers: Readonly<Record<string, (api: Api) => Promise<unknown>>> = {
    'quizzes.get': (api) => api.quizzes.get('q-sales'),
    'quizzes.update': (api) => api.quizzes.update('q-sales', { status: 'closed' }),
    'quizzes.delete': (api) => api.quizzes.delete('q-nobody'),
    'quizzes.copy': (api) => api.quizzes.copy('q-sales', {}),
    'quizzes.groups': (api) => api.quizzes.groups('q-sales'),
    'quizzes.assignGroup': (api) => api.quizzes.assignGroup('q-kitchen', sales.group_id),
    'quizzes.assignGroup of a quiz': (api) => api.quizzes.assignGroup('q-sales', kitchen.group_id),
    'quizzes.unassignGroup': (api) => api.quizzes.unassignGroup('q-shared', sales.group_id),
    'quizzes.unassignGroup of a quiz': (api) => api.quizzes.unassignGroup('q-sales', kitchen.group_id),
    'responses.list': (api) => api.responses.list('q-sales'),
    'responses.using': (api) => api.responses.using('q-sales', {}, () => {}),
    'responses.get': (api) => api.responses.get('q-shared', 'r-sam'),
    'responses.delete': (api) => api.responses.delete('q-shared', 'r-sam'),
    'responses.questions': (api) => api.responses.questions('q-shared', 'r-sam'),
    'responses.file': (api) => api.responses.file('q-shared', 'r-sam', 'f-1'),
    'users.get': (api) => api.users.get('sam'),
    'users.update': (api) => api.users.update('sam', { suspended: true }),
    'users.update of an administrator': (api) => api.users.update('boss', { password: 'secret' }),
    'users.delete': (api) => api.users.delete('sam'),
    'users.quizzes': (api) => api.users.quizzes('sam'),
    'users.assignQuiz': (api) => api.users.assignQuiz('sam', 'q-kitchen'),
    'users.assignQuiz of a quiz': (api) => api.users.assignQuiz('karl', 'q-sales'),
    'users.unassignQuiz': (api) => api.users.unassignQuiz('sam', 'q-kitchen'),
    'users.unassignQuiz of a quiz': (api) => api.users.unassignQuiz('karl', 'q-sales'),
    'users.assignGroup': (api) => api.users.assignGroup('sam', kitchen.group_id),
    'users.assignGroup of a group': (api) => api.users.assignGroup('karl', sales.group_id),
    'users.unassignGroup': (api) => api.users.unassignGroup('sam', kitchen.group_id),
    'users.unassignGroup of a group': (api) => api.users.unassignGroup('both', sales.group_id),
  };
  const withoutId = new Set([
    'quizzes.list',
    'quizzes.create',
    'users.list',
    'users.find',
    'users.create',
    'groups.list',
  ]);

  test('is tried with every call', () => {
    const tried = new Set(Object.keys(ofOthers).map((name) => name.split(' ')[0]));
    expect(callNames.filter((name) => !tried.has(name) && !withoutId.has(name))).toEqual([]);
  });

  test.each(Object.entries(ofOthers))('does not know what is outside: %s', async (_, call) => {
    const { api, calls } = await open();
    const error: unknown = await call(api).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OutsideGroupsError);
    expect((error as Error).message).not.toMatch(/sam|sales|boss/i);
    expect(changesIn(calls)).toEqual([]);
  });

  test('asks for no response to a quiz of others', async () => {
    const { api, calls } = await open();
    await expect(api.responses.get('q-sales', 'r-any')).rejects.toThrow(OutsideGroupsError);
    expect(calls).not.toContain('responses.get q-sales');
  });

  test('lists and finds what belongs to the bot', async () => {
    const { api } = await open();
    expect((await api.quizzes.list()).map(({ quiz_id }) => quiz_id)).toEqual(['q-kitchen', 'q-shared']);
    expect(namesOf(await api.users.list())).toEqual(['both', 'karl', 'kim', 'kurt']);
    expect(await api.groups.list()).toEqual([kitchen]);
    expect(await api.users.find('karl@quiz.example')).toBe('karl');
    expect(await api.users.find('sam@quiz.example')).toBeNull();
    expect(await api.users.find('nobody@quiz.example')).toBeNull();
    expect((await api.responses.list('q-shared')).map(({ response_id }) => response_id)).toEqual(['r-karl']);
    expect((await api.responses.list('q-kitchen')).map(({ response_id }) => response_id)).toEqual(['r-guest']);
    expect(await api.responses.using('q-shared', {}, (responses) => responses.length)).toBe(1);
    expect(api.unreadable()).toEqual([]);
  });

  test('finds a user who is newer than the list', async () => {
    const { api, add } = await open();
    add('new', { groups: [kitchen] });
    expect(await api.users.find('new@quiz.example')).toBe('new');
  });

  test.each<[string, (api: Api) => Promise<unknown>]>([
    ['a quiz that others have', (api) => api.quizzes.update('q-shared', { name: 'Other' })],
    ['its deletion', (api) => api.quizzes.delete('q-shared')],
    ['a person in another group', (api) => api.users.update('both', { suspended: true })],
    ['a new trainer', (api) => api.users.create({ user_name: 'kim', user_type: 'trainer' })],
    ['a right for a respondent', (api) => api.users.update('karl', { edit_quizzes: true })],
    ['the last group of a person in another', (api) => api.users.unassignGroup('both', kitchen.group_id)],
  ])('refuses what reaches further: %s', async (_, call) => {
    const { api, calls } = await open();
    await expect(call(api)).rejects.toThrow(BeyondGroupsError);
    expect(changesIn(calls)).toEqual([]);
  });

  test('changes what belongs to the bot alone', async () => {
    const { api, calls } = await open();
    await api.quizzes.update('q-kitchen', { status: 'closed' });
    await api.quizzes.delete('q-kitchen');
    await api.users.update('karl', { suspended: true });
    await api.users.assignQuiz('both', 'q-shared');
    await api.quizzes.unassignGroup('q-shared', kitchen.group_id);
    await api.responses.delete('q-shared', 'r-karl');
    expect(changesIn(calls)).toHaveLength(6);
  });
});

describe('what a change costs', () => {
  test('is a request for the person and one for the quiz, and nothing within five seconds', async () => {
    const { api, calls, clock } = await open();
    await api.users.assignQuiz('karl', 'q-shared', {});
    expect(calls).toEqual(['users.get karl', 'quizzes.groups q-shared', 'users.assignQuiz karl']);
    calls.length = 0;
    await api.users.unassignQuiz('karl', 'q-shared', {});
    expect(calls).toEqual(['users.unassignQuiz karl']);
    calls.length = 0;
    clock.now += 5_001;
    await api.users.assignQuiz('karl', 'q-shared', {});
    expect(calls).toHaveLength(3);
  });

  test('is one list for more than two people', async () => {
    const { api, calls } = await open();
    const call = {};
    for (const userId of ['karl', 'kim', 'kurt', 'both']) await api.users.assignQuiz(userId, 'q-shared', call);
    expect(calls.filter((one) => !one.includes('assignQuiz'))).toEqual([
      'users.get karl',
      'quizzes.groups q-shared',
      'users.get kim',
      'users.list',
    ]);
  });

  test('is a list in 30 seconds in the background, and a request each where it is about who they are', async () => {
    const { api, calls, clock } = await open();
    for (const userId of ['karl', 'kim', 'kurt']) {
      await api.users.assignQuiz(userId, 'q-shared', inBackground);
      clock.now += 9_000;
    }
    expect(calls.filter((one) => !one.includes('assignQuiz'))).toEqual(['users.list', 'quizzes.groups q-shared']);
    calls.length = 0;
    await api.users.update('kim', { suspended: true }, inBackground);
    expect(calls).toEqual(['users.get kim', 'users.update kim']);
  });

  test('is a request each in a long list', async () => {
    const { api, calls, add, whole } = await open();
    for (let number = 0; number < 2_000; number += 1) add(`u-${number}`, { groups: [sales] });
    await whole.directory.users.refresh();
    calls.length = 0;
    const call = {};
    for (const userId of ['karl', 'kim', 'kurt']) await api.users.assignQuiz(userId, 'q-shared', call);
    expect(calls.filter((one) => one.startsWith('users.get'))).toHaveLength(3);
    expect(calls).not.toContain('users.list');
  });

  test('sees who has left since the list was read', async () => {
    const { api, calls, set } = await open();
    set('karl', { groups: [sales] });
    await expect(api.users.assignQuiz('karl', 'q-shared', {})).rejects.toThrow(OutsideGroupsError);
    await expect(api.users.assignQuiz('karl', 'q-shared', inBackground)).rejects.toThrow(OutsideGroupsError);
    expect(changesIn(calls)).toEqual([]);
  });

  test('sees who has a quiz since it was read', async () => {
    const { api, set, groupsOf } = await open();
    set('sam', { quizzes: [{ quiz_id: 'q-kitchen', name: '', date_assigned: null }] });
    await expect(api.quizzes.delete('q-kitchen', {})).rejects.toThrow(BeyondGroupsError);
    groupsOf.set('q-shared', [sales]);
    await expect(api.users.assignQuiz('karl', 'q-shared', {})).rejects.toThrow(OutsideGroupsError);
  });
});

describe('what the bot makes', () => {
  test('belongs to it, and to no other bot', async () => {
    const { api, directory, botFor, quizzes, groupsOf } = await open();
    const id = await api.quizzes.create({ name: 'Ladders' });
    quizzes.push({ quiz_id: id!, name: 'Ladders', status: 'in_design', date_created: null });
    groupsOf.set(id!, []);
    expect((await directory.quizzes.fresh()).map(({ name }) => name)).toContain('Ladders');
    await expect(api.quizzes.update(id!, { name: 'Steps' })).resolves.toBeUndefined();
    await expect(botFor('Sales').api.quizzes.get(id!)).rejects.toThrow(OutsideGroupsError);
  });

  test('is put into the group where there is one, and remembered where there are several', async () => {
    const { directory } = await open();
    expect(await directory.homeGroup?.()).toEqual(kitchen);
    const {
      api,
      directory: ofBoth,
      add,
      whole,
    } = await (async () => {
      const account = openAccountOfGroups();
      return { ...account, ...account.botFor('Kitchen', 'Sales') };
    })();
    expect(await ofBoth.homeGroup?.()).toBeUndefined();
    const id = await api.users.create({ user_name: 'new@quiz.example' });
    add(id!, {});
    await whole.directory.users.refresh();
    expect(namesOf(await ofBoth.users.get())).toContain(id);
    await api.users.assignGroup(id!, sales.group_id);
  });

  test('stays with it after they were taken out of their last group', async () => {
    const { api, directory, set, whole } = await open();
    await api.users.unassignGroup('karl', kitchen.group_id);
    set('karl', { groups: [] });
    set('kim', { groups: [] });
    await whole.directory.users.refresh();
    expect(namesOf(await directory.users.get())).toEqual(['both', 'karl', 'kurt']);
  });

  test('stays with it after it was unassigned last, and what others have for a day', async () => {
    const { api, directory, clock, groupsOf } = await open();
    for (const [quizId, left] of [
      ['q-kitchen', []],
      ['q-shared', [sales]],
    ] as const) {
      await api.quizzes.unassignGroup(quizId, kitchen.group_id);
      groupsOf.set(quizId, [...left]);
      directory.quizGroups.change(quizId, kitchen.group_id, false);
    }
    const listed = async () => (await directory.quizzes.get()).map(({ quiz_id }) => quiz_id);
    expect(await listed()).toEqual(['q-kitchen', 'q-shared']);
    clock.now += 24 * 3_600_000;
    expect(await listed()).toEqual(['q-kitchen']);
  });
});

describe('a response that is reported', () => {
  const report = (overrides: Parameters<typeof quizResponse>[0]) => quizResponse({ quiz_id: 'q-shared', ...overrides });

  test.each([
    ['of a person in the group', report({ user_id: 'karl' }), true],
    ['of a person elsewhere', report({ user_id: 'sam' }), false],
    ['of a guest of a quiz that others have', report({ user_id: null, user_name: null, email_address: '' }), false],
    ['of a guest of the bot’s quiz', report({ quiz_id: 'q-kitchen', user_id: null, user_name: null }), true],
    ['of nobody whom the account knows', report({ user_id: 'gone' }), false],
    ['about a quiz of others', report({ quiz_id: 'q-sales', user_id: 'karl' }), false],
    ['about a quiz that does not exist', report({ quiz_id: 'q-gone', user_id: 'karl' }), false],
  ])('%s', async (_, response, isOfBot) => expect(await (await open()).isOfBot(response, {})).toBe(isOfBot));

  test('is judged by a list that is at most a minute old, and by the user where it lacks them', async () => {
    const { isOfBot, set, add, calls, clock } = await open();
    set('karl', { groups: [sales] });
    clock.now += 1;
    expect(await isOfBot(report({ user_id: 'karl' }), inBackground)).toBe(false);
    add('new', { groups: [kitchen] });
    calls.length = 0;
    expect(await isOfBot(report({ user_id: 'new' }), inBackground)).toBe(true);
    expect(calls).toEqual(['users.get new']);
  });

  test('costs nothing while the lists are recent', async () => {
    const { isOfBot, calls } = await open();
    await isOfBot(report({ user_id: 'karl' }), inBackground);
    calls.length = 0;
    for (let times = 0; times < 100; times += 1) await isOfBot(report({ user_id: 'sam' }), inBackground);
    expect(calls).toEqual([]);
  });
});

test('without its group, nothing of the account exists for a bot', async () => {
  const { botFor } = openAccountOfGroups();
  const { directory, state, api } = botFor('Garden');
  expect(await directory.users.get()).toEqual([]);
  expect(await directory.quizzes.fresh()).toEqual([]);
  expect(await directory.groups.get()).toEqual([]);
  expect((await state()).unresolved).toEqual([{ name: 'Garden', why: 'unknown' }]);
  await expect(api.users.get('karl')).rejects.toThrow(OutsideGroupsError);
});
