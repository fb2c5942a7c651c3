import { expect, test } from 'vitest';
import { createInOwnNames } from '../../../../src/words/render.ts';
import { say } from '../../../../src/domain/said.ts';
import { named } from '../../../../src/domain/sentence.ts';
import { resultFile } from '../../../../src/features/batches/operations/control-batch.ts';

test('the result of a change names the bot’s commands as they are called, and people as they are', () => {
  const row = { kind: 'none' as const, name: 'Rosa /quiz-user', outcome: { kind: 'failed' as const } };
  const error = say`${named('/quiz-user')} has no password: /quiz-user reset-password sets one`;
  const file = resultFile(
    [row],
    [{ kind: 'failed', error }],
    createInOwnNames({ commandPrefix: 'exam', botName: 'X' }),
  );
  expect(file.toString()).toContain(
    'Rosa /quiz-user,failed,“/quiz-user” has no password: /exam-user reset-password sets one',
  );
});
