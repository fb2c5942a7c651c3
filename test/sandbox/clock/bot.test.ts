import { expect, onTestFinished, test } from 'vitest';
import { createSandboxClock } from '../../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { webhookSecret } from '../../support/event.ts';
import { openProcessTestBed } from '../../support/process-test-bed.ts';
import { takeQuiz } from '../../support/take-quiz.ts';

const dayMs = 24 * 60 * 60_000;

test('a bot, its workspace and its quiz service skip a week together, through a kill', async () => {
  const clock = createSandboxClock();
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    clock,
    env: { WEBHOOK_SCHEME: 'timestamp-body', ALERTS_CHANNEL: '' },
  });
  onTestFinished(() => testBed.close());
  const {
    workspace,
    quizService,
    bots: [bot],
  } = testBed;
  quizService.setWebhook({ url: `${bot!.url}/webhooks/quiz`, secret: webhookSecret, scheme: 'timestamp-body' });
  const ada = workspace.as(people.ada.id);
  const channel = workspace.channels.training;
  const subscribed = await ada.command('/quiz-alerts subscribe all digest daily 8:30', { channel: channel.id });
  await subscribed.reply();

  const quiz = quizService.database.get<{ quiz_id: string }>(
    "SELECT quiz_id FROM quizzes WHERE name = 'Workplace safety basics'",
  )!;
  await takeQuiz(quizService.url, quiz.quiz_id);
  const submittedMs = clock.now();
  await clock.skip(dayMs);
  const digest = await workspace.until(() =>
    workspace.messages(channel.id).find(({ text }) => text.includes('Daily digest')),
  );
  const postedMs = Number(digest.ts) * 1000;
  const nextDigest = new Date(submittedMs);
  nextDigest.setUTCHours(8, 30, 0, 0);
  if (nextDigest.getTime() < submittedMs) nextDigest.setUTCDate(nextDigest.getUTCDate() + 1);
  // What a busy machine does not do within a step comes with the next one, a quarter of an hour later.
  expect(postedMs - nextDigest.getTime()).toBeGreaterThanOrEqual(0);
  expect(postedMs - nextDigest.getTime()).toBeLessThan(20 * 60_000);

  await clock.skip(3 * dayMs);
  await bot!.kill();
  await clock.skip(3 * dayMs);
  await bot!.start();
  const listed = await ada.command('/quiz list');
  expect(listed.error).toBeUndefined();
  expect(JSON.stringify(await listed.reply())).toContain('Forklift theory test');
  const before = workspace.messages(channel.id).length;
  await takeQuiz(quizService.url, quiz.quiz_id);
  await clock.skip(dayMs);
  expect(workspace.messages(channel.id).length).toBeGreaterThan(before);
  const refused = workspace.deliveries.filter(({ error }) => error !== undefined);
  expect(refused).toEqual([]);
});
