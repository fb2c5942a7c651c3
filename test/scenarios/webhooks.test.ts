import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { submittedLater } from '../../src/sandbox/quiz-service/rough/calls.ts';
import { people, channels, teamId } from '../../src/sandbox/workspace/people.ts';
import { eventBody, sign, sendEvent } from '../support/event.ts';
import { environmentOf, storyStores } from '../support/many-changes.ts';
import { quizId, safetyQuiz } from '../support/results.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { startTestBed, textOf, enterpriseOfProject } from '../support/test-bed.ts';
import { webhookOddities } from '../../src/sandbox/quiz-service/rough/rough-account.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { subscription } from '../support/builders/alerts.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';
import { redisMissing, startRedis } from '../support/redis.ts';

test('an unsigned webhook is only a hint: the bot asks the quiz service and announces its answer', async () => {
  const { workspace, quizService, url, lines } = await startTestBed({
    env: { WEBHOOK_SECRET: '', WEBHOOK_ALLOW_UNSIGNED: 'true' },
  });
  const real = quizService.database.get<{
    quiz_id: string;
    response_id: string;
    first_name: string;
    last_name: string;
  }>("SELECT quiz_id, response_id, first_name, last_name FROM responses WHERE status = 'submitted'")!;
  const send = async (event_id: string, data: Record<string, unknown>) => {
    const body = eventBody(
      { event_id },
      { quiz_id: real.quiz_id, first_name: 'Mallory', percentage_score: 100, grade: 'A+++', ...data },
    );
    expect((await fetch(`${url}/webhooks/quiz`, { method: 'POST', body })).status).toBe(200);
  };
  await send('invented', { response_id: 'there-is-none' });
  await send('altered', { response_id: real.response_id });

  const results = workspace.channels.results.id;
  await workspace.until(() => workspace.messages(results).length > 0);
  const [message, ...others] = workspace.messages(results);
  expect(others).toEqual([]);
  expect(textOf(message)).toContain(`${real.first_name} ${real.last_name}`);
  expect(textOf(message)).not.toMatch(/Mallory|A\+\+\+/);
  expect(lines.join('')).toContain('webhooks are taken without a signature');
});

const ways: [way: string, env: Record<string, string>, signature: string[]][] = [
  ['without a signature', { WEBHOOK_SECRET: '', WEBHOOK_ALLOW_UNSIGNED: 'true' }, []],
  ['signed without its body', { WEBHOOK_SCHEME: 'timestamp-secret' }, ['signature-plain-sha256']],
];

test.each(storyStores.flatMap((store) => ways.map((way) => [store, ...way] as const)))(
  'over %s, a submission that the quiz service does not show yet is announced when it does, and not as late: %s',
  async (store, _, env, signature) => {
    const testBed = await startTestBed({
      env: { ...env, ...(await environmentOf(store)) },
      quizService: { rough: { oddities: [submittedLater.name, ...signature], oneIn: 1 } },
    });
    const { workspace, quizService } = testBed;
    const status = async () => textOf(await (await workspace.as(people.ada.id).command('/quiz-admin status')).reply());
    await takeQuiz(quizService.url, quizId(testBed, safetyQuiz));
    await vi.waitFor(async () => expect(await status()).toContain('1 webhook to be retried'), { timeout: 4_000 });
    const results = workspace.channels.results.id;
    expect(workspace.messages(results)).toEqual([]);
    await workspace.until(() => workspace.messages(results).length > 0);
    const [message] = workspace.messages(results);
    expect(textOf(message)).toContain('Ines Guest');
    expect(textOf(message)).not.toMatch(/late/i);
    const after = await status();
    expect(after).toContain('1 received');
    expect(after).not.toMatch(/to be retried|never came/);
  },
);

describe('odd webhooks', () => {
  const webhookNames = webhookOddities.map(({ name }) => name);

  test('every submission is announced once, whatever the form of its webhook, by a bot that is not sure of the scheme', async () => {
    const { workspace, quizService, url } = await startTestBed({
      account: 'rough',
      quizService: { rough: { oneIn: 2, oddities: webhookNames } },
      env: { WEBHOOK_SCHEME: 'body,timestamp-body,standard,timestamp-secret' },
    });
    const results = workspace.channels.results.id;
    const quiz = quizService.database.get<{ quiz_id: string }>("SELECT quiz_id FROM quizzes WHERE status = 'open'")!;
    for (let n = 1; n <= 8; n += 1) {
      await takeQuiz(quizService.url, quiz.quiz_id);
      await workspace.until(
        () => JSON.stringify(workspace.messages(results).map(textOf)).split('Ines Guest').length > n,
      );
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).not.toMatch(/invigilator_webhooks_total\{outcome="(?:signature|malformed)"\} [1-9]/);
  });

  test('a webhook that the service never confirms holds up none that comes after it', async () => {
    const { workspace, quizService, url } = await startTestBed({
      env: { WEBHOOK_SECRET: '', WEBHOOK_ALLOW_UNSIGNED: 'true' },
    });
    const results = workspace.channels.results.id;
    const [one, other] = quizService.database.all<{ quiz_id: string; response_id: string; first_name: string }>(
      "SELECT quiz_id, response_id, first_name FROM responses WHERE status = 'submitted' LIMIT 2",
    );
    const send = async (event_id: string, ids: Record<string, unknown>) =>
      (await fetch(`${url}/webhooks/quiz`, { method: 'POST', body: eventBody({ event_id }, ids) })).status;
    expect(await send('never', { quiz_id: one!.quiz_id, response_id: 'there-is-none' })).toBe(200);
    expect(await send('path', { quiz_id: '..', response_id: '..' })).toBe(400);
    for (const { quiz_id, response_id } of [one!, other!])
      expect(await send(response_id, { quiz_id, response_id })).toBe(200);
    await workspace.until(() =>
      [one!, other!].every(({ first_name }) =>
        workspace.messages(results).some((message) => textOf(message).includes(first_name)),
      ),
    );
  });

  test('the status says what a refused webhook lacked, by the names of its headers', async () => {
    const { workspace, url } = await startTestBed({ env: { WEBHOOK_SCHEME: 'body,standard' }, clock: fastClock(20) });
    const body = eventBody();
    const refused = await fetch(`${url}/webhooks/quiz`, {
      method: 'POST',
      body,
      headers: { 'x-hub-signature-256': `sha256=${sign(body)}` },
    });
    expect([refused.status, await refused.text()]).toEqual([401, 'Refused: the signature is missing.\n']);
    const lines = async () => textOf(await (await workspace.as(people.ada.id).command('/quiz-admin status')).reply());
    await expect
      .poll(lines)
      .toContain(
        'Tried body: no X-Webhook-Signature header; standard: no webhook-id header. Headers in the request: x-hub-signature-256.',
      );
    expect(await lines()).not.toContain(sign(body));
  });

  test('the status says where webhooks went that came to another path, and a slash at the end is none', async () => {
    const { workspace, url } = await startTestBed({ clock: fastClock(20) });
    const send = async (path: string, body: string) =>
      fetch(url + path, { method: 'POST', body, headers: { 'x-webhook-signature': sign(body) } });
    expect((await send('/webhooks/quiz/', eventBody())).status).toBe(200);
    for (const path of ['/Webhooks/Quiz', '/webhooks/quizz?a=b', '/webhooks']) {
      const answer = await send(path, 'x'.repeat(100_000));
      expect([answer.status, await answer.text()]).toEqual([404, 'Webhooks are taken at /webhooks/quiz.\n']);
    }
    expect((await fetch(`${url}/webhooks/x`)).status).toBe(404);
    const lines = async () => textOf(await (await workspace.as(people.ada.id).command('/quiz-admin status')).reply());
    await expect.poll(lines).toMatch(/the address is wrong: 3.*`\/webhooks`.*`\/webhooks\/quizz`.*`\/Webhooks\/Quiz`/s);
  });
});

describe('missed webhooks', () => {
  const minuteMs = 60_000;
  const results = channels.results.id;

  /** Starts a bot with a submission from half an hour ago, a subscription from an hour ago and no webhook. */
  async function startWithMissedWebhook(subscribedAgoMs = 60 * minuteMs) {
    const [serviceDir, botDir] = [temporaryDirectory(), temporaryDirectory()];
    const service = await startQuizService({
      quizzes: accountQuizzes,
      dataDir: serviceDir,
      now: () => Date.now() - 30 * minuteMs,
    });
    const quiz = service.database.get<{ quiz_id: string; name: string }>(
      "SELECT quiz_id, name FROM quizzes WHERE status = 'open'",
    )!;
    await takeQuiz(service.url, quiz.quiz_id);
    const [response, ...history] = service.database.all<{ response_id: string }>(
      'SELECT response_id FROM responses WHERE quiz_id = ? ORDER BY date_submitted DESC',
      [quiz.quiz_id],
    );
    await service.close();
    expect(history).not.toEqual([]);

    const storage = openSqliteStorage(botDir, { now: Date.now });
    await storage.subscriptions.add(
      subscription({
        teamId: enterpriseOfProject()?.id ?? teamId,
        channelId: results,
        quiz: { id: quiz.quiz_id, name: quiz.name },
        createdAt: Date.now() - subscribedAgoMs,
      }),
    );
    await storage.close();

    const testBed = await startTestBed({
      env: { DATA_DIR: botDir, ALERTS_CHANNEL: '' },
      quizService: { dataDir: serviceDir },
      clock: fastClock(20),
    });
    const sendWebhook = (overrides: Record<string, unknown>, data: Record<string, unknown>) =>
      sendEvent(testBed.url, eventBody(overrides, { quiz_id: quiz.quiz_id, ...data }));
    return { ...testBed, quiz, responseId: response!.response_id, sendWebhook };
  }

  test('a submission without a webhook is announced late and once, and older submissions are not', async () => {
    const { workspace, url, sendWebhook, responseId } = await startWithMissedWebhook();
    await workspace.until(() => workspace.messages(results).length > 0);
    // A rough service leaves the names out of some attempts.
    expect(textOf(workspace.messages(results)[0])).toMatch(/\*(?:Ines )?Guest\*/);
    expect(textOf(workspace.messages(results)[0])).toMatch(/late/i);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /^invigilator_webhooks_total\{outcome="backfilled"\} 1$/m,
    );

    expect(
      (
        await sendWebhook(
          { event_id: 'after-all' },
          { response_id: responseId, first_name: 'Ines', last_name: 'Guest' },
        )
      ).status,
    ).toBe(200);
    await sendWebhook({ event_id: 'another' }, { response_id: 'r-another' });
    await workspace.until(() =>
      workspace.messages(results).some((message) => textOf(message).includes('Rosa Almeida')),
    );
    expect(workspace.messages(results)).toHaveLength(2);
  });
});

describe('personal data in webhooks', () => {
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
    await workspace.until(() =>
      workspace.messages(results).some((message) => textOf(message).includes('Rosa Almeida')),
    );
    await workspace.until(() =>
      workspace.directMessages(people.rosa.id).some((message) => textOf(message).includes('You passed')),
    );
    const isSlackBack = workspace.faults.inject({ kind: 'lost-request' });
    expect(
      (await sendEvent(url, eventBody({ event_id: 'second' }, { response_id: 'r-second', last_name: 'Second' })))
        .status,
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
    expect(await sendAll({ REDIS_URL: redis.url }, () => writtenIn(join(folder, 'appendonlydir')))).not.toMatch(
      personal,
    );
  });
});
