import { describe, expect, test } from 'vitest';
import {
  aDate,
  call,
  createUser,
  type Form,
  get,
  newcomer,
  ok,
  quizNamed,
  startTestService,
  userNamed,
} from '../support/service.ts';

const now = () => Date.UTC(2026, 1, 3, 16, 5, 9);
const noUser = { status: 404, body: { message: 'There is no user nope.' } };

describe('listing', () => {
  test('users have exactly the documented fields', async () => {
    const service = await startTestService();
    const users = await get(service, '/users');
    for (const user of users) {
      expect(user).toEqual({
        user_id: expect.any(String),
        user_name: expect.any(String),
        user_type: expect.stringMatching(/^(respondent|trainer|administrator)$/),
        email_address: expect.stringContaining('@'),
        first_name: expect.any(String),
        last_name: expect.any(String),
        organization: expect.any(String),
        notes: expect.any(String),
        time_zone: expect.any(String),
        suspended: expect.any(Boolean),
        manage_users: expect.any(Boolean),
        manage_groups: expect.any(Boolean),
        edit_quizzes: expect.any(Boolean),
        quizzes: user.quizzes.map(() => ({
          quiz_id: expect.any(String),
          name: expect.any(String),
          date_assigned: aDate,
        })),
        groups: user.groups.map(() => ({ group_id: expect.any(String), group_name: expect.any(String) })),
        trainerquizzes: user.trainerquizzes.map(() => ({ quiz_id: expect.any(String), name: expect.any(String) })),
        trainergroups: user.trainergroups.map(() => ({ group_id: expect.any(String), group_name: expect.any(String) })),
        date_created: aDate,
      });
    }
  });

  test('the sample people have the documented rights', async () => {
    const service = await startTestService();
    const users: Record<string, string | boolean>[] = await get(service, '/users');
    const rights = Object.fromEntries(
      users
        .slice(0, 8)
        .map(({ user_name, user_type, manage_users, manage_groups, edit_quizzes, suspended }) => [
          user_name,
          [
            user_type,
            manage_users && 'users',
            manage_groups && 'groups',
            edit_quizzes && 'quizzes',
            suspended && 'suspended',
          ]
            .filter(Boolean)
            .join(' '),
        ]),
    );
    expect(rights).toEqual({
      'ada@quiz.example': 'administrator users groups quizzes',
      'tom@quiz.example': 'trainer users groups quizzes',
      'erin@quiz.example': 'trainer quizzes',
      'uma@quiz.example': 'trainer users',
      'gus@quiz.example': 'trainer groups',
      'nora@quiz.example': 'trainer',
      'sam@quiz.example': 'trainer quizzes suspended',
      'rosa@quiz.example': 'respondent',
    });
  });

  test('a list of many pages contains every user once', async () => {
    const service = await startTestService({ sample: { users: 2500, responses: 10 } });
    const users = await get(service, '/users');
    expect(users.length).toBe(2529);
    expect(new Set(users.map((user: { user_id: string }) => user.user_id)).size).toBe(2529);
  });
});

describe('reading', () => {
  test('shows the latest attempt at each assigned quiz', async () => {
    const service = await startTestService();
    const users = await get(service, '/users');
    const statuses = new Set<string>();
    for (const listed of users) {
      const user = await get(service, `/users/${listed.user_id}`);
      expect({ ...user, quizzes: undefined }).toEqual({ ...listed, quizzes: undefined });
      for (const [i, quiz] of user.quizzes.entries()) {
        statuses.add(quiz.status);
        const responses = (await get(service, `/quizzes/${quiz.quiz_id}/responses`)).filter(
          (response: { user_id: string }) => response.user_id === user.user_id,
        );
        const latest = responses.at(-1);
        expect(quiz).toEqual({
          ...listed.quizzes[i],
          response_id: latest?.response_id ?? null,
          date_submitted: latest?.date_submitted ?? null,
          points: latest?.points ?? 0,
          available_points: latest?.available_points ?? 0,
          percentage_score: latest?.percentage_score ?? 0,
          grade: latest?.grade ?? '',
          pass: latest?.pass ?? false,
          duration: latest?.duration ?? 0,
          attempt: responses.length,
          status: latest?.status ?? 'not_started',
        });
      }
    }
    expect(statuses).toContain('submitted');
    expect(statuses).toContain('not_started');
  });

  test('an unknown user returns 404', async () => {
    const service = await startTestService();
    expect(await call(service, 'GET', '/users/nope')).toMatchObject(noUser);
  });
});

describe('finding', () => {
  test('finds a user by login name, regardless of case', async () => {
    const service = await startTestService();
    const userId = await createUser(service, { user_name: 'Zoë Smith' });
    for (const userName of ['Zoë Smith', 'ZOË SMITH', 'Zoe\u0308 smith']) {
      expect(await call(service, 'POST', '/users/find', { user_name: userName })).toMatchObject({
        status: 200,
        body: { user_id: userId },
      });
    }
  });

  test('an unknown name returns 404, a missing one 422', async () => {
    const service = await startTestService();
    const unknown = { status: 404, body: { message: 'There is no user called nobody.' } };
    expect(await call(service, 'POST', '/users/find', { user_name: 'nobody' })).toMatchObject(unknown);
    expect((await call(service, 'POST', '/users/find')).status).toBe(422);
    expect((await call(service, 'POST', '/users/find', { user_name: 'taken@elsewhere.example' })).status).toBe(404);
  });
});

describe('creating', () => {
  test('the required parameters create a respondent whose other fields are blank', async () => {
    const service = await startTestService({ sample: 'empty', now });
    const userId = await createUser(service);
    expect(await get(service, `/users/${userId}`)).toEqual({
      user_id: userId,
      user_name: 'newcomer',
      user_type: 'respondent',
      email_address: '',
      first_name: '',
      last_name: '',
      organization: '',
      notes: '',
      time_zone: 'UTC',
      suspended: false,
      manage_users: false,
      manage_groups: false,
      edit_quizzes: false,
      quizzes: [],
      groups: [],
      trainerquizzes: [],
      trainergroups: [],
      date_created: '2026-02-03 16:05:09',
    });
  });

  const everything = {
    email_address: 'new@quiz.example',
    first_name: 'New',
    last_name: 'Comer',
    suspended: 'true',
    manage_users: 'true',
    manage_groups: 'true',
    edit_quizzes: 'true',
  };

  test.each(['trainer', 'administrator'])('a %s has the given flags', async (userType) => {
    const service = await startTestService({ sample: 'empty' });
    const userId = await createUser(service, { ...everything, user_type: userType });
    expect(await get(service, `/users/${userId}`)).toMatchObject({
      user_type: userType,
      email_address: 'new@quiz.example',
      first_name: 'New',
      last_name: 'Comer',
      suspended: true,
      manage_users: true,
      manage_groups: true,
      edit_quizzes: true,
    });
  });

  test('a respondent never has flags', async () => {
    const service = await startTestService({ sample: 'empty' });
    const userId = await createUser(service, everything);
    expect(await get(service, `/users/${userId}`)).toMatchObject({
      manage_users: false,
      manage_groups: false,
      edit_quizzes: false,
      suspended: true,
    });
  });

  test.each([
    [{ user_name: '' }, 'The parameter user_name is required.'],
    [{ password: '' }, 'The parameter password is required.'],
    [{ password: '12345' }, 'The password must have at least 6 characters.'],
    [{ password: '😀😀😀😀😀' }, 'The password must have at least 6 characters.'],
    [{ user_type: '' }, 'The parameter user_type is required.'],
    [{ user_type: 'owner' }, 'The parameter user_type must be one of respondent, trainer, administrator.'],
    [{ suspended: 'yes' }, 'The parameter suspended must be one of true, false.'],
    [{ manage_users: '1' }, 'The parameter manage_users must be one of true, false.'],
    [{ email_address: 'nowhere' }, 'The parameter email_address must be an e-mail address.'],
    [{ send_welcome_email: 'maybe' }, 'The parameter send_welcome_email must be one of true, false.'],
    [
      { send_welcome_email: 'true' },
      'With send_welcome_email, user_name must be an e-mail address or email_address must be set.',
    ],
    [{ user_name: 'Ada@Quiz.Example' }, 'The user_name Ada@Quiz.Example is already taken.'],
    [{ user_name: 'taken@elsewhere.example' }, 'The user_name taken@elsewhere.example is already taken.'],
  ])('%j returns 422 and creates no user', async (form, message) => {
    const service = await startTestService();
    const before = (await get(service, '/users')).length;
    const answer = await call(service, 'POST', '/users', { ...newcomer, ...(form as Form) });
    expect(answer).toMatchObject({ status: 422, body: { message } });
    expect((await get(service, '/users')).length).toBe(before);
  });

  test('of two concurrent users with the same name, one is refused', async () => {
    const service = await startTestService();
    const answers = await Promise.all([1, 2].map(() => call(service, 'POST', '/users', newcomer)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 422]));
  });

  test('no response contains the password, and the database stores only its hash', async () => {
    const service = await startTestService();
    const userId = await createUser(service, {
      password: 'canary-7f3a',
      user_name: 'x@y.example',
      send_welcome_email: 'true',
    });
    await call(service, 'POST', `/users/${userId}`, { password: 'canary-9c1d' });
    const kept = [
      ...service.database.all('SELECT * FROM users'),
      ...service.database.all('SELECT * FROM mails'),
      ...service.database.all('SELECT * FROM requests'),
      ...(await get(service, '/users')),
    ];
    expect(JSON.stringify(kept)).not.toContain('canary');
    const hash = service.database.get<{ password_hash: string }>('SELECT password_hash FROM users WHERE user_id = ?', [
      userId,
    ]);
    expect(hash?.password_hash).toMatch(/^scrypt\$/);
  });
});

describe('updating', () => {
  test('changes only the given fields', async () => {
    const service = await startTestService();
    const { user_id } = await userNamed(service, 'tom@quiz.example');
    const path = `/users/${user_id}`;
    let expected = await get(service, path);
    for (const change of [
      { suspended: true },
      { first_name: 'Tomas' },
      { email_address: '' },
      { edit_quizzes: false },
      { user_name: 'tomas' },
      {},
    ]) {
      const form = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, String(value)]));
      expect(await call(service, 'POST', path, form)).toMatchObject(ok);
      expected = { ...expected, ...change };
      expect(await get(service, path)).toEqual(expected);
    }
  });

  test('a trainer who becomes a respondent loses the flags permanently', async () => {
    const service = await startTestService();
    const { user_id } = await userNamed(service, 'tom@quiz.example');
    await call(service, 'POST', `/users/${user_id}`, { user_type: 'respondent' });
    await call(service, 'POST', `/users/${user_id}`, { user_type: 'trainer' });
    expect(await get(service, `/users/${user_id}`)).toMatchObject({
      manage_users: false,
      manage_groups: false,
      edit_quizzes: false,
    });
  });

  test('a user can keep their name in another case, but cannot take another user’s name', async () => {
    const service = await startTestService();
    const { user_id } = await userNamed(service, 'tom@quiz.example');
    expect(await call(service, 'POST', `/users/${user_id}`, { user_name: 'TOM@quiz.example' })).toMatchObject(ok);
    const taken = await call(service, 'POST', `/users/${user_id}`, { user_name: 'ada@quiz.example' });
    expect(taken).toMatchObject({ status: 422, body: { message: 'The user_name ada@quiz.example is already taken.' } });
  });

  test.each([
    ['password', ''],
    ['password', '12345'],
    ['user_name', ''],
    ['user_type', 'boss'],
    ['edit_quizzes', ''],
    ['email_address', 'a b@c.d'],
  ])('%s=%s returns 422', async (name, value) => {
    const service = await startTestService();
    const { user_id } = await userNamed(service, 'tom@quiz.example');
    expect((await call(service, 'POST', `/users/${user_id}`, { [name]: value })).status).toBe(422);
  });

  test('an unknown user returns 404', async () => {
    const service = await startTestService();
    expect(await call(service, 'POST', '/users/nope', { first_name: 'x' })).toMatchObject(noUser);
  });
});

describe('deleting', () => {
  test('keeps the responses, without user_id and user_name', async () => {
    const service = await startTestService();
    const { quiz_id } = await quizNamed(service, 'Onboarding, week 1');
    const path = `/quizzes/${quiz_id}/responses`;
    const { user_id } = await userNamed(service, 'rosa@quiz.example');
    const before = await get(service, path);
    expect(await call(service, 'DELETE', `/users/${user_id}`)).toMatchObject(ok);
    expect((await call(service, 'GET', `/users/${user_id}`)).status).toBe(404);
    expect(await get(service, path)).toEqual(
      before.map((response: { user_id: string }) =>
        response.user_id === user_id ? { ...response, user_id: null, user_name: null } : response,
      ),
    );
    expect(await createUser(service, { user_name: 'rosa@quiz.example' })).not.toBe(user_id);
  });

  test('an unknown user returns 404', async () => {
    const service = await startTestService();
    expect(await call(service, 'DELETE', '/users/nope')).toMatchObject(noUser);
  });
});
