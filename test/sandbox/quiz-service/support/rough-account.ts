import {
  isFields,
  type Fields,
  type Resource,
  type SeenCall,
} from '../../../../src/sandbox/quiz-service/rough/changes.ts';
import {
  type QuizService,
  startQuizService,
  type QuizServiceOptions,
} from '../../../../src/sandbox/quiz-service/service.ts';
import { type Form, testApiKey } from './service.ts';
import { accountQuizzes } from '../../../support/account-quizzes.ts';
import { takeAsGuest } from './respondent.ts';

export const noonMs = Date.UTC(2026, 8, 1, 12);

/** Starts a service whose clock stands still at noon. The caller closes it. */
export function startServiceAtNoon(options: Partial<QuizServiceOptions> = {}): Promise<QuizService> {
  const limits = { ratePerMinute: 1_000_000, ratePerHour: 1_000_000 };
  return startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey: testApiKey,
    now: () => noonMs,
    trustProxy: true,
    ...limits,
    ...options,
  });
}

interface SentCall {
  method?: string;
  form?: Form;
  headers?: Record<string, string>;
}

/** Sends a request and does not follow redirects. @param path below the service's URL */
export async function send(
  service: QuizService,
  path: string,
  { method = 'GET', form, headers }: SentCall = {},
): Promise<SeenCall> {
  const answer = await fetch(service.url + path, {
    method,
    redirect: 'manual',
    headers: { 'x-api-key': testApiKey, ...headers },
    ...(form && { body: new URLSearchParams(form) }),
  });
  // Response.text() would drop a byte order mark.
  const text = Buffer.from(await answer.arrayBuffer()).toString('utf8');
  return { method, path, status: answer.status, headers: Object.fromEntries(answer.headers), text };
}

export interface ReadAccount {
  calls: SeenCall[];
  records: Record<Resource, unknown[]>;
}

/** Reads everything that the REST interface shows: all lists, and every record on its own. */
export async function readAccount(service: QuizService): Promise<ReadAccount> {
  const calls: SeenCall[] = [];

  async function readJson(path: string): Promise<unknown> {
    const call = await send(service, path);
    calls.push(call);
    if (call.status !== 200) throw new Error(`GET ${path} answered ${call.status}: ${call.text}`);
    return JSON.parse(call.text.replace(/^\ufeff/, ''));
  }

  /** Opens envelopes and follows pages. */
  async function readList(path: string): Promise<unknown[]> {
    const list = await readJson(path);
    if (Array.isArray(list)) return list;
    const { data, items, next } = isFields(list) ? list : {};
    if (Array.isArray(data)) return data;
    if (!Array.isArray(items)) throw new Error(`GET ${path} answered no list`);
    if (typeof next !== 'string') return items;
    const { pathname, search } = new URL(next, service.url);
    return [...items, ...(await readList(pathname + search))];
  }

  const quiz = await readList('/api/v1/quizzes');
  const group = await readList('/api/v1/groups');
  const user = await readList('/api/v1/users');
  const records: ReadAccount['records'] = {
    quiz,
    group,
    user: [...user],
    assigned_quiz: [],
    response: [],
    question: [],
    option: [],
  };
  for (const id of idsIn(user, 'user_id')) {
    records.user.push(await readJson(`/api/v1/users/${id}`));
    records.assigned_quiz.push(...(await readList(`/api/v1/users/${id}/quizzes`)));
  }
  for (const id of idsIn(quiz, 'quiz_id')) {
    await readJson(`/api/v1/quizzes/${id}`);
    const responses = await readList(`/api/v1/quizzes/${id}/responses`);
    records.response.push(...responses);
    const [first] = idsIn(responses, 'response_id');
    if (first === undefined) continue;
    records.response.push(await readJson(`/api/v1/quizzes/${id}/responses/${first}`));
    records.question.push(...(await readList(`/api/v1/quizzes/${id}/responses/${first}/questions`)));
  }
  records.assigned_quiz.push(...records.user.flatMap((fields) => itemsIn(fields, 'quizzes')));
  records.option.push(...records.question.flatMap((fields) => itemsIn(fields, 'options')));
  return { calls, records };
}

/** Makes the calls whose answers are not what the account held before: of new responses, writes, errors, and calls that never reach the service. */
export async function writeAndFail(service: QuizService): Promise<SeenCall[]> {
  const calls: SeenCall[] = [];
  const call = async (path: string, sent?: SentCall) => calls.push(await send(service, path, sent));
  for (let i = 0; i < 40; i += 1) {
    await call('/api/v1/quizzes', { method: 'POST', form: { name: `New quiz ${i}` } });
    await call(`/api/v1/quizzes/unknown-${i}`);
    await call('/api/v1/users/find', { method: 'POST', form: { user_name: `nobody-${i}` } });
  }
  const quiz = service.database.get<{ quiz_id: string }>(
    "SELECT quiz_id FROM quizzes WHERE name LIKE 'Workplace saf%'",
  );
  for (let i = 0; i < 40; i += 1) {
    const responseId = await takeAsGuest(service, quiz!.quiz_id, [], { email_address: `guest-${i}@guest.example` });
    await call(`/api/v1/quizzes/${quiz!.quiz_id}/responses/${responseId}`);
  }
  await call('/api/v1/users/find', { method: 'POST', form: { user_name: 'user-user-id-number@rough.example' } });
  await call('/api/v1/users/find', { method: 'POST', form: { user_name: 'rosa@quiz.example' } });
  await call('/api/v1/quizzes', { headers: { 'user-agent': '' } });
  await call('/api/v1/quizzes', { headers: { 'x-api-key': 'wrong' } });
  await call('/api/v1/quizzes', { headers: { 'x-forwarded-proto': 'http' } });
  await call('/api/api/v1/quizzes');
  await call('/school/api/v1/quizzes');
  return calls;
}

function itemsIn(record: unknown, field: string): unknown[] {
  const items = isFields(record) ? record[field] : undefined;
  return Array.isArray(items) ? items : [];
}

export function idsIn(records: readonly unknown[], idField: string): string[] {
  return records
    .filter((record): record is Fields => isFields(record) && record[idField] !== undefined)
    .map((record) => String(record[idField]));
}
