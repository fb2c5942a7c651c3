import { describe, expect, test } from 'vitest';
import { fillIn, startAttempt, visit } from '../support/respondent.ts';
import { call, get, openQuiz, quizIdOf, responseOf, startTestService, userNamed } from '../support/service.ts';

const htmlQuiz = '<!channel> & <https://x|y>';

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
