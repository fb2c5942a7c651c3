import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const personal = /rosa@quiz\.example|203\.0\.113\.7/;

/** Everything in a folder, also what a database has freed. */
const writtenIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');

/** Sends what is posted at once, what waits for Slack, what is of another type, malformed and refused. @returns what was written at the end */
async function sendAll(env: Record<string, string>, written: () => string): Promise<string> {
  const testBed = await startTestBed({ env });
  const { workspace, url, quizService } = testBed;
  const results = workspace.channels.results.id;
  // Of a user, so that the bot looks up the address in Slack and sends a direct message.
  const [user] = quizService.database.all<{ user_id: string }>(
    "SELECT user_id FROM users WHERE user_name = 'rosa@quiz.example'",
  );
  expect((await sendEvent(url, eventBody({ event_id: 'first' }, { response_id: 'r-first', ...user }))).status).toBe(
    200,
  );
  await workspace.until(() => workspace.messages(results).some((message) => textOf(message).includes('Rosa Almeida')));
  await workspace.until(() =>
    workspace.directMessages(people.rosa.id).some((message) => textOf(message).includes('You passed')),
  );
  const isSlackBack = workspace.faults.inject({ kind: 'lost-request' });
  expect(
    (await sendEvent(url, eventBody({ event_id: 'second' }, { response_id: 'r-second', last_name: 'Second' }))).status,
  ).toBe(200);
  expect((await sendEvent(url, eventBody({ event_id: 'third', event_type: 'user.created' }))).status).toBe(200);
  expect((await sendEvent(url, eventBody({ event_id: 'fourth' }, { quiz_id: null }))).status).toBe(400);
  expect((await sendEvent(url, eventBody({ event_id: 'fifth' }), 'of somebody else')).status).toBe(401);
  expect(written()).toContain('Rosa Second');
  expect(written()).not.toMatch(personal);
  isSlackBack();
  await workspace.until(() => workspace.messages(results).some((message) => textOf(message).includes('Rosa Second')));
  return written();
}

test('no address of a respondent is ever in the file of the bot', async () => {
  const folder = temporaryDirectory();
  expect(await sendAll({ DATA_DIR: folder }, () => writtenIn(folder))).not.toMatch(personal);
});

test('no address of an unsigned webhook is in the file of the bot while the service is asked', async () => {
  const folder = temporaryDirectory();
  const { url, setServiceFault } = await startTestBed({
    env: { DATA_DIR: folder, WEBHOOK_SECRET: '', WEBHOOK_ALLOW_UNSIGNED: 'true' },
  });
  setServiceFault('down');
  expect(
    (
      await fetch(`${url}/webhooks/quiz`, {
        method: 'POST',
        body: eventBody({ event_id: 'hint-1' }, { response_id: 'r-hint' }),
      })
    ).status,
  ).toBe(200);
  expect(writtenIn(folder)).toContain('r-hint');
  expect(writtenIn(folder)).not.toMatch(new RegExp(`${personal.source}|Rosa|Almeida`));
});

test.skipIf(redisMissing !== null)('no address of a respondent is ever in Redis', async () => {
  const folder = temporaryDirectory();
  // It writes every command to a file.
  const redis = await startRedis(folder);
  onTestFinished(() => redis.stop());
  expect(await sendAll({ REDIS_URL: redis.url }, () => writtenIn(join(folder, 'appendonlydir')))).not.toMatch(personal);
});
