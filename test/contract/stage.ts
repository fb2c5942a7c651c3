import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import { type QuizService, startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { readSample, type Sample } from './sample.ts';

/** The service's clock stands still. */
export const nowMs = Date.UTC(2026, 0, 5, 12);
export const retryAfterSeconds = 60;

const accountKey = 'the-key-of-the-contract';
const outOfTheWay = 1_000_000;

/** What is not as it should be when a call is made. */
export type Trouble = 'no key' | 'a wrong key' | 'no SSL' | 'the limit spent' | 'a broken database';

/** The service with the sample account, and what a caller needs to reach it. */
export interface Stage {
  service: QuizService;
  apiKey: string;
  dispatcher: Dispatcher;
  close: () => Promise<void>;
}

export interface Stages {
  /** The account that each stage begins with. */
  sample: Sample;
  set: (trouble?: Trouble) => Promise<Stage>;
  /** Removes what they left on the disk. */
  strike: () => void;
}

/** Fills an account once; each stage has a copy of its own. */
export async function prepareStages(): Promise<Stages> {
  const directory = mkdtempSync(join(tmpdir(), 'contract-'));
  const original = join(directory, 'original');
  const filling = await startQuizService({ dataDir: original, apiKey: accountKey, now: () => nowMs });
  const sample = readSample(filling.database);
  await filling.close();
  let count = 0;

  return {
    sample,
    async set(trouble) {
      count += 1;
      const dataDir = join(directory, String(count));
      cpSync(original, dataDir, { recursive: true });
      const service = await startQuizService({
        dataDir,
        now: () => nowMs,
        ratePerMinute: trouble === 'the limit spent' ? 1 : outOfTheWay,
        ratePerHour: outOfTheWay,
        trustProxy: trouble === 'no SSL',
      });
      if (trouble === 'the limit spent') await spendLimit(service);
      if (trouble === 'a broken database') breakTables(service.database);
      const agent = new Agent();
      return {
        service,
        apiKey: { 'no key': '', 'a wrong key': `${accountKey}x` }[String(trouble)] ?? accountKey,
        dispatcher: trouble === 'no SSL' ? agent.compose(throughPlainProxy) : agent,
        async close() {
          await agent.close();
          await service.close();
          rmSync(dataDir, { recursive: true });
        },
      };
    },
    strike: () => rmSync(directory, { recursive: true, force: true }),
  };
}

async function spendLimit({ url, apiKey }: QuizService): Promise<void> {
  const { status } = await fetch(`${url}/api/v1/groups`, { headers: { 'x-api-key': apiKey } });
  if (status !== 200) throw new Error(`The call that spends the limit was answered ${status}.`);
}

function breakTables(database: Database): void {
  for (const table of ['quizzes', 'users', 'groups']) database.run(`ALTER TABLE ${table} RENAME TO lost_${table}`);
}

/** As if a proxy had taken the call in the clear. Both drivers give their headers as an object. */
function throughPlainProxy(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return ({ headers, ...options }, handler) =>
    dispatch({ ...options, headers: { ...(headers as Record<string, string>), 'x-forwarded-proto': 'http' } }, handler);
}
