import * as fc from 'fast-check';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createRateLimit } from '../../../src/sandbox/quiz-service/api/handle-call.ts';
import { identifyPeer } from '../../../src/sandbox/quiz-service/http.ts';
import { call, createUser, get, newcomer, quizNamed, startTestService, testApiKey } from './support/service.ts';

// What test/contract doesn't say, which has the success and every refusal of each operation.

describe('a request that no operation takes', () => {
  test.each([
    ['GET', '/webhooks', 404, 'There is no such path.'],
    ['GET', '/quizzes/', 404, 'There is no such path.'],
    ['GET', '', 404, 'There is no such path.'],
    ['PUT', '/users/some-id', 405, 'PUT is not allowed here, only GET, POST, DELETE.'],
    ['GET', '/quizzes/%E0%A4%A', 400, 'The path is not well encoded.'],
    ['GET', '/users/a%2Fb%20c', 404, 'There is no user a/b c.'],
  ])('%s %s answers %i', async (method, path, status, message) => {
    const answer = await call(await startTestService(), method, path);
    expect(answer).toMatchObject({ status, body: { message } });
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, POST, DELETE' : null);
  });

  test('has another body than a form', async () => {
    const { url } = await startTestService();
    const headers = { 'x-api-key': testApiKey, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/quizzes`, { method: 'POST', headers, body: '{"name":"x"}' });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { message: 'The body must be application/x-www-form-urlencoded.' },
    ]);
  });

  test('has a body over 1 MiB whose length was not announced', async () => {
    const { url } = await startTestService();
    const status = await new Promise((resolve, reject) => {
      const headers = { 'x-api-key': testApiKey, 'content-type': 'application/x-www-form-urlencoded' };
      const posting = request(`${url}/api/v1/quizzes`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      posting.on('error', reject);
      posting.write(`name=${'x'.repeat(1024 * 1024)}`);
    });
    expect(status).toBe(400);
  });
});

test('latency delays the response but not the work, and closing does not wait for it', async () => {
  const service = await startTestService({ sample: 'empty', latencyMs: 3_600_000 });
  let isAnswered = false;
  const slow = call(service, 'POST', '/quizzes', { name: 'Slow' }).finally(() => {
    isAnswered = true;
  });
  await expect.poll(() => service.database.all('SELECT name FROM quizzes')).toHaveLength(1);
  expect(isAnswered).toBe(false);
  await service.close();
  expect((await slow).status).toBe(200);
});

describe('SSL', () => {
  test('is required before the key where a trusted proxy says so, and nothing else says so', async () => {
    const statusWith = async (headers: Record<string, string>, trustProxy = true) =>
      (await call(await startTestService({ trustProxy }), 'GET', '/groups', undefined, headers)).status;
    expect(await statusWith({ 'x-forwarded-proto': 'http' })).toBe(403);
    expect(await statusWith({ 'x-api-key': testApiKey, 'x-forwarded-proto': 'https' })).toBe(200);
    expect(await statusWith({ 'x-api-key': testApiKey, 'x-forwarded-proto': 'http' }, false)).toBe(200);
  });

  test.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['192.0.2.7', false],
    ['::ffff:192.0.2.7', false],
    ['2001:db8::1', false],
  ])('counts %s as secure: %s', (remoteAddress, isSecure) => {
    const peer = (headers: object, trustsProxy: boolean) =>
      identifyPeer({ headers, socket: { remoteAddress } } as IncomingMessage, trustsProxy);
    expect(peer({}, false).isSecure).toBe(isSecure);
    expect(peer({ 'x-forwarded-proto': 'https' }, false).isSecure).toBe(isSecure);
    expect(peer({ 'x-forwarded-proto': 'https, http' }, true).isSecure).toBe(true);
  });
});

describe('a host name', () => {
  /** Sends a request with any Host header, which `fetch` does not allow. */
  const statusAs = async (url: string, host: string, path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${url}${path}`, { headers: { host, 'x-api-key': testApiKey } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  test.each(['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example', 'other.example'])(
    '%s gets neither the API nor a page',
    async (host) => {
      const { url } = await startTestService({ publicUrl: 'https://quiz.example' });
      expect(await statusAs(url, host, '/api/v1/quizzes')).toBe(404);
      expect(await statusAs(url, host, '/')).toBe(404);
    },
  );

  test.each(['localhost', 'LOCALHOST:4010', '127.0.0.1:4010', '[::1]:4010', '10.0.0.5', 'quiz.example'])(
    '%s gets both',
    async (host) => {
      const { url } = await startTestService({ publicUrl: 'https://quiz.example' });
      expect(await statusAs(url, host, '/api/v1/quizzes')).toBe(200);
      expect(await statusAs(url, host, '/')).toBe(200);
    },
  );
});

describe('the rate limit', () => {
  test('allows the next call exactly one window after the first', () => {
    let time = 0;
    const limit = createRateLimit([{ limit: 2, windowMs: 60_000 }], () => time);
    const takenAt = (ms: number): number => {
      time = ms;
      return limit.take();
    };
    expect([0, 10_000, 10_000, 59_999, 60_000, 60_000].map(takenAt)).toEqual([0, 0, 50_000, 1, 0, 10_000]);
  });

  test('never exceeds the limit of any window, and refuses only when a window is full', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 400 }), { maxLength: 300 }), (gaps) => {
        const windows = [
          { limit: 3, windowMs: 500 },
          { limit: 7, windowMs: 3000 },
        ];
        let time = 0;
        const taken: number[] = [];
        const limit = createRateLimit(windows, () => time);
        for (const gap of gaps) {
          time += gap;
          const within = ({ windowMs }: { windowMs: number }) => taken.filter((at) => at > time - windowMs).length;
          const isFull = windows.some((window) => within(window) >= window.limit);
          expect(limit.take() > 0).toBe(isFull);
          if (!isFull) taken.push(time);
        }
      }),
    );
  });

  test('does not count calls without a valid key', async () => {
    const service = await startTestService({ ratePerMinute: 1, now: () => 0 });
    await call(service, 'GET', '/groups', undefined, { 'x-api-key': 'wrong' });
    expect((await call(service, 'GET', '/groups')).status).toBe(200);
  });
});

interface SampleResponse {
  response_id: string;
  user_id: string | null;
  status: string;
  points: number;
}

async function responsesOf(name: string) {
  const service = await startTestService();
  const { quiz_id } = await quizNamed(service, name);
  const path = `/quizzes/${quiz_id}/responses`;
  const responses: SampleResponse[] = await get(service, path);
  return { service, path, submitted: responses.filter(({ status }) => status === 'submitted') };
}

test('available points have two fraction digits, in lists, in single responses and in users', async () => {
  const { service, path, submitted } = await responsesOf('Workplace safety basics');
  const { response_id, user_id } = submitted.find((response) => response.user_id !== null)!;
  for (const read of [path, `${path}/${response_id}`, `/users/${user_id}`]) {
    const answer = await fetch(`${service.url}/api/v1${read}`, { headers: { 'x-api-key': testApiKey } });
    const written = (await answer.text()).match(/"available_points":[^,]*/g);
    expect(written).toContain('"available_points":9.00');
    for (const field of written ?? []) expect(field).toMatch(/:\d+\.\d\d$/);
  }
});

test('the points of the questions add up to those of the response', async () => {
  const { service, path, submitted } = await responsesOf('Workplace safety basics');
  for (const { response_id, points } of submitted) {
    const questions: { points_scored: number }[] = await get(service, `${path}/${response_id}/questions`);
    expect(questions.reduce((sum, { points_scored }) => sum + points_scored, 0)).toBeCloseTo(points);
  }
});

test('a user has the latest attempt at each assigned quiz', async () => {
  const service = await startTestService();
  const statuses = new Set<string>();
  for (const { user_id } of await get(service, '/users'))
    for (const quiz of (await get(service, `/users/${user_id}`)).quizzes) {
      const responses: SampleResponse[] = await get(service, `/quizzes/${quiz.quiz_id}/responses`);
      const own = responses.filter((response) => response.user_id === user_id);
      const { response_id = null, points = 0, status = 'not_started' } = own.at(-1) ?? {};
      expect(quiz).toMatchObject({ response_id, points, status, attempt: own.length });
      statuses.add(quiz.status);
    }
  expect([...statuses]).toEqual(expect.arrayContaining(['submitted', 'not_started']));
});

test('a copy has the questions of its quiz', async () => {
  const service = await startTestService();
  const { quiz_id } = await quizNamed(service, 'Workplace safety basics');
  const { body } = await call(service, 'POST', `/quizzes/${quiz_id}/copy`);
  await call(service, 'POST', `/quizzes/${body.quiz_id}`, { status: 'open' });
  const page = await fetch(`${service.url}/take/${body.quiz_id}`);
  expect(await page.text()).toContain('<dt>Questions</dt><dd>7</dd>');
});

test('a list of many pages contains every user once', async () => {
  const service = await startTestService({ sample: { users: 2500, responses: 10 } });
  const users: { user_id: string }[] = await get(service, '/users');
  expect([users.length, new Set(users.map(({ user_id }) => user_id)).size]).toEqual([2529, 2529]);
});

test('of two concurrent users with the same name, one is refused', async () => {
  const service = await startTestService();
  const answers = await Promise.all([1, 2].map(() => call(service, 'POST', '/users', newcomer)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
});

test('no response contains the password, and the database stores only its hash', async () => {
  const service = await startTestService();
  const welcomed = { user_name: 'x@y.example', password: 'canary-7f3a', send_welcome_email: 'true' };
  const userId = await createUser(service, welcomed);
  await call(service, 'POST', `/users/${userId}`, { password: 'canary-9c1d' });
  const kept = service.database.all('SELECT * FROM users');
  expect(JSON.stringify([kept, await get(service, '/users')])).not.toContain('canary');
  expect(service.database.get('SELECT password_hash FROM users WHERE user_id = ?', [userId])).toEqual({
    password_hash: expect.stringMatching(/^scrypt\$/),
  });
});
