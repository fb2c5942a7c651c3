import { expect, test, vi } from 'vitest';
import { submittedLater } from '../../src/sandbox/quiz-service/rough/calls.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { eventBody } from '../support/event.ts';
import { environmentOf, storesFor } from '../support/many-changes.ts';
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

const ways: [way: string, env: Record<string, string>, signature: string[]][] = [
  ['without a signature', { WEBHOOK_SECRET: '', WEBHOOK_ALLOW_UNSIGNED: 'true' }, []],
  ['signed without its body', { WEBHOOK_SCHEME: 'timestamp-secret' }, ['signature-plain-sha256']],
];

test.each(storesFor(import.meta.filename).flatMap((store) => ways.map((way) => [store, ...way] as const)))(
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
