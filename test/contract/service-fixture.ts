import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type Dispatcher } from 'undici';
import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import { type QuizService, startQuizService } from '../../src/sandbox/quiz-service/service.ts';
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
  /** Closes what faulty calls share, and deletes the data directories. */
  remove: () => void;
}

/** Creates the sample account once. Each fixture has its own copy; calls with the same fault, which change nothing, share one. */
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

  async function start(fault?: Fault): Promise<ServiceFixture> {
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
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  }

  const shared = new Map<Fault, Promise<ServiceFixture>>();
  return {
    sample,
    async open(fault) {
      if (fault === undefined) return start();
      const starting = shared.get(fault) ?? start(fault);
      shared.set(fault, starting);
      return { ...(await starting), close: async () => {} };
    },
    remove() {
      for (const starting of shared.values()) void starting.then((fixture) => fixture.close());
      rmSync(directory, { recursive: true, force: true });
    },
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

type ResponseIds = Record<'quiz_id' | 'response_id', string>;

/** The ids of the sample account, by name. Lists are in the order of creation. */
export interface Sample {
  quizIds: readonly string[];
  userIds: readonly string[];
  quizId: (name: string) => string;
  userId: (userName: string) => string;
  groupId: (groupName: string) => string;
  responseIds: (quizId: string) => string[];
  /** A response that a user has started but not submitted. */
  unsubmitted: ResponseIds;
  unstarted: ResponseIds;
  /** A response through a quiz link with an access code. */
  ofGuest: ResponseIds;
  /** A response with registration fields. */
  registered: ResponseIds;
  /** A response with a certificate. */
  certified: ResponseIds;
  /** Rosa's response, with the only uploaded file. */
  upload: ResponseIds & Record<'file_id', string>;
}

function readSample(database: Database): Sample {
  const quizzes = named(database, 'SELECT quiz_id AS id, name FROM quizzes ORDER BY seq');
  const users = named(database, 'SELECT user_id AS id, user_name AS name FROM users ORDER BY seq');
  const groups = named(database, 'SELECT group_id AS id, group_name AS name FROM groups ORDER BY seq');
  const responses = database.all<ResponseIds>('SELECT quiz_id, response_id FROM responses ORDER BY seq');
  const responseWhere = (condition: string): ResponseIds =>
    found(database.get(`SELECT quiz_id, response_id FROM responses WHERE ${condition} ORDER BY seq LIMIT 1`));

  return {
    quizIds: [...quizzes.values()],
    userIds: [...users.values()],
    quizId: idIn(quizzes),
    userId: idIn(users),
    groupId: idIn(groups),
    responseIds: (quizId) =>
      responses.filter(({ quiz_id }) => quiz_id === quizId).map(({ response_id }) => response_id),
    unsubmitted: responseWhere(`status = 'not_submitted'`),
    unstarted: responseWhere(`status = 'not_started'`),
    ofGuest: responseWhere(`publish_type = 'quiz_link' AND access_code <> ''`),
    registered: responseWhere(`registration_fields <> '[]'`),
    certified: responseWhere(
      'pass = 1 AND quiz_id IN (SELECT quiz_id FROM quizzes WHERE has_certificate = 1 AND has_report = 1)',
    ),
    upload: found(database.get('SELECT quiz_id, response_id, file_id FROM files JOIN responses USING (response_id)')),
  };
}

/** The ids by name. */
function named(database: Database, sql: string): Map<string, string> {
  return new Map(database.all<{ id: string; name: string }>(sql).map(({ id, name }) => [name, id]));
}

function idIn(ids: ReadonlyMap<string, string>) {
  return (name: string): string => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`The sample account has no ${name}`);
    return id;
  };
}

function found<Row extends object>(row: Row | undefined): Row {
  if (!row) throw new Error('The sample account has no row for a case');
  return { ...row };
}
