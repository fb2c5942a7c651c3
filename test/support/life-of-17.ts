import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { createSandboxClock, quarterDaySteps } from '../../src/sandbox/clock/sandbox-clock.ts';
import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { leadsChannelId } from './approvals.ts';
import { botToken, openProcessTestBed } from './process-test-bed.ts';
import { read } from './project-files.ts';
import { connectRedis } from './redis.ts';
import { followOverRedis } from './redis-clock.ts';
import { manifestWith } from './open-test-bed.ts';

/*
 * The fixtures are what a bot of version 1.7 had stored when it was killed, on Friday 11 January 2030 at 15:36 UTC. It ran from
 * Monday on, in a workspace and on an account of the sandbox whose IDs were made readable, and people did this:
 *
 * - Subscriptions: #quiz-results to Workplace safety basics (each) and Data protection refresher (failed, a thread a day);
 *   #training, in German, to Food hygiene (a digest at 17:00) and Forklift theory test (paused).
 * - Campaigns of Ada: Workplace safety basics stands for Ravi (passed), Nora, Rosa (passed) and Hana (excused), within 14d valid 12
 *   months, with a board in #training; Food hygiene stands for Ravi and Hana (both passed), within 7d valid 1 month; Data
 *   protection refresher for Rosa, Ravi and Nora was due on Tuesday, with managers: Zoe asked to excuse Rosa, and said that Ravi is
 *   not her report; Forklift theory test for Nora (reminded that day) and Ravi (submitted), due on the 18th, with a board; First
 *   aid at work for Ravi, who passed. The last two are of 1.6: `repeats: 'yearly'` was put into their states, which 1.7 did not
 *   write any more.
 * - Evidence every month to Tom. A token of Ada, “my editor”. A file whose columns Ada was asked for: its preview is not started.
 * - A step of a workflow waits for Nora to pass Workplace safety basics, and one of Uma for the approval of an assignment.
 * - Ada asked to delete Hana. Maya left Slack, and is proposed for suspension.
 * - When the bot was killed, an import had created two of six people, a submission waited behind the pause in #training, one for
 *   the digest, and a hint (r-hint) for the service, which was down.
 *
 * What only saves requests (colleagues, locales, the budget, …) and the key of evidence were left out. The Redis one is the SQLite
 * one after `npm run move-to-redis` of 1.7.
 */
export const lifeOf17 = {
  token: 'inv_T0SANDBOX_U00000ADA_SyBIo1hs_KAyGEnC7PQt-cr64247ifEeOD0dqrAtoRc',
  goesOnAt: Date.UTC(2030, 0, 11, 15, 40),
  /** Maya’s proposal, and two requests for approval. */
  messagesOfLeads: 3,
  /** The runs of the steps that wait for Nora, and for an approval. */
  runs: { waiting: 'Fx000000AZ', asking: 'Fx000000E0' },
};

export const messageOf17 = 'A message of version 1.7.';

/** Starts the bot on what 1.7 stored. */
export async function openLifeOf17(store: 'sqlite' | 'redis') {
  const clock = createSandboxClock(lifeOf17.goesOnAt - Date.now(), quarterDaySteps);
  const testBed = await openProcessTestBed({
    store,
    clock,
    hasQuizLinks: true,
    manifestPath: manifestWith('steps'),
    env: {
      ALERTS_CHANNEL: '',
      WORKFLOW_STEPS_ENABLED: 'true',
      MCP_ENABLED: 'true',
      APPROVALS_CHANNEL: leadsChannelId,
      AUDIT_CHANNEL: channels.results.id,
      OWNERS: people.tom.id,
    },
    async beforeStart({ DATA_DIR = '', REDIS_URL }, { workspace, quizService }) {
      fillAccount(quizService);
      workspace.setPerson({ ...people.maya, isDeleted: true });
      for (const [id, name] of [
        [lifeOf17.runs.waiting, 'wait_for_result'],
        [lifeOf17.runs.asking, 'assign_quiz'],
      ] as const)
        workspace.functions.add({ id, workflowExecutionId: `W${id}`, function: name, inputs: {}, state: 'running' });
      const client = new WebClient(botToken, { slackApiUrl: workspace.apiUrl });
      const file = `store-1.7.${store === 'redis' ? 'redis' : 'sql'}`;
      const text = await withMessages(read(`test/fixtures/${file}`), client);
      if (REDIS_URL === undefined) writeSqliteOf17(DATA_DIR, text);
      else await writeRedisOf17(REDIS_URL, text);
    },
  });
  onTestFinished(() => testBed.close());
  if (testBed.redis) onTestFinished(followOverRedis(clock, testBed.redis.url));
  return { ...testBed, clock };
}

/** Gives the account the IDs that the store knows, and what people have done. */
function fillAccount({ database }: QuizService): void {
  const rename = (table: string, column: string, idOf: (row: Record<string, string>) => string) => {
    for (const row of database.all<Record<string, string>>(`SELECT * FROM ${table}`))
      for (const { name } of database.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'"))
        if (database.all<{ name: string }>(`PRAGMA table_info(${name})`).some((one) => one.name === column))
          database.run(`UPDATE ${name} SET ${column} = ? WHERE ${column} = ?`, [idOf(row), row[column]!]);
  };
  const slug = (text = '') =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '');
  database.run('PRAGMA foreign_keys = OFF');
  rename('users', 'user_id', ({ user_name: name }) => `u-${slug(name?.split('@')[0])}`);
  rename('quizzes', 'quiz_id', ({ name }) => `q-${slug(name)}`);
  rename('groups', 'group_id', ({ group_name: name }) => `g-${slug(name)}`);
  database.run('PRAGMA foreign_keys = ON');
  for (const table of ['responses', 'user_quizzes']) database.run(`DELETE FROM ${table}`);
  database.run("UPDATE quizzes SET status = 'open'");
  for (const statement of read('test/fixtures/account-1.7.sql').split(';\n'))
    if (statement !== '') database.run(statement);
}

/** Where the store knows a message: in Redis, its texts are texts in texts. */
const messages = [
  /\\?"channel(?:Id)?\\?":\\?"(?<channel>\w+)\\?",\\?"(?:id|ts)\\?":\\?"(?<id>[\d.]+)/g,
  /\\?"messageId\\?":\\?"(?<id>[\d.]+)/g,
];

/** Posts something for each message that the store knows, and gives the text the new IDs. Messages without a channel are the record. */
async function withMessages(text: string, client: WebClient): Promise<string> {
  const found = messages.flatMap((pattern) => [...text.matchAll(pattern)].map(({ groups }) => groups ?? {}));
  const channelOf = new Map(found.toReversed().map(({ id = '', channel = channels.results.id }) => [id, channel]));
  let changed = text;
  for (const [id, channel] of channelOf) {
    if (channel.startsWith('D')) await client.conversations.open({ users: channel.replace('D', 'U') });
    const { ts = '' } = await client.chat.postMessage({ channel, text: messageOf17 });
    changed = changed.replaceAll(id, ts);
  }
  return changed;
}

export function writeSqliteOf17(dataDir: string, sql: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
  database.exec(`PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; BEGIN; ${sql}; COMMIT`);
  database.close();
}

export async function writeRedisOf17(url: string, commands: string): Promise<void> {
  const client = await connectRedis(url);
  for (const line of commands.split('\n')) if (line !== '') await client.sendCommand(JSON.parse(line) as string[]);
  await client.close();
}
