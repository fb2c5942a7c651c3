import { expect, test } from 'vitest';
import { createRender } from '../../../../src/words/render.ts';
import { say, named } from '../../../../src/domain/said.ts';
import { resultTable } from '../../../../src/features/batches/operations/control-batch.ts';
import { csvFile } from '../../../../src/operations/table-file.ts';

test('the result of a change names the bot’s commands as they are called, and people as they are', async () => {
  const row = { kind: 'none' as const, name: 'Rosa /quiz-user', outcome: { kind: 'failed' as const } };
  const error = say`${named('/quiz-user')} has no password: /quiz-user reset-password sets one`;
  const file = await csvFile(
    resultTable([row], [{ kind: 'failed', error }]),
    createRender({ commandPrefix: 'exam', botName: 'X' }),
  );
  expect(file.toString()).toContain(
    'Rosa /quiz-user,failed,“/quiz-user” has no password: /exam-user reset-password sets one',
  );
});
