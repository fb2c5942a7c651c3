import { describe, expect, test } from 'vitest';
import type { QuizService } from '../../../../src/sandbox/quiz-service/service.ts';
import { aDate, aUuid, call, get, ok, quizNamed, startTestService } from '../support/service.ts';

const now = () => Date.UTC(2026, 1, 3, 16, 5, 9);

async function createQuiz(service: QuizService, name: string): Promise<string> {
  return (await call(service, 'POST', '/quizzes', { name })).body.quiz_id;
}

const noQuiz = { status: 404, body: { message: 'There is no quiz nope.' } };

describe('listing and reading', () => {
  test('quizzes have exactly the documented fields', async () => {
    const service = await startTestService();
    const quizzes = await get(service, '/quizzes');
    expect(new Set(quizzes.map((quiz: { status: string }) => quiz.status))).toEqual(
      new Set(['in_design', 'open', 'closed']),
    );
    for (const quiz of quizzes) {
      expect(quiz).toEqual({
        quiz_id: aUuid,
        name: expect.any(String),
        status: expect.any(String),
        date_created: aDate,
      });
      expect(await get(service, `/quizzes/${quiz.quiz_id}`)).toEqual(quiz);
    }
  });

  test('an empty account has no quizzes', async () => {
    const service = await startTestService({ sample: 'empty' });
    expect(await get(service, '/quizzes')).toEqual([]);
  });

  test('an unknown quiz returns 404', async () => {
    const service = await startTestService();
    expect(await call(service, 'GET', '/quizzes/nope')).toMatchObject(noQuiz);
  });
});

describe('creating', () => {
  test('a new quiz is in design, with a UTC date on the 24-hour clock', async () => {
    const service = await startTestService({ sample: 'empty', now });
    const name = 'Grüße & <b> 🎓 "x"';
    const quizId = await createQuiz(service, name);
    expect(await get(service, `/quizzes/${quizId}`)).toEqual({
      quiz_id: quizId,
      name,
      status: 'in_design',
      date_created: '2026-02-03 16:05:09',
    });
  });

  test.each([[{}], [{ name: '' }], [{ name: '  ' }]])('a quiz without a name returns 422: %j', async (form) => {
    const service = await startTestService();
    const answer = await call(service, 'POST', '/quizzes', form);
    expect(answer).toMatchObject({ status: 422, body: { message: 'The parameter name is required.' } });
  });
});

describe('updating', () => {
  test('changes the given fields only, and opens and closes from every status', async () => {
    const service = await startTestService({ sample: 'empty' });
    const path = `/quizzes/${await createQuiz(service, 'First')}`;
    for (const status of ['open', 'closed', 'closed', 'open', 'open']) {
      expect(await call(service, 'POST', path, { status })).toMatchObject(ok);
      expect(await get(service, path)).toMatchObject({ name: 'First', status });
    }
    expect(await call(service, 'POST', path, { name: 'Second' })).toMatchObject(ok);
    expect(await get(service, path)).toMatchObject({ name: 'Second', status: 'open' });
    expect(await call(service, 'POST', path)).toMatchObject(ok);
    expect(await get(service, path)).toMatchObject({ name: 'Second', status: 'open' });
  });

  test.each([
    [{ status: 'in_design' }, 'The parameter status must be one of open, closed.'],
    [{ status: '' }, 'The parameter status must be one of open, closed.'],
    [{ status: 'open', name: '' }, 'The parameter name is required.'],
  ])('an invalid value returns 422 and changes nothing: %j', async (form, message) => {
    const service = await startTestService({ sample: 'empty' });
    const path = `/quizzes/${await createQuiz(service, 'First')}`;
    expect(await call(service, 'POST', path, form)).toMatchObject({ status: 422, body: { message } });
    expect(await get(service, path)).toMatchObject({ name: 'First', status: 'in_design' });
  });

  test('an unknown quiz returns 404', async () => {
    const service = await startTestService();
    expect(await call(service, 'POST', '/quizzes/nope', { status: 'open' })).toMatchObject(noQuiz);
  });
});

describe('deleting', () => {
  test('also deletes responses and assignments', async () => {
    const service = await startTestService();
    const { quiz_id } = await quizNamed(service, 'Workplace safety basics');
    const holders = (await get(service, '/users')).filter(({ quizzes }: { quizzes: { quiz_id: string }[] }) =>
      quizzes.some((quiz) => quiz.quiz_id === quiz_id),
    );
    expect(holders.length).toBeGreaterThan(0);

    expect(await call(service, 'DELETE', `/quizzes/${quiz_id}`)).toMatchObject(ok);
    for (const path of ['', '/responses', '/groups']) {
      expect((await call(service, 'GET', `/quizzes/${quiz_id}${path}`)).status).toBe(404);
    }
    expect(JSON.stringify(await get(service, '/users'))).not.toContain(quiz_id);
  });

  test('an unknown or already deleted quiz returns 404', async () => {
    const service = await startTestService();
    expect(await call(service, 'DELETE', '/quizzes/nope')).toMatchObject(noQuiz);
  });
});

describe('copying', () => {
  test('creates a quiz in design with the new name and the questions, without responses', async () => {
    const service = await startTestService({ now });
    const { quiz_id } = await quizNamed(service, 'Workplace safety basics');
    const { body } = await call(service, 'POST', `/quizzes/${quiz_id}/copy`, { name: 'Safety, new' });
    expect(await get(service, `/quizzes/${body.quiz_id}`)).toEqual({
      quiz_id: body.quiz_id,
      name: 'Safety, new',
      status: 'in_design',
      date_created: '2026-02-03 16:05:09',
    });
    expect(await get(service, `/quizzes/${body.quiz_id}/responses`)).toEqual([]);
    expect(await get(service, `/quizzes/${body.quiz_id}/groups`)).toEqual([]);
    await call(service, 'POST', `/quizzes/${body.quiz_id}`, { status: 'open' });
    const page = await (await fetch(`${service.url}/take/${body.quiz_id}`)).text();
    expect(page).toContain('<dt>Questions</dt><dd>7</dd>');
  });

  test('without a name, calls the quiz a copy', async () => {
    const service = await startTestService();
    const { quiz_id } = await quizNamed(service, 'Forklift theory test');
    const { body } = await call(service, 'POST', `/quizzes/${quiz_id}/copy`);
    expect(await get(service, `/quizzes/${body.quiz_id}`)).toMatchObject({ name: 'Copy of Forklift theory test' });
  });

  test('a blank name returns 422, an unknown quiz 404', async () => {
    const service = await startTestService();
    const { quiz_id } = await quizNamed(service, 'Forklift theory test');
    expect((await call(service, 'POST', `/quizzes/${quiz_id}/copy`, { name: '' })).status).toBe(422);
    expect(await call(service, 'POST', '/quizzes/nope/copy')).toMatchObject(noQuiz);
  });
});

describe('groups of a quiz', () => {
  test('assigning and unassigning are idempotent', async () => {
    const service = await startTestService();
    const quizId = await createQuiz(service, 'For all');
    const [kitchen, warehouse] = await get(service, '/groups');
    const path = `/quizzes/${quizId}/groups`;
    for (const group of [warehouse, kitchen, warehouse]) {
      expect(await call(service, 'POST', path, { group_id: group.group_id })).toMatchObject(ok);
    }
    expect(await get(service, path)).toEqual([warehouse, kitchen]);
    for (const group of [warehouse, warehouse]) {
      expect(await call(service, 'DELETE', path, { group_id: group.group_id })).toMatchObject(ok);
    }
    expect(await get(service, path)).toEqual([kitchen]);
  });

  test.each(['POST', 'DELETE'])('%s returns 404 for an unknown quiz or group', async (method) => {
    const service = await startTestService();
    const { quiz_id } = await quizNamed(service, 'Workplace safety basics');
    const [group] = await get(service, '/groups');
    const path = `/quizzes/${quiz_id}/groups`;
    expect(await call(service, method, '/quizzes/nope/groups', { group_id: group.group_id })).toMatchObject(noQuiz);
    expect(await call(service, method, path, { group_id: 'nope' })).toMatchObject({
      status: 404,
      body: { message: 'There is no group nope.' },
    });
    expect(await call(service, method, path)).toMatchObject({
      status: 422,
      body: { message: 'The parameter group_id is required.' },
    });
  });

  test('an unknown quiz returns 404', async () => {
    const service = await startTestService();
    expect(await call(service, 'GET', '/quizzes/nope/groups')).toMatchObject(noQuiz);
  });
});
