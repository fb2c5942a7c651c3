import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { submittedLater } from '../../../src/sandbox/quiz-service/rough/calls.ts';
import { oddities, webhookOddities } from '../../../src/sandbox/quiz-service/rough/catalog.ts';
import type { SeenWebhook } from '../../../src/sandbox/quiz-service/rough/changes.ts';
import type { QuizService, QuizServiceOptions } from '../../../src/sandbox/quiz-service/service.ts';
import { addWebhook, signatureSchemes } from '../../../src/sandbox/quiz-service/webhooks/webhooks.ts';
import { noonMs, send, startServiceAtNoon } from './support/rough-account.ts';
import { startReceiver, newcomer, startTestService } from './support/service.ts';
import { takeAsGuest } from './support/respondent.ts';

const secret = 'hush';
const submissions = 20;
const quizName = 'Site induction';

async function startAtNoon(options: Partial<QuizServiceOptions>): Promise<QuizService> {
  const service = await startServiceAtNoon(options);
  onTestFinished(() => service.close());
  return service;
}

function quizIdIn(service: QuizService, name: string): string {
  const quiz = service.database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name]);
  if (!quiz) throw new Error(`There is no quiz ${name}`);
  return quiz.quiz_id;
}

/** Makes all calls that lead to an event. @returns the number of events */
async function causeEvents(service: QuizService, quizId: string): Promise<number> {
  const responseIds: string[] = [];
  for (let i = 0; i < submissions; i += 1) {
    responseIds.push(await takeAsGuest(service, quizId, [], { email_address: `guest-${i}@guest.example` }));
  }
  await send(service, `/api/v1/quizzes/${quizId}/responses/${responseIds[0]}`, { method: 'DELETE' });
  await send(service, '/api/v1/users', { method: 'POST', form: newcomer });
  const user = service.database.get<{ user_id: string }>('SELECT user_id FROM users WHERE user_name = ?', [
    newcomer.user_name,
  ]);
  await send(service, `/api/v1/users/${user?.user_id}`, { method: 'POST', form: { first_name: 'New' } });
  await send(service, `/api/v1/users/${user?.user_id}`, { method: 'DELETE' });
  return submissions + 4;
}

test('each oddity of a webhook occurs on the rough face, and not on the smooth one', async () => {
  async function receiveAll(options: Partial<QuizServiceOptions>, quiz: string): Promise<SeenWebhook[]> {
    const receiver = await startReceiver();
    const service = await startAtNoon(options);
    for (const scheme of signatureSchemes) {
      addWebhook(service.database, {
        webhook_id: scheme,
        url: receiver.url,
        secret,
        scheme,
        events: ['response.submitted'],
        date_created: '',
      });
    }
    const events = await causeEvents(service, quizIdIn(service, quiz));
    const perWebhook = options.rough === undefined ? submissions : events;
    return (await receiver.next(perWebhook * signatureSchemes.length)).map(({ headers, body }) => ({
      headers,
      text: body,
      secret,
    }));
  }

  const rough = await receiveAll({ rough: true }, quizName);
  const smooth = await receiveAll({}, 'Workplace safety basics');
  const occurring = (webhooks: SeenWebhook[]) =>
    webhookOddities.filter(({ shows }) => webhooks.some(shows)).map(({ name }) => name);
  expect(occurring(rough)).toEqual(webhookOddities.map(({ name }) => name));
  expect(occurring(smooth)).toEqual([]);
});

test('webhooks are signed with the timestamp and the secret, whatever the form of the timestamp', async () => {
  const receiver = await startReceiver();
  const service = await startAtNoon({ rough: true, webhook: { url: receiver.url, secret } });
  for (let i = 0; i < 12; i += 1) await takeAsGuest(service, quizIdIn(service, quizName));
  const received = await receiver.next(12);
  const timestamps = received.map(({ headers }) => String(headers['x-webhook-timestamp']));
  expect(received.map(({ headers }) => headers['x-webhook-signature'])).toEqual(
    timestamps.map((timestamp) => createHash('sha256').update(`${timestamp} ${secret}`).digest('hex')),
  );
  expect(new Set(timestamps)).toEqual(new Set([String(noonMs / 1000), String(noonMs), '2026-09-01T12:00:00.000Z']));
});

/** All but that a response is shown late. */
const lasting = oddities.map(({ name }) => name).filter((name) => name !== submittedLater.name);

test('a webhook holds the response as the REST interface shows it, in the zone of the account', async () => {
  const receiver = await startReceiver();
  const service = await startTestService({
    rough: { oneIn: 2, oddities: lasting },
    webhook: { url: receiver.url, secret },
  });
  const quizId = quizIdIn(service, quizName);
  for (let i = 0; i < 8; i += 1) {
    const responseId = await takeAsGuest(service, quizId);
    const { text } = await send(service, `/api/v1/quizzes/${quizId}/responses/${responseId}`);
    const shown: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    const [delivery] = (await receiver.next(i + 1)).slice(-1);
    expect(shown === null ? null : { ...shown, access_code: undefined }).toEqual(
      delivery?.event.data === null ? null : { ...delivery?.event.data, access_code: undefined },
    );
  }
});
