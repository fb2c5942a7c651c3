import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type Dispatcher } from 'undici';
import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import { type QuizService, startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { readSample, type Sample } from './sample.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';

/** The fixed time of the service's clock. */
export const nowMs = Date.UTC(2026, 0, 5, 12);
export const retryAfterSeconds = 60;

const accountKey = 'key-of-the-contract';
const unlimited = 1_000_000;

/** A fault of the call or of the service. */
export type Fault = 'no key' | 'a wrong key' | 'no SSL' | 'an exhausted rate limit' | 'a broken database';

/** A running service with the sample account, and the settings of its callers. */
export interface ServiceFixture {
  service: QuizService;
  apiKey: string;
  dispatcher: Dispatcher;
  close: () => Promise<void>;
}

export interface ServiceFixtures {
  /** The ids of the sample account, the same in every fixture. */
  sample: Sample;
  open: (fault?: Fault) => Promise<ServiceFixture>;
  /** Deletes the data directories. */
  remove: () => void;
}

/** Creates the sample account once. Each fixture has its own copy. */
export async function createServiceFixtures(): Promise<ServiceFixtures> {
  const directory = mkdtempSync(join(tmpdir(), 'contract-'));
  const original = join(directory, 'original');
  const filling = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: original,
    apiKey: accountKey,
    now: () => nowMs,
  });
  const sample = readSample(filling.database);
  await filling.close();
  let count = 0;

  return {
    sample,
    async open(fault) {
      count += 1;
      const dataDir = join(directory, String(count));
      cpSync(original, dataDir, { recursive: true });
      const service = await startQuizService({
        quizzes: accountQuizzes,
        dataDir,
        now: () => nowMs,
        ratePerMinute: fault === 'an exhausted rate limit' ? 1 : unlimited,
        ratePerHour: unlimited,
        trustProxy: fault === 'no SSL',
      });
      if (fault === 'an exhausted rate limit') await exhaustLimit(service);
      if (fault === 'a broken database') breakTables(service.database);
      const agent = new Agent();
      return {
        service,
        apiKey: { 'no key': '', 'a wrong key': `${accountKey}x` }[String(fault)] ?? accountKey,
        dispatcher: fault === 'no SSL' ? agent.compose(throughPlainProxy) : agent,
        async close() {
          await agent.close();
          await service.close();
          rmSync(dataDir, { recursive: true });
        },
      };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

async function exhaustLimit({ url, apiKey }: QuizService): Promise<void> {
  const { status } = await fetch(`${url}/api/v1/groups`, { headers: { 'x-api-key': apiKey } });
  if (status !== 200) throw new Error(`The call that exhausts the limit returned ${status}.`);
}

function breakTables(database: Database): void {
  for (const table of ['quizzes', 'users', 'groups']) database.run(`ALTER TABLE ${table} RENAME TO lost_${table}`);
}

/** Adds the header of a proxy that received the call over plain HTTP. Both drivers pass their headers as an object. */
function throughPlainProxy(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return ({ headers, ...options }, handler) =>
    dispatch({ ...options, headers: { ...(headers as Record<string, string>), 'x-forwarded-proto': 'http' } }, handler);
}
