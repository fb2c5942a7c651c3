import { describe, expect, test } from 'vitest';
import type { QuizService, QuizServiceOptions } from '../../../../src/sandbox/quiz-service/service.ts';
import { fillIn, startAttempt, visit } from '../support/respondent.ts';
import {
  call,
  createUser,
  get,
  openQuiz,
  quizIdOf,
  quizNamed,
  responseOf,
  startTestService,
  userNamed,
} from '../support/service.ts';

const htmlQuiz = '<!channel> & <https://x|y>';
const credentials = { user_name: 'newcomer', password: 'open sesame' };

const newcomer = { ...credentials, first_name: 'New', last_name: 'Comer' };

async function openWithUser(options: Partial<QuizServiceOptions> = {}): Promise<QuizService> {
  const service = await startTestService(options);
  await createUser(service, newcomer);
  return service;
}

async function signIn(service: QuizService, form: Record<string, string> = credentials) {
  return visit(service, '/sign-in', { form });
}

describe('a user', () => {
  test('signs in, sees the assigned quizzes and takes a quiz', async () => {
    const service = await startTestService();
    const userId = await createUser(service, newcomer);
    const open = await quizNamed(service, htmlQuiz);
    const closed = await quizNamed(service, 'Forklift theory test');
    for (const { quiz_id } of [open, closed]) await call(service, 'POST', `/users/${userId}/quizzes`, { quiz_id });

    const { status, location, cookie } = await signIn(service);
    expect({ status, location }).toEqual({ status: 303, location: '/my-quizzes' });
    const mine = await visit(service, '/my-quizzes', { cookie: cookie ?? '' });
    expect(mine.text).toContain(`href="/take/${open.quiz_id}"`);
    expect(mine.text).not.toContain(`href="/take/${closed.quiz_id}"`);
    expect(mine.text).toContain('Forklift theory test <span class="soft">(closed)</span>');

    const take = await visit(service, `/take/${open.quiz_id}`, { cookie: cookie ?? '' });
    expect(take.text).toContain('Continue as New Comer');
    const attempt = await visit(service, `/take/${open.quiz_id}/as-user`, {
      cookie: cookie ?? '',
      form: { user_id: userId },
    });
    expect(attempt.status).toBe(303);
  });

  test('who comes from a quiz returns to it, and nowhere else', async () => {
    const service = await openWithUser();
    const { quiz_id } = await quizNamed(service, 'Forklift theory test');
    expect((await visit(service, `/sign-in?take=${quiz_id}`)).text).toContain(`name="take" value="${quiz_id}"`);
    expect((await signIn(service, { ...credentials, take: quiz_id })).location).toBe(`/take/${quiz_id}`);
    expect((await signIn(service, { ...credentials, take: '//elsewhere.example' })).location).toBe('/my-quizzes');
  });

  test('signs out', async () => {
    const service = await openWithUser();
    const { cookie = '' } = await signIn(service);
    expect((await visit(service, '/my-quizzes', { cookie })).status).toBe(200);
    await visit(service, '/sign-out', { cookie, form: {} });
    expect((await visit(service, '/my-quizzes', { cookie })).location).toBe('/sign-in');
  });

  test('cannot sign in while suspended, and is signed out when suspended', async () => {
    const service = await startTestService();
    const userId = await createUser(service, newcomer);
    const { cookie = '' } = await signIn(service);
    await call(service, 'POST', `/users/${userId}`, { suspended: 'true' });
    expect((await visit(service, '/my-quizzes', { cookie })).location).toBe('/sign-in');
    expect(await signIn(service)).toMatchObject({
      status: 403,
      text: expect.stringContaining('suspended'),
      cookie: undefined,
    });
  });

  test.each([
    [{ user_name: 'newcomer', password: 'wrong' }],
    [{ user_name: 'nobody', password: 'open sesame' }],
    [{ user_name: 'rosa@quiz.example', password: '' }],
    [{ user_name: 'newcomer', password: '' }],
  ])('%j is refused without a reason', async (form) => {
    const service = await openWithUser();
    const page = await signIn(service, form);
    expect(page).toMatchObject({ status: 403, cookie: undefined });
    expect(page.text).toContain('That login name or password isn’t right.');
  });

  test('a session expires after eight hours', async () => {
    let time = Date.UTC(2026, 0, 1);
    const service = await openWithUser({ now: () => time });
    const { cookie = '' } = await signIn(service);
    time += 8 * 60 * 60 * 1000 - 1;
    expect((await visit(service, '/my-quizzes', { cookie })).status).toBe(200);
    time += 1;
    expect((await visit(service, '/my-quizzes', { cookie })).location).toBe('/sign-in');
  });
});

test('too many attempts in a minute are refused, with the right password too', async () => {
  const service = await openWithUser({ now: () => 0 });
  const statuses = await Promise.all(
    Array.from({ length: 21 }, async () => (await signIn(service, { ...credentials, password: 'wrong' })).status),
  );
  expect(statuses.filter((status) => status === 403).length).toBe(20);
  expect((await signIn(service)).status).toBe(429);
});

test('the session cookie is hidden from scripts and other sites, and is Secure over TLS', async () => {
  const service = await openWithUser({ trustProxy: true });
  const answer = await fetch(`${service.url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-proto': 'https' },
    body: new URLSearchParams(credentials),
  });
  expect(answer.headers.get('set-cookie')).toMatch(
    /^user_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
});

test('a password over plain HTTP from another machine is refused', async () => {
  const service = await startTestService({ trustProxy: true });
  const headers = { 'x-forwarded-proto': 'http' };
  expect((await visit(service, '/sign-in', { form: credentials, headers })).text).toContain('403.4: SSL required.');
});

test.each([
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-site'],
  ['origin', 'https://elsewhere.example'],
  ['origin', 'null'],
])('a form from another site is refused: %s: %s', async (header, value) => {
  const service = await startTestService();
  const page = await visit(service, '/sign-in', { form: credentials, headers: { [header]: value } });
  expect(page).toMatchObject({ status: 403, text: expect.stringContaining('This form was sent from another site.') });
});

test('pages forbid loading from other origins and framing', async () => {
  const service = await startTestService();
  const answer = await fetch(service.url);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

/** Starts a service in which Rosa has the quiz. */
async function rosaWithQuiz() {
  const opened = await openQuiz(htmlQuiz);
  const { user_id } = await userNamed(opened.service, 'rosa@quiz.example');
  await call(opened.service, 'POST', `/users/${user_id}/quizzes`, { quiz_id: opened.quiz });
  return { ...opened, user_id };
}

describe('a person of the sample', () => {
  test('takes an assigned quiz, and resumes the attempt', async () => {
    const { service, quiz, user_id } = await rosaWithQuiz();
    expect((await visit(service, `/take/${quiz}`)).text).toContain(`<option value="${user_id}">Rosa Almeida</option>`);

    const first = await visit(service, `/take/${quiz}/as-user`, { form: { user_id } });
    const second = await visit(service, `/take/${quiz}/as-user`, { form: { user_id } });
    expect(second.location).toBe(first.location);
    const attempt = first.location ?? '';
    await visit(service, attempt, { form: fillIn(await startAttempt(service, attempt), ['&amp;', 'True']) });
    expect(await responseOf(service, quiz, attempt)).toMatchObject({
      user_id,
      user_name: 'rosa@quiz.example',
      first_name: 'Rosa',
      publish_type: 'assigned_user',
      access_code: '',
      status: 'submitted',
    });
    const rosa = await get(service, `/users/${user_id}`);
    expect(rosa.quizzes.find((item: { quiz_id: string }) => item.quiz_id === quiz)).toMatchObject({
      status: 'submitted',
      percentage_score: 67,
    });
  });

  test('who follows a link of the workspace continues with one press, and can still choose another person', async () => {
    const { service, quiz } = await openQuiz(htmlQuiz);
    for (const name of ['rosa', 'ravi']) {
      const { user_id } = await userNamed(service, `${name}@quiz.example`);
      await call(service, 'POST', `/users/${user_id}/quizzes`, { quiz_id: quiz });
    }
    const { text } = await visit(service, `/take/${quiz}?as=Rosa%40quiz.example`);
    expect(text).toContain('<button>Continue as Rosa Almeida</button>');
    expect(text).toContain('>Ravi Banerjee</option>');
    expect(text).not.toContain('>Rosa Almeida</option>');
    expect((await visit(service, `/take/${quiz}?as=zoe%40quiz.example`)).text).not.toContain('Continue as Rosa');
    expect((await visit(service, '/?as=rosa%40quiz.example')).text).toContain(`/take/${quiz}?as=rosa%40quiz.example`);
  });

  test('is offered for quizzes of their groups, and not for other quizzes', async () => {
    const service = await startTestService();
    const created = (await call(service, 'POST', `/quizzes/${await quizIdOf(service, htmlQuiz)}/copy`)).body.quiz_id;
    await call(service, 'POST', `/quizzes/${created}`, { status: 'open' });
    const { user_id } = await userNamed(service, 'rosa@quiz.example');
    expect((await visit(service, `/take/${created}/as-user`, { form: { user_id } })).status).toBe(403);
    expect((await visit(service, `/take/${created}`)).text).not.toContain('Rosa Almeida');
    const { groups } = await get(service, `/users/${user_id}`);
    await call(service, 'POST', `/quizzes/${created}/groups`, { group_id: groups[0].group_id });
    expect((await visit(service, `/take/${created}`)).text).toContain('Rosa Almeida');
    expect((await visit(service, `/take/${created}/as-user`, { form: { user_id } })).status).toBe(303);
  });

  test('is neither offered nor admitted while suspended, not even to finish an attempt', async () => {
    const { service, quiz, user_id } = await rosaWithQuiz();
    const attempt = (await visit(service, `/take/${quiz}/as-user`, { form: { user_id } })).location ?? '';
    const fields = await startAttempt(service, attempt);
    await call(service, 'POST', `/users/${user_id}`, { suspended: 'true' });
    expect((await visit(service, `/take/${quiz}`)).text).not.toContain('Rosa Almeida');
    expect((await visit(service, `/take/${quiz}/as-user`, { form: { user_id } })).status).toBe(403);
    expect((await visit(service, attempt, { form: fillIn(fields, []) })).status).toBe(403);
  });

  test('has to sign in after getting a password', async () => {
    const { service, quiz, user_id } = await rosaWithQuiz();
    await call(service, 'POST', `/users/${user_id}`, { password: 'my own one' });
    expect((await visit(service, `/take/${quiz}`)).text).not.toContain('Rosa Almeida');
    expect((await visit(service, `/take/${quiz}/as-user`, { form: { user_id } })).status).toBe(403);
  });

  test('is not offered in an account without the sample', async () => {
    const service = await startTestService({ sample: 'empty' });
    const user = await call(service, 'POST', '/users', { user_name: 'x', password: 'secret', user_type: 'respondent' });
    service.database.run('UPDATE users SET password_hash = NULL');
    const { quiz_id } = (await call(service, 'POST', '/quizzes', { name: 'Q' })).body;
    await call(service, 'POST', `/quizzes/${quiz_id}`, { status: 'open' });
    await call(service, 'POST', `/users/${user.body.user_id}/quizzes`, { quiz_id });
    expect((await visit(service, `/take/${quiz_id}/as-user`, { form: { user_id: user.body.user_id } })).status).toBe(
      403,
    );
  });
});
