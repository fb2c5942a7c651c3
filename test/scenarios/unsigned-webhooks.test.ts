import { expect, test } from 'vitest';
import { submittedLater } from '../../src/sandbox/quiz-service/rough/calls.ts';
import { eventBody } from '../support/event.ts';
import { quizId, safetyQuiz } from '../support/results.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

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

test('a submission that the quiz service does not show yet is announced when it does, and not as late', async () => {
  const { workspace, quizService } = await startTestBed({
    env: { WEBHOOK_SECRET: '', WEBHOOK_ALLOW_UNSIGNED: 'true' },
    quizService: { rough: { oddities: [submittedLater.name], oneIn: 1 } },
  });
  await takeQuiz(quizService.url, quizId({ quizService }, safetyQuiz));
  const results = workspace.channels.results.id;
  await workspace.until(() => workspace.messages(results).length > 0);
  const [message] = workspace.messages(results);
  expect(textOf(message)).toContain('Ines Guest');
  expect(textOf(message)).not.toMatch(/late/i);
});
