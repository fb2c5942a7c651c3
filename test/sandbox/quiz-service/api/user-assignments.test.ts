import { describe, expect, test } from 'vitest';
import { call, createUser, get, ok, startTestService } from '../support/service.ts';

const noUser = { status: 404, body: { message: 'There is no user nope.' } };

function assigned(quiz: { quiz_id: string; name: string }, dateAssigned: string) {
  return { quiz_id: quiz.quiz_id, name: quiz.name, date_assigned: dateAssigned };
}

describe('quizzes of a user', () => {
  test('assigning and unassigning are idempotent, and the first date stays', async () => {
    let time = Date.UTC(2026, 1, 3, 16, 5, 9);
    const service = await startTestService({ now: () => time });
    const path = `/users/${await createUser(service)}/quizzes`;
    const [first, second] = await get(service, '/quizzes');

    for (const quiz of [second, first, second]) {
      expect(await call(service, 'POST', path, { quiz_id: quiz.quiz_id })).toMatchObject(ok);
      time += 1000;
    }
    expect(await get(service, path)).toEqual([
      assigned(second, '2026-02-03 16:05:09'),
      assigned(first, '2026-02-03 16:05:10'),
    ]);
    for (const quiz of [second, second])
      expect(await call(service, 'DELETE', path, { quiz_id: quiz.quiz_id })).toMatchObject(ok);
    expect(await get(service, path)).toEqual([assigned(first, '2026-02-03 16:05:10')]);
  });

  test('an unknown user returns 404', async () => {
    const service = await startTestService();
    expect(await call(service, 'GET', '/users/nope/quizzes')).toMatchObject(noUser);
  });

  test.each(['POST', 'DELETE'])('%s returns 404 for an unknown user or quiz', async (method) => {
    const service = await startTestService();
    const path = `/users/${await createUser(service)}/quizzes`;
    const [quiz] = await get(service, '/quizzes');
    expect(await call(service, method, '/users/nope/quizzes', { quiz_id: quiz.quiz_id })).toMatchObject(noUser);
    expect(await call(service, method, path, { quiz_id: 'nope' })).toMatchObject({
      status: 404,
      body: { message: 'There is no quiz nope.' },
    });
    expect(await call(service, method, path)).toMatchObject({
      status: 422,
      body: { message: 'The parameter quiz_id is required.' },
    });
  });
});

describe('groups of a user', () => {
  test('joining and leaving are idempotent', async () => {
    const service = await startTestService();
    const userId = await createUser(service);
    const [kitchen, warehouse] = await get(service, '/groups');
    for (const group of [warehouse, kitchen, warehouse]) {
      expect(await call(service, 'POST', `/users/${userId}/groups`, { group_id: group.group_id })).toMatchObject(ok);
    }
    expect((await get(service, `/users/${userId}`)).groups).toEqual([warehouse, kitchen]);
    for (const group of [warehouse, warehouse]) {
      expect(await call(service, 'DELETE', `/users/${userId}/groups`, { group_id: group.group_id })).toMatchObject(ok);
    }
    expect((await get(service, `/users/${userId}`)).groups).toEqual([kitchen]);
  });

  test.each(['POST', 'DELETE'])('%s returns 404 for an unknown user or group', async (method) => {
    const service = await startTestService();
    const path = `/users/${await createUser(service)}/groups`;
    const [group] = await get(service, '/groups');
    expect(await call(service, method, '/users/nope/groups', { group_id: group.group_id })).toMatchObject(noUser);
    expect(await call(service, method, path, { group_id: 'nope' })).toMatchObject({
      status: 404,
      body: { message: 'There is no group nope.' },
    });
    expect(await call(service, method, path)).toMatchObject({
      status: 422,
      body: { message: 'The parameter group_id is required.' },
    });
  });
});

test('lists all groups with exactly the documented fields', async () => {
  const service = await startTestService();
  const groups = await get(service, '/groups');
  expect(groups.map((group: { group_name: string }) => group.group_name)).toEqual([
    'Kitchen',
    'Warehouse',
    'Front desk',
    'Night shift',
  ]);
  for (const group of groups) expect(group).toEqual({ group_id: expect.any(String), group_name: expect.any(String) });
});
