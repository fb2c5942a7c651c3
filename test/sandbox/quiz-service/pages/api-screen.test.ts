import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { QuizService, QuizServiceOptions } from '../../../../src/sandbox/quiz-service/service.ts';
import { startReceiver, testApiKey, call, quizNamed, startTestService } from '../support/service.ts';
import { takeAsGuest, visit, type Visited } from '../support/respondent.ts';

interface Owner {
  open: (path: string) => Promise<Visited>;
  send: (path: string, form?: Record<string, string>) => Promise<Visited>;
}

async function signInAsOwner(service: QuizService): Promise<Owner> {
  const password = await service.setOwnerPassword();
  const { cookie = '' } = await visit(service, '/account/sign-in', { form: { password } });
  const open = (path: string) => visit(service, path, { cookie });
  const formToken = /name="form_token" value="([^"]+)"/.exec((await open('/account')).text)?.[1] ?? '';
  return {
    open,
    send: (path, form = {}) => visit(service, path, { cookie, form: { form_token: formToken, ...form } }),
  };
}

async function openAsOwner(options: Partial<QuizServiceOptions> = {}) {
  const service = await startTestService(options);
  return { service, owner: await signInAsOwner(service) };
}

async function statusWith(service: QuizService, key: string): Promise<number> {
  return (await call(service, 'GET', '/groups', undefined, { 'x-api-key': key })).status;
}

describe('the owner', () => {
  const pages = ['/account', '/account/requests', '/account/outbox'];
  const actions = [
    '/account/key/roll',
    '/account/key/delete',
    '/account/key/create',
    '/account/webhooks',
    '/account/outbox/x/password',
  ];

  test('signs in with the password of the first start', async () => {
    const service = await startTestService();
    for (const path of pages) expect((await visit(service, path)).location).toBe('/account/sign-in');
    for (const path of actions) expect((await visit(service, path, { form: {} })).location).toBe('/account/sign-in');
    const wrong = await visit(service, '/account/sign-in', { form: { password: 'guess' } });
    expect(wrong).toMatchObject({ status: 403, cookie: undefined });
    const owner = await signInAsOwner(service);
    for (const path of pages) expect((await owner.open(path)).status).toBe(200);
    expect(service.apiKey).toBe(testApiKey);
  });

  test('has pages that a signed-in user cannot open', async () => {
    const service = await startTestService();
    await call(service, 'POST', '/users', { user_name: 'boss', password: 'secret', user_type: 'administrator' });
    const { cookie = '' } = await visit(service, '/sign-in', { form: { user_name: 'boss', password: 'secret' } });
    const asOwner = cookie.replace('user_session', 'owner_session');
    for (const path of pages)
      expect((await visit(service, path, { cookie: asOwner })).location).toBe('/account/sign-in');
  });

  test('has forms that other pages cannot submit', async () => {
    const { service, owner } = await openAsOwner();
    for (const path of actions) {
      expect((await owner.send(path, { form_token: '' })).status).toBe(403);
      expect((await owner.send(path, { form_token: 'x'.repeat(22) })).status).toBe(403);
    }
    expect(service.apiKey).toBe(testApiKey);
  });

  test('signs out', async () => {
    const { owner } = await openAsOwner();
    await owner.send('/account/sign-out');
    expect((await owner.open('/account')).location).toBe('/account/sign-in');
  });
});

describe('the key', () => {
  test('stops working when it is rolled, and the new key works', async () => {
    const { service, owner } = await openAsOwner();
    await owner.send('/account/key/roll');
    expect(service.apiKey).not.toBe(testApiKey);
    expect(await statusWith(service, testApiKey)).toBe(403);
    expect(await statusWith(service, service.apiKey)).toBe(200);
  });

  test('has a rate limit of its own', async () => {
    const { service, owner } = await openAsOwner({ ratePerMinute: 1 });
    expect(await statusWith(service, testApiKey)).toBe(200);
    expect(await statusWith(service, testApiKey)).toBe(429);
    await owner.send('/account/key/roll');
    expect(await statusWith(service, service.apiKey)).toBe(200);
    expect(await statusWith(service, service.apiKey)).toBe(429);
  });

  test('leaves no log record of a call in flight when it is deleted', async () => {
    const { service, owner } = await openAsOwner();
    const headers = {
      'x-api-key': testApiKey,
      'content-type': 'application/x-www-form-urlencoded',
      expect: '100-continue',
    };
    const posting = request(`${service.url}/api/v1/quizzes`, { method: 'POST', headers });
    await once(posting, 'continue');
    await owner.send('/account/key/delete');
    posting.end('name=Late');
    const [answer]: IncomingMessage[] = await once(posting, 'response');
    answer?.resume();
    expect(answer?.statusCode).toBe(200);
    expect((await owner.open('/account/requests')).text).toContain('No requests yet.');
  });

  test('takes its log along when it is deleted, and can be created again', async () => {
    const { service, owner } = await openAsOwner();
    await call(service, 'GET', '/groups');
    await owner.send('/account/key/delete');
    expect(await statusWith(service, testApiKey)).toBe(403);
    expect(await statusWith(service, '')).toBe(403);
    expect((await owner.open('/account/requests')).text).toContain('No requests yet.');
    expect((await owner.open('/account')).text).toContain('This account has no API key, so it refuses every call.');
    await owner.send('/account/key/create');
    expect(await statusWith(service, service.apiKey)).toBe(200);
  });
});

describe('the log', () => {
  test('contains every request with a valid key, including refused ones, and no others', async () => {
    const { service, owner } = await openAsOwner();
    await call(service, 'GET', '/groups?secret=canary');
    await call(service, 'POST', '/users', { user_name: 'x', password: 'short' });
    await call(service, 'GET', '/nowhere');
    await call(service, 'GET', '/quizzes', undefined, { 'x-api-key': 'wrong' });
    const { text } = await owner.open('/account/requests');
    const rows = [...text.matchAll(/<td>(\w+)<\/td><td><code>([^<]+)<\/code><\/td>\s*<td>(\d+)/g)].map((row) =>
      row.slice(1).join(' '),
    );
    expect(rows).toEqual(['GET /api/v1/nowhere 404', 'POST /api/v1/users 422', 'GET /api/v1/groups 200']);
    expect(text).not.toContain('canary');
  });

  test('keeps the last 1000 requests', async () => {
    const { service, owner } = await openAsOwner();
    for (let i = 0; i < 1005; i += 1) await call(service, 'GET', `/quizzes/number-${i}`);
    const { text } = await owner.open('/account/requests');
    expect(text.match(/number-\d+/g)).toEqual(Array.from({ length: 1000 }, (_, i) => `number-${1004 - i}`));
  });
});

describe('webhooks', () => {
  test('can be created and removed independently', async () => {
    const { service, owner } = await openAsOwner();
    const [first, second] = [await startReceiver(), await startReceiver()];
    for (const { url } of [first, second]) {
      await owner.send('/account/webhooks', {
        url,
        events: 'response.submitted',
        scheme: 'timestamp-body',
        secret: 'shh',
      });
    }
    const { quiz_id } = await quizNamed(service, '<!channel> & <https://x|y>');
    const before = await takeAsGuest(service, quiz_id);
    const events = await Promise.all([first.next(1), second.next(1)]);
    expect(events.map(([delivery]) => delivery?.event.data.response_id)).toEqual([before, before]);
    expect(events[0]?.[0]?.event.event_id).toBe(events[1]?.[0]?.event.event_id);

    const { text } = await owner.open('/account');
    const removeFirst = /action="(\/account\/webhooks\/[^"]+\/remove)"/.exec(text)?.[1] ?? '';
    await owner.send(removeFirst);
    await takeAsGuest(service, quiz_id);
    await second.next(2);
    expect(first.received.length).toBe(1);
    expect((await owner.open('/account')).text).not.toContain(first.url);
  });

  test.each([
    [{ url: 'ftp://x' }, 'The endpoint must be an HTTP or HTTPS URL.'],
    [{ url: 'nonsense' }, 'The endpoint must be an HTTP or HTTPS URL.'],
    [{ events: 'user.created' }, 'Choose at least one event.'],
    [{ scheme: 'rot13' }, 'Choose a signature.'],
  ])('invalid settings are refused: %j', async (form, message) => {
    const { owner } = await openAsOwner();
    const whole = { url: 'https://x.example', events: 'response.submitted', scheme: 'body', ...form };
    expect(await owner.send('/account/webhooks', whole)).toMatchObject({
      status: 422,
      text: expect.stringContaining(message),
    });
    expect((await owner.open('/account')).text).toContain('No webhooks yet.');
  });
});

test('the outbox lists a welcome e-mail and shows its password once', async () => {
  const { service, owner } = await openAsOwner();
  const form = {
    user_name: 'zed',
    email_address: 'zed@quiz.example',
    password: 'canary-77',
    user_type: 'respondent',
    send_welcome_email: 'true',
  };
  await call(service, 'POST', '/users', form);
  const { text } = await owner.open('/account/outbox');
  expect(text).toContain('zed@quiz.example');
  expect(text).toContain('Your login name is zed.');
  expect(text).not.toContain('canary-77');
  const show = /action="([^"]+\/password)"/.exec(text)?.[1] ?? '';
  expect((await owner.send(show)).text).toContain('<code>canary-77</code>');
  expect((await owner.send(show)).status).toBe(404);
  expect((await owner.open('/account/outbox')).text).toContain('The password isn’t available anymore.');
});
