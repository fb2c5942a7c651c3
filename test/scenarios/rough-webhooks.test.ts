import { expect, test } from 'vitest';
import { webhookOddities } from '../../src/sandbox/quiz-service/rough/catalog.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { eventBody, sign } from '../support/event.ts';
import { fastClock } from '../support/fast-clock.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

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
    await workspace.until(() => JSON.stringify(workspace.messages(results).map(textOf)).split('Ines Guest').length > n);
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
