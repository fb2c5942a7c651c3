import { type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../../src/sandbox/quiz-service/api/handle-call.ts';
import { identifyPeer } from '../../../../src/sandbox/quiz-service/http.ts';
import { call, startTestService, testApiKey } from '../support/service.ts';

const noKey = 'The header X-API-KEY must hold a valid API key.';

test('every operation refuses a missing key and a wrong key', async () => {
  const service = await startTestService();
  for (const { method, path } of operations) {
    const wrong: Record<string, string>[] = [{}, { 'x-api-key': 'wrong' }, { 'x-api-key': `${testApiKey}x` }];
    for (const headers of wrong) {
      const answer = await call(service, method, path.replace('/api/v1', ''), undefined, headers);
      expect(answer).toMatchObject({ status: 403, body: { message: noKey } });
    }
  }
});

test('the service has the 26 operations of section 4', () => {
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(26);
});

test('an unknown path returns 404 in JSON', async () => {
  const service = await startTestService();
  for (const path of ['/webhooks', '/quizzes/', '/quizzes/a/b/c/d/e', '']) {
    expect(await call(service, 'GET', path)).toMatchObject({
      status: 404,
      body: { message: 'There is no such path.' },
    });
  }
});

test('an unsupported method returns 405 with the supported methods', async () => {
  const service = await startTestService();
  const answer = await call(service, 'PUT', '/users/some-id');
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET, POST, DELETE');
  expect(answer.body).toEqual({ message: 'PUT is not allowed here, only GET, POST, DELETE.' });
});

test('a path with an invalid encoding returns 400', async () => {
  const service = await startTestService();
  const answer = await call(service, 'GET', '/quizzes/%E0%A4%A');
  expect(answer).toMatchObject({ status: 400, body: { message: 'The path is not well encoded.' } });
});

test('path parameters are decoded', async () => {
  const service = await startTestService();
  const answer = await call(service, 'GET', '/users/a%2Fb%20c');
  expect(answer).toMatchObject({ status: 404, body: { message: 'There is no user a/b c.' } });
});

test('a body that is not form-encoded returns 400', async () => {
  const service = await startTestService();
  const answer = await fetch(`${service.url}/api/v1/quizzes`, {
    method: 'POST',
    headers: { 'x-api-key': testApiKey, 'content-type': 'application/json' },
    body: '{"name":"x"}',
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ message: 'The body must be application/x-www-form-urlencoded.' });
});

test('a body over 1 MiB returns 400, with and without an announced length', async () => {
  const service = await startTestService();
  const announced = await call(service, 'POST', '/quizzes', { name: 'x'.repeat(1024 * 1024) });
  expect(announced).toMatchObject({ status: 400, body: { message: 'The body is larger than 1 MiB.' } });

  const status = await new Promise((resolve, reject) => {
    const headers = { 'x-api-key': testApiKey, 'content-type': 'application/x-www-form-urlencoded' };
    const posting = request(`${service.url}/api/v1/quizzes`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    posting.on('error', reject);
    posting.write(`name=${'x'.repeat(1024 * 1024)}`);
  });
  expect(status).toBe(400);
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

function isSecure(remoteAddress: string, headers = {}, trustProxy = false): boolean {
  return identifyPeer({ headers, socket: { remoteAddress } } as IncomingMessage, trustProxy).isSecure;
}

describe('SSL', () => {
  test('is not required over loopback', async () => {
    const service = await startTestService();
    expect((await call(service, 'GET', '/groups')).status).toBe(200);
  });

  test('a call that a trusted proxy received over HTTP returns 403.4 before the key is checked', async () => {
    const service = await startTestService({ trustProxy: true });
    const answer = await call(service, 'GET', '/groups', undefined, { 'x-forwarded-proto': 'http' });
    expect(answer).toMatchObject({
      status: 403,
      body: { message: '403.4: SSL required. Call the service over HTTPS.' },
    });
    const secure = { 'x-api-key': testApiKey, 'x-forwarded-proto': 'https' };
    expect((await call(service, 'GET', '/groups', undefined, secure)).status).toBe(200);
  });

  test('forwarding headers have no effect without a trusted proxy', async () => {
    const service = await startTestService();
    const headers = { 'x-api-key': testApiKey, 'x-forwarded-proto': 'http' };
    expect((await call(service, 'GET', '/groups', undefined, headers)).status).toBe(200);
  });

  test('loopback is secure in any notation, other addresses are not', () => {
    expect(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'].map((address) => isSecure(address))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1'].map((address) => isSecure(address))).toEqual([
      false,
      false,
      false,
    ]);
    expect(isSecure('192.0.2.7', { 'x-forwarded-proto': 'https' })).toBe(false);
    expect(isSecure('192.0.2.7', { 'x-forwarded-proto': 'https, http' }, true)).toBe(true);
  });
});

/** Sends a request with any Host header, which `fetch` does not allow. @returns the status */
function statusAs(url: string, host: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers: { host, 'x-api-key': testApiKey } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('a host name', () => {
  test.each(['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example', 'quiz.example'])(
    '%s gets neither the API nor a page',
    async (host) => {
      const { url } = await startTestService();
      expect(await statusAs(url, host, '/api/v1/quizzes')).toBe(404);
      expect(await statusAs(url, host, '/')).toBe(404);
    },
  );

  test.each(['localhost', 'LOCALHOST:4010', '127.0.0.1', '127.0.0.1:4010', '[::1]:4010', '10.0.0.5:4010'])(
    '%s gets both',
    async (host) => {
      const { url } = await startTestService();
      expect(await statusAs(url, host, '/api/v1/quizzes')).toBe(200);
      expect(await statusAs(url, host, '/sign-in')).toBeLessThan(400);
    },
  );

  test('of the public URL gets both, as a proxy sends it', async () => {
    const { url } = await startTestService({ publicUrl: 'https://quiz.example' });
    expect(await statusAs(url, 'quiz.example', '/api/v1/quizzes')).toBe(200);
    expect(await statusAs(url, 'other.example', '/api/v1/quizzes')).toBe(404);
  });
});
