import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import { createMemoryLedger } from '../../src/quiz-api/budget/rate-windows.ts';
import { createRequestBudget } from '../../src/quiz-api/budget/request-budget.ts';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { quizSchema, isUser } from '../../src/quiz-api/records.ts';
import { openApart } from '../support/apart.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { median } from '../support/measurements.ts';
import { quizAnswer, userAnswer } from '../support/service-answers.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const apiKey = 'bench-key';

/** How many users are listed, and how often the calls are made in each round. */
const fullSize = { listed: 10_000, rounds: 15, quizzes: 2_000, lists: 8 };
const shortSize = { listed: 100, rounds: 1, quizzes: 10, lists: 2 };

/**
 * Compares the client with bare undici and `JSON.parse` in the same run, with the same bytes. Both check what they read with the
 * same schemas of zod.
 */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  using server = await openApart(import.meta.url, serveFixedBytes, [size.listed]);
  return await compareSpeed(server.result, size);
}

/** A bare HTTP server, whose own process leaves the other core of the machine to the client. @returns its URL */
export async function serveFixedBytes(listed: number): Promise<string> {
  const users = Array.from({ length: listed }, (_, index) =>
    userAnswer({
      user_id: `3f2b7c9e-0000-4000-8000-${String(index).padStart(12, '0')}`,
      user_name: `person.${index}@example.com`,
      email_address: `person.${index}@example.com`,
      first_name: `First${index}`,
      last_name: `Last${index}`,
      organization: 'North Hospital',
      quizzes: Array.from({ length: index % 3 }, (_unused, quiz) => ({
        quiz_id: `9a1d7c9e-0000-4000-8000-${String(quiz).padStart(12, '0')}`,
        name: `Quiz number ${quiz}`,
        date_assigned: '2024-05-06 17:10:00',
      })),
    }),
  );
  const bodies = new Map([
    ['/api/v1/quizzes/q-1', Buffer.from(JSON.stringify(quizAnswer()))],
    ['/api/v1/users', Buffer.from(JSON.stringify(users))],
  ]);
  return listenOnLoopback(
    createServer((asked, response) => {
      const body = bodies.get(asked.url ?? '') ?? Buffer.from('{}');
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    }),
  );
}

async function compareSpeed(baseUrl: string, size: typeof fullSize): Promise<BenchRow[]> {
  const agent = new Agent();
  const budget = createRequestBudget({
    ledger: createMemoryLedger({ windows: [{ limit: 1_000_000, windowMs: 1000 }] }),
  });
  const api = createQuizApi({ baseUrl, apiKey, budget });
  const bare = async (path: string): Promise<unknown> => {
    const { body } = await request(baseUrl + path, { dispatcher: agent, headers: { 'x-api-key': apiKey } });
    return JSON.parse(await body.text());
  };
  const bareQuiz = async () => quizSchema.parse(await bare('/api/v1/quizzes/q-1'));
  const bareUsers = async () => {
    const users = await bare('/api/v1/users');
    if (!Array.isArray(users) || !users.every(isUser)) throw new Error('not a list of users');
  };
  const { rounds } = size;
  try {
    return [
      await compare('a single quiz', 'client, one quiz', {
        rounds,
        bare: async () => repeat(size.quizzes, bareQuiz),
        client: async () => repeat(size.quizzes, async () => api.quizzes.get('q-1')),
      }),
      await compare(`a list of ${size.listed.toLocaleString('en')} users`, 'client, list', {
        rounds,
        bare: async () => repeat(size.lists, bareUsers),
        client: async () => repeat(size.lists, async () => api.users.list()),
      }),
    ];
  } finally {
    await Promise.all([api.close(), agent.close()]);
  }
}

async function compare(
  what: string,
  goal: 'client, one quiz' | 'client, list',
  { rounds, bare, client }: { rounds: number; bare: () => Promise<void>; client: () => Promise<void> },
): Promise<BenchRow> {
  await timed(bare);
  await timed(client);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isBareFirst = round % 2 === 0;
    const first = await timed(isBareFirst ? bare : client);
    const second = await timed(isBareFirst ? client : bare);
    ratios.push(isBareFirst ? first / second : second / first);
  }
  const ratio = median(ratios);
  return {
    name: `client against bare undici.request, JSON.parse and the same checks by zod: ${what}`,
    figure: `${ratio.toFixed(2)} of its speed`,
    ...heldAgainst(goal, { ratio }),
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Runs the calls one at a time, as a single caller does. */
async function repeat(times: number, call: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await call();
}
