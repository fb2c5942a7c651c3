import { expect, test } from 'vitest';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { channels, teamId } from '../../src/sandbox/workspace/people.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { enterpriseOfProject, startTestBed, textOf } from '../support/test-bed.ts';
import { subscription } from '../support/builders/alerts.ts';
import { fastClock } from '../support/fast-clock.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';
import { eventually } from '../support/watchdog.ts';

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
    (await sendWebhook({ event_id: 'after-all' }, { response_id: responseId, first_name: 'Ines', last_name: 'Guest' }))
      .status,
  ).toBe(200);
  await sendWebhook({ event_id: 'another' }, { response_id: 'r-another' });
  await workspace.until(() => workspace.messages(results).some((message) => textOf(message).includes('Rosa Almeida')));
  expect(workspace.messages(results)).toHaveLength(2);
});

test('a submission from before the subscription is not announced late', async () => {
  const { workspace, requests, sendWebhook } = await startWithMissedWebhook(20 * minuteMs);
  const posted = () => workspace.messages(results).map(textOf).join();
  await eventually(() => expect(requests.some((request) => request.includes('/responses'))).toBe(true));
  await sendWebhook({ event_id: 'another' }, { response_id: 'r-another' });
  await workspace.until(() => posted().includes('Rosa Almeida'));
  await sendWebhook({ event_id: 'one-more' }, { response_id: 'r-one-more', first_name: 'Omar' });
  await workspace.until(() => posted().includes('Omar Almeida'));
  expect(workspace.messages(results)).toHaveLength(2);
});
