import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { html } from '../../../../src/sandbox/quiz-service/pages/page.ts';
import type { QuizService } from '../../../../src/sandbox/quiz-service/service.ts';
import { fillIn, guest, registerAsGuest, startAttempt, takeAsGuest, visit } from '../support/respondent.ts';
import {
  call,
  get,
  openQuiz,
  quizIdOf,
  responseOf,
  startTestService,
  testApiKey,
  userNamed,
} from '../support/service.ts';

const htmlQuiz = '<!channel> & <https://x|y>';
const safetyQuiz = 'Workplace safety basics';

const rightSafetyAnswers = [
  'Keep people away from it',
  'Only the person who placed it',
  'Safety shoes',
  'Ear defenders',
  'Safety glasses',
  'Bend your knees, keep your back straight',
  'Blue',
  '112',
  'True',
];

describe('a guest with the quiz link', () => {
  test('moves an attempt from not_started to not_submitted to submitted', async () => {
    let time = Date.UTC(2026, 4, 6, 7, 8, 9);
    const { service, quiz } = await openQuiz(safetyQuiz, { now: () => time });
    const attempt = await registerAsGuest(service, quiz);
    expect(await responseOf(service, quiz, attempt)).toMatchObject({
      ...guest,
      status: 'not_started',
      date_submitted: null,
      attempt: 1,
      user_id: null,
      user_name: null,
      publish_type: 'quiz_link',
      ip_address: '127.0.0.1',
    });

    const fields = await startAttempt(service, attempt);
    expect(await responseOf(service, quiz, attempt)).toMatchObject({ status: 'not_submitted', date_submitted: null });

    time += 95_000;
    const submitted = await visit(service, attempt, { form: fillIn(fields, rightSafetyAnswers) });
    expect(await responseOf(service, quiz, attempt)).toMatchObject({
      status: 'submitted',
      date_submitted: '2026-05-06 07:09:44',
      duration: 95,
      points: 9,
      available_points: 9,
      percentage_score: 100,
      grade: 'A',
      pass: true,
    });
    expect(submitted).toMatchObject({ status: 303, location: attempt.replace('attempts', 'results') });
  });

  test('sees score, grade and pass or fail on the result page, with a link back', async () => {
    const { service, quiz } = await openQuiz(safetyQuiz, { returnUrl: 'http://127.0.0.1:9/slack?a=1&b=2' });
    const passed = await visit(service, `/results/${await takeAsGuest(service, quiz, rightSafetyAnswers)}`);
    expect(passed.text).toContain('<p class="score">100%</p>');
    expect(passed.text).toContain('✓ Passed');
    expect(passed.text).toContain('<dt>Grade</dt><dd>A</dd>');
    expect(passed.text).toContain('href="http://127.0.0.1:9/slack?a=1&amp;b=2"');
    const failed = await visit(service, `/results/${await takeAsGuest(service, quiz)}`);
    expect(failed.text).toContain('✗ Failed');
  });

  test('gets a certificate after passing, and only then', async () => {
    const { service, quiz } = await openQuiz(safetyQuiz);
    const passed = await takeAsGuest(service, quiz, rightSafetyAnswers);
    const { certificate_url } = await get(service, `/quizzes/${quiz}/responses/${passed}`);
    const certificate = await visit({ url: '' }, certificate_url);
    expect(certificate.text).toContain('Gwen Guest');
    const failed = await takeAsGuest(service, quiz);
    expect((await visit(service, `/certificates/${failed}`)).status).toBe(404);
  });

  test('fills in registration fields, which are stored', async () => {
    const { service, quiz } = await openQuiz('Data protection refresher');
    const incomplete = await visit(service, `/take/${quiz}`, { form: { ...guest, registration_0: 'Kitchen' } });
    expect(incomplete).toMatchObject({ status: 422, text: expect.stringContaining('Fill in “Employee number”.') });
    expect(incomplete.text).toContain('value="Gwen"');
    const attempt = await registerAsGuest(service, quiz, { registration_0: 'Kitchen', registration_1: 'E-1' });
    expect((await responseOf(service, quiz, attempt)).registration_fields).toEqual([
      { name: 'Department', value: 'Kitchen' },
      { name: 'Employee number', value: 'E-1' },
    ]);
  });

  test.each([
    ['first_name', '', 'Enter your first and last name.'],
    ['last_name', ' ', 'Enter your first and last name.'],
    ['email_address', 'gwen', 'Enter your e-mail address.'],
  ])('is not registered without a valid %s', async (name, value, message) => {
    const { service, quiz } = await openQuiz(htmlQuiz);
    const before = (await get(service, `/quizzes/${quiz}/responses`)).length;
    const page = await visit(service, `/take/${quiz}`, { form: { ...guest, [name]: value } });
    expect(page).toMatchObject({ status: 422, text: expect.stringContaining(message) });
    expect((await get(service, `/quizzes/${quiz}/responses`)).length).toBe(before);
  });

  test('enters the access code of a quiz that has one', async () => {
    const { service, quiz } = await openQuiz('Onboarding, week 1');
    const wrong = await visit(service, `/take/${quiz}`, { form: { ...guest, access_code: 'guess' } });
    expect(wrong).toMatchObject({ status: 403, text: expect.stringContaining('That access code isn’t right.') });
    const attempt = await registerAsGuest(service, quiz, { access_code: 'WELCOME-26' });
    expect(await responseOf(service, quiz, attempt)).toMatchObject({ access_code: 'WELCOME-26' });
  });

  test('cannot inject markup', async () => {
    const { service, quiz } = await openQuiz(htmlQuiz);
    const name = '<script>alert(1)</script>';
    const responseId = await takeAsGuest(service, quiz, [], { first_name: name });
    for (const path of ['/', `/take/${quiz}`, `/results/${responseId}`]) {
      const { text } = await visit(service, path);
      expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://x|y&gt;');
      expect(text).not.toContain('<!channel>');
      expect(text).not.toContain(name);
    }
  });
});

describe('an attempt is refused', () => {
  test.each([
    ['First aid at work', 'This quiz isn’t open yet.'],
    ['Forklift theory test', 'This quiz is closed.'],
  ])('at %s', async (name, message) => {
    const { service, quiz } = await openQuiz(name);
    for (const form of [undefined, guest]) {
      const page = await visit(service, `/take/${quiz}`, { ...(form && { form }) });
      expect(page).toMatchObject({ status: 403, text: expect.stringContaining(message) });
    }
    expect((await visit(service, '/')).text).not.toContain(name);
  });

  test('at a quiz that was closed during the attempt', async () => {
    const { service, quiz } = await openQuiz(htmlQuiz);
    const [begun, registered] = [await registerAsGuest(service, quiz), await registerAsGuest(service, quiz)];
    const fields = await startAttempt(service, begun);
    await call(service, 'POST', `/quizzes/${quiz}`, { status: 'closed' });
    expect((await visit(service, begun, { form: fillIn(fields, []) })).status).toBe(403);
    expect((await visit(service, `${registered}/start`, { form: {} })).status).toBe(403);
    expect(await responseOf(service, quiz, begun)).toMatchObject({ status: 'not_submitted' });
    expect(await responseOf(service, quiz, registered)).toMatchObject({ status: 'not_started' });
  });

  test('at a quiz without questions', async () => {
    const { service, quiz } = await openQuiz('Customer service essentials');
    await call(service, 'POST', `/quizzes/${quiz}`, { status: 'open' });
    expect((await visit(service, `/take/${quiz}`)).text).toContain('This quiz doesn’t have any questions yet.');
  });

  test('beyond the limit of attempts, which counts started attempts', async () => {
    const { service, quiz } = await openQuiz('Food hygiene, level 2');
    for (const number of [1, 2]) {
      const responseId = await takeAsGuest(service, quiz);
      expect(await get(service, `/quizzes/${quiz}/responses/${responseId}`)).toMatchObject({ attempt: number });
    }
    const [third, fourth] = [await registerAsGuest(service, quiz), await registerAsGuest(service, quiz)];
    await startAttempt(service, third);
    const message = 'You have no attempts left for this quiz.';
    const refusedStart = await visit(service, `${fourth}/start`, { form: {} });
    expect(refusedStart).toMatchObject({ status: 403, text: expect.stringContaining(message) });
    const refused = await visit(service, `/take/${quiz}`, { form: { ...guest, email_address: 'GWEN@guest.example' } });
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining(message) });
    expect(
      (await visit(service, `/take/${quiz}`, { form: { ...guest, email_address: 'else@guest.example' } })).status,
    ).toBe(303);
  });

  test('when it was already submitted or never started', async () => {
    const { service, quiz } = await openQuiz(safetyQuiz);
    const attempt = await registerAsGuest(service, quiz);
    expect((await visit(service, attempt, { form: {} })).status).toBe(403);
    const fields = await startAttempt(service, attempt);
    await visit(service, attempt, { form: fillIn(fields, []) });
    await visit(service, attempt, { form: fillIn(fields, rightSafetyAnswers) });
    expect(await responseOf(service, quiz, attempt)).toMatchObject({ points: 0 });
    expect(await visit(service, attempt)).toMatchObject({
      status: 303,
      location: attempt.replace('attempts', 'results'),
    });
  });

  test.each(['/take/nope', '/attempts/nope', '/results/nope', '/certificates/nope'])(
    'at the unknown path %s',
    async (path) => {
      expect((await visit(await startTestService(), path)).status).toBe(404);
    },
  );
});

/** Starts a service in which Rosa has the quiz. */
async function rosaWithQuiz() {
  const opened = await openQuiz(htmlQuiz);
  const { user_id } = await userNamed(opened.service, 'rosa@quiz.example');
  await call(opened.service, 'POST', `/users/${user_id}/quizzes`, { quiz_id: opened.quiz });
  return { ...opened, user_id };
}

describe('a person who has the quiz', () => {
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
});

async function upload(service: QuizService, file: File) {
  const quiz = await quizIdOf(service, 'Onboarding, week 1');
  const attempt = await registerAsGuest(service, quiz, { access_code: 'WELCOME-26' });
  const fields = await startAttempt(service, attempt);
  const form = fillIn(fields.slice(0, 3), ['Nothing']);
  form.set(fields[3]?.name ?? '', file);
  const page = await visit(service, attempt, { form });
  return { page, path: `/quizzes/${quiz}/responses/${attempt.replace('/attempts/', '')}` };
}

describe('uploads', () => {
  test('the REST interface returns a file byte for byte, under its name', async () => {
    const service = await startTestService();
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256);
    const { path } = await upload(service, new File([bytes], 'Über "uns"\'*.bin', { type: 'image/png' }));
    const questions = await get(service, `${path}/questions`);
    const [file] = questions[3].files;
    expect(file.name).toBe('Über "uns"\'*.bin');
    const answer = await fetch(`${service.url}/api/v1${path}/files/${file.file_id}`, {
      headers: { 'x-api-key': testApiKey },
    });
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename*=UTF-8''%C3%9Cber%20%22uns%22%27%2a.bin`,
    );
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  });

  test('a file over 5 MB is refused, and the attempt stays open', async () => {
    const service = await startTestService();
    const { page, path } = await upload(service, new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'big.bin'));
    expect(page).toMatchObject({ status: 413, text: expect.stringContaining('“big.bin” is larger than 5 MB.') });
    expect(await get(service, path)).toMatchObject({ status: 'not_submitted' });
  });

  test('option points add up the points of the chosen options', async () => {
    const { service, quiz } = await openQuiz('Onboarding, week 1');
    const texts = ['Tell reception', 'On the day before', 'On the intranet'];
    const responseId = await takeAsGuest(service, quiz, texts, { access_code: 'WELCOME-26' });
    expect(await get(service, `/quizzes/${quiz}/responses/${responseId}`)).toMatchObject({
      points: 3,
      available_points: 6,
      percentage_score: 50,
    });
    const [first] = await get(service, `/quizzes/${quiz}/responses/${responseId}/questions`);
    expect(first).toMatchObject({ use_option_points: true, points_scored: 1, points_available: 3 });
    expect(first.options.map((option: { option_points_available: number }) => option.option_points_available)).toEqual([
      3, 1, 0, -1,
    ]);
  });
});

test.each([
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-site'],
  ['origin', 'https://elsewhere.example'],
  ['origin', 'null'],
])('a form from another site is refused: %s: %s', async (header, value) => {
  const service = await startTestService();
  const page = await visit(service, '/take/nope', { form: guest, headers: { [header]: value } });
  expect(page).toMatchObject({ status: 403, text: expect.stringContaining('This form was sent from another site.') });
});

test('pages forbid loading from other origins and framing', async () => {
  const service = await startTestService();
  const answer = await fetch(service.url);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

describe('markup', () => {
  test('escapes values, but not nested markup and lists of it', () => {
    const items = ['<b>', '"&\''].map((text) => html`<li>${text}</li>`);
    expect(html`<ul title="${'"'}">${items}</ul>`.text).toBe(
      '<ul title="&quot;"><li>&lt;b&gt;</li><li>&quot;&amp;&#39;</li></ul>',
    );
  });

  test('renders null, undefined and false as nothing, and 0 as 0', () => {
    expect(html`<p>${null}${undefined}${false}${0}</p>`.text).toBe('<p>0</p>');
  });

  test('no text escapes from an element or a quoted attribute, and none is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const markup = html`${text}`.text;
        expect(markup).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
        const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
        expect(markup.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')).toBe(text);
      }),
    );
  });
});
