import { describe, expect, test, vi } from 'vitest';
import { createNameIndex } from '../../src/directory/name-index.ts';
import { createIdentity, type Person } from '../../src/directory/identity.ts';
import { PlatformError } from '../../src/domain/errors.ts';
import { QuizApiError } from '../../src/quiz-api/errors.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import type { User } from '../../src/quiz-api/records.ts';
import { userKeys } from '../support/sample-users.ts';
import { quizUser } from '../support/builders/users.ts';

const call = { operation: 'users.get', method: 'GET', path: '/v1/users/x' };
const notFound = () => new QuizApiError('gone', call, 'answered 404');

function setUp(options: {
  person?: Partial<Person>;
  listed?: User[];
  atService?: User[];
  owners?: string[];
  isListOld?: boolean;
}) {
  const { listed = [], atService = listed } = options;
  const clock = { now: 1_000_000 };
  const find = vi.fn(async (name: string) => atService.find((user) => user.user_name === name)?.user_id ?? null);
  const get = vi.fn(async (id: string) => {
    const user = atService.find(({ user_id }) => user_id === id);
    if (user === undefined) throw notFound();
    return user;
  });
  const personOf = vi.fn(async (): Promise<Person> => ({
    emailAddress: 'rosa@quiz.example',
    outsider: undefined,
    ...options.person,
  }));
  const [put, remove] = [vi.fn<(user: User) => void>(), vi.fn<(userId: string) => void>()];
  const identity = createIdentity({
    api: { users: { find, get } } as unknown as QuizApi,
    users: {
      names: async () => createNameIndex(listed, userKeys),
      async read(id, load) {
        const user = await load();
        if (user) put(user);
        else remove(id);
        return user;
      },
      isOld: () => options.isListOld === true,
    },
    people: { of: personOf, learn: async () => {} },
    owners: options.owners ?? [],
    now: () => clock.now,
  });
  const actorOf = (fresh = false) => identity.actorOf('U1', { fresh });
  return { identity, clock, actorOf, find, get, put, remove, personOf };
}

describe('a Slack person', () => {
  test('has the time zone they set in Slack, where it tells', async () => {
    expect(await setUp({ person: { timeZone: 'America/Lima' }, listed: [quizUser()] }).actorOf()).toMatchObject({
      timeZone: 'America/Lima',
    });
    expect((await setUp({ listed: [quizUser()] }).actorOf()).timeZone).toBeUndefined();
  });

  test('is the quiz user whose user name is their e-mail address, in any case', async () => {
    const { actorOf, find, get } = setUp({ listed: [quizUser({ user_name: 'Rosa@Quiz.Example' })] });
    expect((await actorOf()).user?.user_id).toBe('u-rosa');
    expect([find.mock.calls, get.mock.calls]).toEqual([[], []]);
  });

  test('is otherwise the one user with that e-mail address', async () => {
    const { actorOf } = setUp({ listed: [quizUser({ user_name: 'rosa' })] });
    expect((await actorOf()).user?.user_name).toBe('rosa');
  });

  test('is the user with that name even if others share the address', async () => {
    const others = quizUser({ user_id: 'u-2', user_name: 'second' });
    const { actorOf } = setUp({ listed: [others, quizUser()] });
    expect((await actorOf()).user?.user_id).toBe('u-rosa');
  });

  test('is not somebody who took the address as their own name', async () => {
    const { actorOf } = setUp({
      listed: [quizUser({ user_name: 'mallory', email_address: '', first_name: 'rosa@quiz.example', last_name: '' })],
    });
    expect(await actorOf()).toMatchObject({ user: undefined });
  });

  test('is nobody when several users share the address and none has it as name', async () => {
    const { actorOf } = setUp({
      listed: [quizUser({ user_id: 'u-1', user_name: 'a' }), quizUser({ user_id: 'u-2', user_name: 'b' })],
    });
    expect(await actorOf()).toMatchObject({ user: undefined, nobody: 'several quiz users' });
  });

  describe.each([
    ['as user name', 'new', { user_name: 'rosa@quiz.example', email_address: '' }],
    ['as e-mail address', 'new', { user_name: 'new' }],
  ] as const)('whose address another user has %s', (_, user_id, address) => {
    const flags = { edit_quizzes: true, manage_users: true, manage_groups: true };
    test.each([
      ['an administrator', 'a respondent', { user_type: 'administrator' }, {}],
      [
        'an administrator',
        'a trainer with every flag',
        { user_type: 'administrator' },
        { user_type: 'trainer', ...flags },
      ],
      [
        'an administrator with flags',
        'an administrator without',
        { user_type: 'administrator', ...flags },
        { user_type: 'administrator' },
      ],
      ['a suspended administrator', 'a respondent', { user_type: 'administrator', suspended: true }, {}],
      ['a suspended trainer', 'a respondent', { user_type: 'trainer', suspended: true }, {}],
      ['a trainer', 'a suspended respondent', { user_type: 'trainer' }, { suspended: true }],
      [
        'a trainer with a flag',
        'a trainer without',
        { user_type: 'trainer', manage_users: true },
        { user_type: 'trainer' },
      ],
      ['a trainer', 'a user of a type that nobody knows', { user_type: 'trainer' }, { user_type: 'auditor', ...flags }],
    ])('stays %s beside %s', async (_name, _other, more, fewer) => {
      for (const known of [{ user_name: 'rosa' }, {}]) {
        const [older, namesake] = [quizUser({ ...known, ...more }), quizUser({ user_id, ...address, ...fewer })];
        for (const listed of [
          [older, namesake],
          [namesake, older],
        ])
          expect((await setUp({ listed }).actorOf(true)).user?.user_id).toBe('u-rosa');
      }
    });
  });

  test('is somebody else where only a letter outside ASCII differs in case', async () => {
    const { actorOf } = setUp({
      person: { emailAddress: 'erik@quiz.example' },
      listed: [quizUser({ user_name: 'eri\u212A@quiz.example', user_type: 'administrator', email_address: '' })],
    });
    expect(await actorOf()).toMatchObject({ user: undefined, nobody: 'no quiz user' });
    const other = setUp({
      person: { emailAddress: 'eri\u212A@quiz.example' },
      listed: [quizUser({ user_name: 'ERIK@quiz.example', email_address: '' })],
    });
    expect(await other.actorOf()).toMatchObject({ user: undefined, nobody: 'no quiz user' });
  });

  test.each(['guest', 'stranger', 'bot', 'deactivated'] as const)(
    'who is a %s is nobody, whatever their address',
    async (outsider) => {
      const { actorOf, find } = setUp({ person: { outsider }, listed: [quizUser({ user_type: 'administrator' })] });
      expect(await actorOf()).toMatchObject({ user: undefined, nobody: outsider });
      expect(find).not.toHaveBeenCalled();
    },
  );

  test('without an e-mail address is nobody', async () => {
    const { actorOf } = setUp({
      person: { emailAddress: undefined },
      listed: [quizUser({ user_name: '', email_address: '' })],
    });
    expect(await actorOf()).toMatchObject({ user: undefined, nobody: 'no e-mail address' });
  });

  test('with an e-mail address that they have not confirmed is nobody', async () => {
    const { actorOf, find } = setUp({ person: { emailAddress: undefined, isUnconfirmed: true }, listed: [quizUser()] });
    expect(await actorOf()).toMatchObject({ user: undefined, nobody: 'unconfirmed e-mail address' });
    expect(find).not.toHaveBeenCalled();
  });

  test('who is an owner needs no user, and has the one with their address', async () => {
    expect(await setUp({ owners: ['U1'] }).actorOf()).toMatchObject({
      isOwner: true,
      user: undefined,
      nobody: undefined,
      emailAddress: 'rosa@quiz.example',
    });
    expect(await setUp({ owners: ['U1'], listed: [quizUser()] }).actorOf()).toMatchObject({
      isOwner: true,
      user: { user_id: 'u-rosa' },
      nobody: undefined,
    });
    expect(
      await setUp({ owners: ['U1'], person: { outsider: 'guest' }, listed: [quizUser()] }).actorOf(),
    ).toMatchObject({ isOwner: true, user: undefined, nobody: undefined });
  });

  test('who is an owner needs no answer of Slack and the service, until it matters who they are', async () => {
    const service = setUp({ owners: ['U1'] });
    service.find.mockRejectedValue(
      new QuizApiError(
        'no connection',
        { operation: 'users.find', method: 'POST', path: '/v1/users/find' },
        'lost its connection',
      ),
    );
    expect(await service.actorOf()).toMatchObject({ isOwner: true, user: undefined });
    await expect(service.actorOf(true)).rejects.toThrow('lost its connection');
    const slack = setUp({ owners: ['U1'] });
    slack.personOf.mockRejectedValue(new PlatformError('internal_error', { kind: 'refused' }));
    expect(await slack.actorOf()).toMatchObject({ isOwner: true, user: undefined });
    await expect(slack.actorOf(true)).rejects.toThrow('internal_error');
    slack.personOf.mockRejectedValue(new Error('a fault of the bot'));
    await expect(slack.actorOf()).rejects.toThrow('a fault of the bot');
  });

  test('is looked up in Slack again where the answer must be fresh', async () => {
    const { actorOf, personOf } = setUp({ listed: [quizUser()], atService: [quizUser()] });
    await actorOf();
    expect(personOf).toHaveBeenLastCalledWith('U1', { maxAgeMs: undefined });
    personOf.mockResolvedValue({ emailAddress: 'rosa@quiz.example', outsider: 'deactivated' });
    expect(await actorOf(true)).toMatchObject({ nobody: 'deactivated' });
    expect(personOf).toHaveBeenLastCalledWith('U1', { maxAgeMs: 0 });
  });

  test('who became a user a moment ago is read once, and is in the list then', async () => {
    const user = quizUser({ user_type: 'trainer' });
    for (const fresh of [true, false]) {
      const { actorOf, get, put } = setUp({ listed: [], atService: [user] });
      expect((await actorOf(fresh)).user).toEqual(user);
      expect(get).toHaveBeenCalledOnce();
      expect(put.mock.calls).toEqual([[user]]);
    }
  });

  test('who is read from the service updates the list, and who is gone leaves it', async () => {
    const [listed, atService] = [quizUser(), quizUser({ user_type: 'trainer' })];
    const changed = setUp({ listed: [listed], atService: [atService] });
    await changed.actorOf(true);
    expect([changed.put.mock.calls, changed.remove.mock.calls]).toEqual([[[atService]], []]);
    const gone = setUp({ listed: [listed], atService: [] });
    await gone.actorOf(true);
    expect([gone.put.mock.calls, gone.remove.mock.calls]).toEqual([[], [[listed.user_id]]]);
    const atHand = setUp({ listed: [listed], atService: [] });
    await atHand.actorOf();
    expect([atHand.put.mock.calls, atHand.remove.mock.calls]).toEqual([[], []]);
  });

  test('has the rights the service gives them now, where the list is old, unless many people are looked up in it', async () => {
    const [listed, now] = [quizUser({ edit_quizzes: true }), quizUser({ edit_quizzes: false })];
    const { identity, actorOf, get } = setUp({ listed: [listed], atService: [now], isListOld: true });
    expect((await actorOf()).user).toEqual(now);
    expect(get).toHaveBeenCalledExactlyOnceWith(now.user_id, { personId: 'U1' });
    for (const options of [{ isListed: true }, { call: { priority: 'background' } }] as const)
      expect((await identity.actorOf('U1', { fresh: false, ...options })).user).toEqual(listed);
    expect(get).toHaveBeenCalledOnce();
  });

  test('counts as an old list has them while the service is away, but not while the bot may not ask', async () => {
    const { actorOf, get } = setUp({ listed: [quizUser()], isListOld: true });
    get.mockRejectedValueOnce(new QuizApiError('no connection', call, 'lost its connection'));
    expect((await actorOf()).user).toEqual(quizUser());
    const spent = new QuizApiError('share spent', call, 'was not sent', { availableAt: new Date(0) });
    get.mockRejectedValueOnce(spent);
    await expect(actorOf()).rejects.toBe(spent);
  });

  test('is nobody when their user has another address by now, when it matters', async () => {
    const { actorOf } = setUp({
      listed: [quizUser()],
      atService: [quizUser({ user_name: 'x@quiz.example', email_address: 'x@quiz.example' })],
    });
    expect(await actorOf(true)).toMatchObject({ user: undefined, nobody: 'no quiz user' });
  });

  test('whom nobody knows costs one request in five minutes, however often they come', async () => {
    const { clock, actorOf, find } = setUp({});
    for (let n = 0; n < 57; n += 1)
      expect(await actorOf(n % 2 === 0)).toMatchObject({ user: undefined, nobody: 'no quiz user' });
    expect(find).toHaveBeenCalledOnce();
    clock.now += 5 * 60_000;
    await actorOf();
    expect(find).toHaveBeenCalledTimes(2);
  });

  test('who was unknown is found as soon as the list has them', async () => {
    const listed: User[] = [];
    const { actorOf, find } = setUp({ listed });
    await actorOf();
    listed.push(quizUser());
    expect((await actorOf()).user?.user_id).toBe('u-rosa');
    expect(find).toHaveBeenCalledOnce();
  });

  test('is asked for again after a failure', async () => {
    const { actorOf, find } = setUp({ atService: [quizUser()] });
    find.mockRejectedValueOnce(new Error('the service is down'));
    await expect(actorOf()).rejects.toThrow('the service is down');
    expect((await actorOf()).user?.user_id).toBe('u-rosa');
  });

  test('counts requests about them towards their share', async () => {
    const { actorOf, find } = setUp({});
    await actorOf();
    expect(find).toHaveBeenCalledWith('rosa@quiz.example', { personId: 'U1' });
  });

  test('whose user was deleted is nobody at once, when it matters', async () => {
    const { actorOf } = setUp({ listed: [quizUser({ user_type: 'administrator' })], atService: [] });
    expect(await actorOf(true)).toMatchObject({ user: undefined, nobody: 'no quiz user' });
  });
});

test('people are read from the service right before a change only after the platform has told about all of them', async () => {
  const { identity, personOf, get } = setUp({ listed: [quizUser()], atService: [quizUser()] });
  const slow = Promise.withResolvers<void>();
  personOf.mockImplementationOnce(
    async () => (await slow.promise, { emailAddress: 'rosa@quiz.example', outsider: undefined }),
  );
  const found = identity.actorsNow(['U1', 'U2'], {});
  await expect.poll(() => personOf).toHaveBeenCalledTimes(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(get).not.toHaveBeenCalled();
  slow.resolve();
  expect((await found).map(({ personId, user }) => [personId, user?.user_id])).toEqual([
    ['U1', 'u-rosa'],
    ['U2', 'u-rosa'],
  ]);
});
