import { Agent, request } from 'undici';
import * as z from 'zod';
import { createMemoryLedger } from '../../src/quiz-api/budget/ledger.ts';
import { createRequestBudget } from '../../src/quiz-api/budget/request-budget.ts';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { nextMessage, forkProgram, serverUrl } from '../support/child-process.ts';
import { median } from '../support/measurements.ts';
import type { BenchRow } from './bench-row.ts';

const goalShare = 0.8;
const listedUsers = 10_000;
const manyUsers = 100_000;
const apiKey = 'bench-key';

/** Compares the client with bare undici and `JSON.parse` in the same run, with the same bytes. */
export async function run(): Promise<BenchRow[]> {
  return [...(await withServer(listedUsers, compareSpeed)), ...(await withServer(manyUsers, compareMemory))];
}

async function withServer<T>(users: number, use: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = forkProgram('test/bench/bare-server.ts', String(users));
  try {
    return await use(await serverUrl(server));
  } finally {
    server.disconnect();
  }
}

async function compareSpeed(baseUrl: string): Promise<BenchRow[]> {
  const agent = new Agent();
  const budget = createRequestBudget({
    ledger: createMemoryLedger({ windows: [{ limit: 1_000_000, windowMs: 1000 }] }),
  });
  const api = createQuizApi({ baseUrl, apiKey, budget });
  const bare = async (path: string): Promise<unknown> => {
    const { body } = await request(baseUrl + path, { dispatcher: agent, headers: { 'x-api-key': apiKey } });
    return JSON.parse(await body.text());
  };
  try {
    return [
      await compare('a single quiz', {
        rounds: 15,
        bare: async () => repeat(2000, async () => bare('/api/v1/quizzes/q-1')),
        client: async () => repeat(2000, async () => api.quizzes.get('q-1')),
      }),
      await compare(`a list of ${listedUsers.toLocaleString('en')} users`, {
        rounds: 15,
        bare: async () => repeat(8, async () => bare('/api/v1/users')),
        client: async () => repeat(8, async () => api.users.list()),
      }),
    ];
  } finally {
    await Promise.all([api.close(), agent.close()]);
  }
}

async function compareMemory(baseUrl: string): Promise<BenchRow[]> {
  const peakMiB = async (way: 'client' | 'bare'): Promise<number> => {
    const message = await nextMessage(forkProgram('test/bench/list-memory.ts', baseUrl, way));
    const { users, peakKiB } = z.object({ users: z.number(), peakKiB: z.number() }).parse(message);
    if (users !== manyUsers) throw new Error(`${users} users instead of ${manyUsers}`);
    return Math.round(peakKiB / 1024);
  };
  return [
    {
      name: `memory of a process that lists ${manyUsers.toLocaleString('en')} users`,
      figure: `${await peakMiB('client')} MiB at most, bare ${await peakMiB('bare')} MiB`,
    },
  ];
}

async function compare(
  what: string,
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
    name: `client against bare undici.request and JSON.parse, ${what}`,
    figure: `${ratio.toFixed(2)} of its speed`,
    goal: `at least ${goalShare}`,
    met: ratio >= goalShare,
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
