import { describe, expect, test } from 'vitest';
import { recordingLog } from '../support/log.ts';
import { createMockService } from '../support/mock-service.ts';
import { quizAnswer } from '../support/service-answers.ts';

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => new Error('nothing failed'),
    (error: unknown) => error,
  );
}

describe('the error of a failed call has method, path, status and the message of the service', () => {
  test.each([
    [400, 'bad request'],
    [401, 'forbidden'],
    [409, 'bad request'],
    [503, 'service failed'],
    [304, 'other'],
  ])('with status %i', async (status, reason) => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes/q-1', method: 'DELETE' }).reply(status, { message: 'Not  today' });
    const error = await failure(api.quizzes.delete('q-1'));
    expect(error).toMatchObject({
      message: `DELETE /v1/quizzes/q-1 (quizzes.delete) answered ${status} and gave a reason (9 characters)`,
      reason,
      operation: 'quizzes.delete',
      method: 'DELETE',
      path: '/v1/quizzes/q-1',
      status,
      serviceMessage: 'Not today',
    });
  });

  test.each([
    ['{"Message":"Not today"}', 'Not today'],
    ['"Not today"', 'Not today'],
    ['Not today', 'Not today'],
    ['\ufeff{"message":"Not today"}', 'Not today'],
    ['{"message":"<p>Not <b>today</b>&nbsp;</p>"}', 'Not today'],
    ['{"message":["Not today"]}', undefined],
    ['[]', undefined],
  ])('with the text of %s', async (body, serviceMessage) => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes', method: 'POST' }).reply(422, body);
    expect(await failure(api.quizzes.create({ name: 'x' }))).toMatchObject({
      name: 'BadRequestError',
      serviceMessage,
      isFromService: true,
    });
  });

  test.each([
    ['', '', ''],
    [
      '<!DOCTYPE html><html><head><title>Bad\nGateway</title></head><body>…</body></html>',
      ' and gave a reason (11 characters)',
      'Bad Gateway',
    ],
    ['x'.repeat(200_000), ' and gave a reason (301 characters)', `${'x'.repeat(300)}…`],
  ])(
    'with nothing of an empty body, the title of a page, and the beginning of a long text',
    async (body, reason, serviceMessage) => {
      const { service, api } = createMockService();
      service.intercept({ path: '/api/v1/quizzes', method: 'POST' }).reply(400, body);
      expect(await failure(api.quizzes.create({ name: 'x' }))).toMatchObject({
        message: `POST /v1/quizzes (quizzes.create) answered 400${reason}`,
        serviceMessage,
      });
    },
  );
});

describe('what the service says stays out of the log', () => {
  const name = 'Almeida-Canary';
  const texts = {
    'JSON with a message': JSON.stringify({ message: `The user Rosa ${name} is locked` }),
    'a JSON string': JSON.stringify(`${name} is locked`),
    'a text': `${name} is locked`,
    'a page': `<!DOCTYPE html><html><head><title>${name}</title></head><body>${name}</body></html>`,
    'JSON of another shape': JSON.stringify({ quiz_id: { [name]: name }, name: [name], [name]: 1 }),
  };
  const statuses = [200, 301, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503];

  test.each(
    statuses.flatMap((status) => Object.keys(texts).map((what) => [status, what as keyof typeof texts] as const)),
  )('with status %i and %s', async (status, what) => {
    const { service, api } = createMockService({ sleep: async () => {} });
    for (const call of [{ path: '/api/v1/quizzes/q-1' }, { path: '/api/v1/groups' }])
      service
        .intercept(call)
        .reply(status, texts[what], { headers: { 'retry-after': '900' } })
        .persist();
    const deadline = { deadline: Date.now() + 60_000 };
    const { log, lines } = recordingLog();
    for (const promise of [api.quizzes.get('q-1', deadline), api.groups.list(deadline)])
      log.error({ error: await failure(promise) }, 'a call failed');
    expect(lines).toHaveLength(2);
    expect(lines.filter((line) => /"name":"(?:DeadlinePassed|Budget)Error"/.test(line))).toEqual([]);
    expect(lines.join('')).not.toContain('Canary');
  });
});

const page = (title: string) => `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body>…</body></html>`;

describe('the reason of the error tells', () => {
  test.each([
    ['a wrong address by a redirect', 301, page('Object moved'), 'wrong address'],
    ['a wrong address by a redirect', 302, '', 'wrong address'],
    ['a wrong address by a redirect', 307, '', 'wrong address'],
    ['a wrong address by a redirect', 308, '', 'wrong address'],
    ['a firewall by a page with 403', 403, page('Attention Required! | Firewall'), 'firewall'],
    ['that SSL is required by 403.4', 403, '{"code":"403.4","message":"Use a secure connection"}', 'SSL required'],
    ['that SSL is required by a page', 403, page('403.4 - Forbidden'), 'SSL required'],
    ['that SSL is required by a text', 403, 'SSL is required', 'SSL required'],
    ['a refused key by JSON', 403, '{"Message":"Authorization has been denied for this request."}', 'forbidden'],
    ['a refused key by text', 403, 'Forbidden', 'forbidden'],
    ['a refused key by 401, even as a page', 401, page('Unauthorized'), 'forbidden'],
  ])('%s (%i %j)', async (_, status, body, reason) => {
    const { service, api } = createMockService();
    // A redirect is not followed.
    service
      .intercept({ path: '/api/v1/groups' })
      .reply(status, body, { headers: { location: 'https://elsewhere.example/' } });
    const error = await failure(api.groups.list());
    expect(error).toMatchObject({
      reason,
      status,
      message: expect.stringContaining(`GET /v1/groups (groups.list) answered ${status}`),
    });
  });

  test('whether a 404 is the service’s own', async () => {
    const { service, api } = createMockService();
    for (const [body, isFromService] of [
      [page('404'), false],
      ['{"message":"No such quiz"}', true],
      ['No such quiz', true],
      ['', true],
    ] as const) {
      service.intercept({ path: '/api/v1/quizzes/q-1' }).reply(404, body);
      expect(await failure(api.quizzes.get('q-1'))).toMatchObject({ name: 'NotFoundError', isFromService });
    }
  });
});

test('no error contains the key or a password, even when the service repeats them', async () => {
  const { service, api } = createMockService({ apiKey: 'canary-key' });
  service
    .intercept({ path: '/api/v1/users', method: 'POST' })
    .reply(422, { message: 'canary-password is too weak for canary-key' });
  const error = await failure(api.users.create({ user_name: 'ada', password: 'canary-password' }));
  expect(error).toMatchObject({ serviceMessage: '[secret] is too weak for [secret]' });
  expect(JSON.stringify([error, String(error), error instanceof Error && error.stack])).not.toContain('canary');
});

describe('an answer that is not JSON', () => {
  test('is a page in answer to a write, which may be done all the same', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/users/u-1', method: 'DELETE' }).reply(200, page('Sign in'));
    service.intercept({ path: '/api/v1/users', method: 'POST' }).reply(200, page('Sign in'));
    for (const write of [api.users.delete('u-1'), api.users.create({ user_name: 'ada' })])
      expect(await failure(write)).toMatchObject({ reason: 'not JSON' });
  });

  test.each(['', '[', '[1', '[{"quiz_id":"q-1"', '<html></html>', 'null,', '[] []', '[,]'])(
    'in a list: %j',
    async (text) => {
      const { service, api } = createMockService();
      service.intercept({ path: '/api/v1/quizzes' }).reply(200, text);
      expect(await failure(api.quizzes.list())).toMatchObject({ reason: 'not JSON' });
    },
  );
});

describe('the error for invalid JSON content', () => {
  test('names the field', async () => {
    const { service, api } = createMockService();
    service
      .intercept({ path: '/api/v1/quizzes/q-1' })
      .reply(200, quizAnswer({ quiz_id: { private: 'ada@example.com' } }));
    const error = await failure(api.quizzes.get('q-1'));
    expect(error).toMatchObject({ reason: 'invalid answer', status: 200 });
    expect(String(error)).toContain(
      'GET /v1/quizzes/q-1 (quizzes.get) answered 200, but quiz_id is wrong: an id belongs here',
    );
    expect(String(error)).not.toContain('ada@example.com');
  });

  test('covers an object instead of a list and a list instead of an object', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes' }).reply(200, { list: [] });
    service.intercept({ path: '/api/v1/quizzes/q-1' }).reply(200, [quizAnswer()]);
    for (const call of [api.quizzes.list(), api.quizzes.get('q-1')])
      expect(await failure(call)).toMatchObject({
        reason: 'invalid answer',
        message: expect.stringContaining('the answer is wrong'),
      });
  });
});

test.each([
  'ftp://quiz.example',
  'quiz.example',
  'https://ada:secret@quiz.example',
  'https://quiz.example/?a=b',
  'https://quiz.example/#x',
])('a base URL of %s is refused without repeating it', (baseUrl) => {
  expect(() => createMockService({ baseUrl })).toThrow('baseUrl must be an http or https address');
});

test('the error after the last retry says when the service accepts requests again', async () => {
  const { service, api } = createMockService({ now: () => Date.UTC(2025, 0, 1) });
  service
    .intercept({ path: '/api/v1/groups' })
    .reply(429, { message: 'Exceeded request rate limit' }, { headers: { 'retry-after': '20' } });
  const error = await failure(api.groups.list({ deadline: Date.UTC(2025, 0, 1) + 10_000 }));
  expect(error).toMatchObject({
    reason: 'rate limited',
    availableAt: new Date('2025-01-01T00:00:20Z'),
    serviceMessage: 'Exceeded request rate limit',
  });
});
