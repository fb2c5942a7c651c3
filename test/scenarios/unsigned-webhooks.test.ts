import { expect, test } from 'vitest';
import { eventBody } from '../support/event.ts';
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
