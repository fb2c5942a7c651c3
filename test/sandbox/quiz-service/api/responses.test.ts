import { describe, expect, test } from 'vitest';
import type { QuizService } from '../../../../src/sandbox/quiz-service/service.ts';
import { aDate, testApiKey, aUuid, call, get, ok, quizNamed, startTestService } from '../support/service.ts';

const aString: unknown = expect.any(String);

const isGuest = (response: Record<string, unknown>) => response['publish_type'] === 'quiz_link';
const isSubmitted = (response: Record<string, unknown>) => response['status'] === 'submitted';

async function safety(service: QuizService): Promise<{ path: string; responses: Record<string, unknown>[] }> {
  const { quiz_id } = await quizNamed(service, 'Workplace safety basics');
  const path = `/quizzes/${quiz_id}/responses`;
  return { path, responses: await get(service, path) };
}

/** Calls an unknown quiz, an unknown response and a response of another quiz. @returns statuses with messages */
async function answersToUnknown(service: QuizService, method: string, rest = ''): Promise<string[]> {
  const { responses } = await safety(service);
  const other = await quizNamed(service, 'Forklift theory test');
  const foreignId = String(responses[0]?.['response_id']);
  const paths = [
    `/quizzes/nope/responses/nope`,
    `/quizzes/${other.quiz_id}/responses/nope`,
    `/quizzes/${other.quiz_id}/responses/${foreignId}`,
  ];
  const answers = await Promise.all(paths.map((path) => call(service, method, path + rest)));
  return answers.map(({ status, body }) => `${status} ${body.message.replace(foreignId, '(foreign)')}`);
}

const unknown = ['404 There is no quiz nope.', '404 There is no response nope.', '404 There is no response (foreign).'];

describe('listing and reading', () => {
  test('responses have exactly the documented fields', async () => {
    const service = await startTestService();
    const { path, responses } = await safety(service);
    expect(responses.length).toBeGreaterThan(5);
    for (const response of responses) {
      expect(response).toEqual({
        response_id: aUuid,
        quiz_id: aUuid,
        quiz_name: 'Workplace safety basics',
        first_name: expect.any(String),
        last_name: expect.any(String),
        email_address: expect.stringContaining('@'),
        user_id: isGuest(response) ? null : aUuid,
        user_name: isGuest(response) ? null : aString,
        date_submitted: isSubmitted(response) ? aDate : null,
        points: expect.any(Number),
        available_points: isSubmitted(response) ? 9 : 0,
        percentage_score: expect.any(Number),
        grade: expect.stringMatching(/^[A-F]?$/),
        pass: isSubmitted(response) && Number(response['percentage_score']) >= 70,
        duration: expect.any(Number),
        attempt: expect.any(Number),
        ip_address: expect.stringMatching(/^198\.51\.100\.\d+$/),
        status: expect.stringMatching(/^(not_)?submitted$/),
        publish_type: expect.stringMatching(/^(quiz_link|assigned_user)$/),
        access_code: '',
        certificate_url: response['pass'] ? `${service.url}/certificates/${String(response['response_id'])}` : '',
        response_report_url: isSubmitted(response) ? `${service.url}/results/${String(response['response_id'])}` : '',
        registration_fields: [],
      });
      expect(await get(service, `${path}/${String(response['response_id'])}`)).toEqual(response);
    }
  });

  test('the sample has about 100 responses, some of them not submitted, some by guests with an access code or fields', async () => {
    const service = await startTestService();
    const quizzes = await get(service, '/quizzes');
    const all = (
      await Promise.all(quizzes.map((quiz: { quiz_id: string }) => get(service, `/quizzes/${quiz.quiz_id}/responses`)))
    ).flat();
    expect(all.length).toBeGreaterThanOrEqual(100);
    expect(new Set(all.map(({ status, date_submitted }) => `${status} ${date_submitted !== null}`))).toEqual(
      new Set(['submitted true', 'not_submitted false', 'not_started false']),
    );
    expect(all.some((response) => response.access_code !== '')).toBe(true);
    expect(all.some((response) => response.registration_fields.length > 0)).toBe(true);
    expect(
      all.some(
        (response) => response.certificate_url === 'not_in_use' && response.response_report_url === 'not_in_use',
      ),
    ).toBe(true);
    expect(new Set(all.map((response) => response.grade)).size).toBeGreaterThan(4);
  });

  test('available points have two fraction digits, in lists, in single responses and in users', async () => {
    const service = await startTestService();
    const { path, responses } = await safety(service);
    const { response_id, user_id } = responses.find((response) => isSubmitted(response) && !isGuest(response))!;
    for (const read of [path, `${path}/${String(response_id)}`, `/users/${String(user_id)}`]) {
      const answer = await fetch(`${service.url}/api/v1${read}`, { headers: { 'x-api-key': testApiKey } });
      const written = (await answer.text()).match(/"available_points":[^,]*/g);
      expect(written).toContain('"available_points":9.00');
      for (const field of written ?? []) expect(field).toMatch(/:\d+\.\d\d$/);
    }
  });

  test('an unknown quiz returns 404', async () => {
    const service = await startTestService();
    expect((await call(service, 'GET', '/quizzes/nope/responses')).status).toBe(404);
  });

  test('an unknown response, or a response of another quiz, returns 404', async () => {
    expect(await answersToUnknown(await startTestService(), 'GET')).toEqual(unknown);
  });
});

describe('deleting', () => {
  test('removes the response', async () => {
    const service = await startTestService();
    const { path, responses } = await safety(service);
    const gone = `${path}/${String(responses[0]?.['response_id'])}`;
    expect(await call(service, 'DELETE', gone)).toMatchObject(ok);
    expect((await call(service, 'GET', gone)).status).toBe(404);
    expect(await get(service, path)).toEqual(responses.slice(1));
  });

  test('an unknown response, or a response of another quiz, returns 404 and deletes nothing', async () => {
    const service = await startTestService();
    const before = await safety(service);
    expect(await answersToUnknown(service, 'DELETE')).toEqual(unknown);
    expect(await safety(service)).toEqual(before);
  });
});

describe('questions', () => {
  test('have exactly the documented fields and the answers', async () => {
    const service = await startTestService();
    const { path, responses } = await safety(service);
    for (const response of responses.filter(({ status }) => status === 'submitted')) {
      const questions: Question[] = await get(service, `${path}/${String(response['response_id'])}/questions`);
      for (const question of questions) {
        expect(question).toEqual(documentedQuestion);
        for (const option of question.options) expect(option).toEqual(documentedOption);
      }
      expect(questions.map((question) => question.type)).toEqual([
        'radio_button',
        'radio_button',
        'checkbox',
        'radio_button',
        'dropdown',
        'free_text',
        'radio_button',
      ]);
      const points = questions.reduce((sum, question) => sum + question.points_scored, 0);
      expect(Math.round(points * 100) / 100).toBe(response['points']);
      for (const { options, points_scored } of questions.filter((question) => question.type === 'radio_button')) {
        expect(options.filter((option) => option.selected).length).toBe(1);
        expect(options.some((option) => option.selected && option.correct)).toBe(points_scored > 0);
      }
    }
  });

  test('an unknown response returns 404', async () => {
    expect(await answersToUnknown(await startTestService(), 'GET', '/questions')).toEqual(unknown);
  });
});

describe('files', () => {
  test('are downloads with the uploaded content', async () => {
    const service = await startTestService();
    const { questionPath, file } = await findFile(service);
    const answer = await fetch(`${service.url}/api/v1${questionPath}/files/${file.file_id}`, {
      headers: { 'x-api-key': testApiKey },
    });
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''code-of-conduct-signed.txt`);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toContain('Rosa Almeida');
  });

  test('an unknown file returns 404', async () => {
    const service = await startTestService();
    const { questionPath } = await findFile(service);
    const answer = await call(service, 'GET', `${questionPath}/files/nope`);
    expect(answer).toMatchObject({ status: 404, body: { message: 'There is no file nope.' } });
    expect(await answersToUnknown(service, 'GET', '/files/nope')).toEqual(unknown);
  });
});

async function findFile(service: QuizService): Promise<{ questionPath: string; file: { file_id: string } }> {
  const { quiz_id } = await quizNamed(service, 'Onboarding, week 1');
  for (const { response_id } of await get(service, `/quizzes/${quiz_id}/responses`)) {
    const questionPath = `/quizzes/${quiz_id}/responses/${response_id}`;
    const questions: Question[] = await get(service, `${questionPath}/questions`);
    const file = questions.flatMap((question) => question.files)[0];
    if (file) return { questionPath, file };
  }
  throw new Error('The sample holds no file.');
}

interface Question {
  type: string;
  points_scored: number;
  options: { correct: boolean; selected: boolean }[];
  files: { file_id: string; name: string }[];
}

const documentedQuestion = {
  question_id: aUuid,
  type: expect.any(String),
  version: 1,
  text: expect.any(String),
  use_option_points: false,
  points_scored: expect.any(Number),
  points_available: expect.any(Number),
  options: expect.any(Array),
  categories: [{ category_id: aUuid, name: expect.any(String) }],
  files: [],
};

const documentedOption = {
  option_id: aUuid,
  version: 1,
  text: expect.any(String),
  correct: expect.any(Boolean),
  answer: expect.any(String),
  selected: expect.any(Boolean),
  option_points_available: expect.any(Number),
};
