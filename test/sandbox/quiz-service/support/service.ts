import { expect, onTestFinished } from 'vitest';
import {
  type QuizService,
  type QuizServiceOptions,
  startQuizService,
} from '../../../../src/sandbox/quiz-service/service.ts';
import { listenOnLoopback } from '../../../support/loopback.ts';
import { accountQuizzes } from '../../../support/account-quizzes.ts';
import { createServer, type IncomingHttpHeaders } from 'node:http';

export const testApiKey = 'the-key-of-the-tests';

/** Starts a service in memory that closes after the test. Its rate limits are high unless a test sets them. */
export async function startTestService(options: Partial<QuizServiceOptions> = {}): Promise<QuizService> {
  const service = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey: testApiKey,
    ratePerMinute: 1_000_000,
    ratePerHour: 1_000_000,
    ...options,
  });
  onTestFinished(() => service.close());
  return service;
}

interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into whatever came
  body: any;
}

export type Form = Record<string, string>;

export const aUuid: unknown = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);

/** Calls the REST interface. @param path below /api/v1 */
export async function call(
  service: Pick<QuizService, 'url'>,
  method: string,
  path: string,
  form?: Form,
  headers: Record<string, string> = { 'x-api-key': testApiKey },
): Promise<Answer> {
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers,
    ...(form && { body: new URLSearchParams(form) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}

/** @returns the body of a call that must succeed */
export async function get(service: QuizService, path: string): Promise<Answer['body']> {
  const answer = await call(service, 'GET', path);
  if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export async function quizNamed(service: QuizService, name: string): Promise<{ quiz_id: string; status: string }> {
  const quizzes: { quiz_id: string; name: string; status: string }[] = await get(service, '/quizzes');
  const quiz = quizzes.find((candidate) => candidate.name === name);
  if (!quiz) throw new Error(`There is no quiz ${name}`);
  return quiz;
}

/** Finds a quiz by name. @returns the quiz_id */
export async function quizIdOf(service: QuizService, name: string): Promise<string> {
  return (await quizNamed(service, name)).quiz_id;
}

/** Starts a service. @returns it, and the quiz_id of one of its quizzes */
export async function openQuiz(name: string, options: Partial<QuizServiceOptions> = {}) {
  const service = await startTestService(options);
  return { service, quiz: await quizIdOf(service, name) };
}

/** Reads a response over the REST interface. @param attemptPath the path of the attempt's page */
export async function responseOf(service: QuizService, quiz: string, attemptPath: string) {
  return get(service, `/quizzes/${quiz}/responses/${attemptPath.replace('/attempts/', '')}`);
}

export async function userNamed(service: QuizService, userName: string): Promise<{ user_id: string }> {
  const answer = await call(service, 'POST', '/users/find', { user_name: userName });
  if (answer.status !== 200) throw new Error(`There is no user ${userName}`);
  return answer.body;
}

export const newcomer = { user_name: 'newcomer', password: 'secret', user_type: 'respondent' };

/** Creates a user. @returns the user_id */
export async function createUser(service: QuizService, form: Form = {}): Promise<string> {
  const answer = await call(service, 'POST', '/users', { ...newcomer, ...form });
  if (answer.status !== 200) throw new Error(`Creating a user answered ${answer.status}: ${answer.body.message}`);
  return answer.body.user_id;
}

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into whatever came
  event: any;
}

interface Receiver {
  url: string;
  received: Received[];
  /** Resolves with the first `count` calls once they have arrived. */
  next: (count: number) => Promise<Received[]>;
}

/** An endpoint for webhooks. @param statusOf the status for the n-th call, from 1; undefined: no response */
export async function startReceiver(statusOf: (call: number) => number | undefined = () => 200): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, body, event: JSON.parse(body.replace(/^\ufeff/, '')) });
      const status = statusOf(received.length);
      if (status !== undefined) response.writeHead(status).end();
      for (const check of waiting) check();
    });
  });
  const url = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `${url}/hook`,
    received,
    next: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received.slice(0, count));
        };
        waiting.add(check);
        check();
      }),
  };
}
