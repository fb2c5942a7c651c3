import { expect, test } from 'vitest';
import { createRenameSentence } from '../../../../src/domain/own-names.ts';
import { named } from '../../../../src/domain/sentence.ts';
import { resultFile } from '../../../../src/features/batches/operations/control-batch.ts';

test('the result of a change names the bot’s commands as they are called, and people as they are', () => {
  const row = { kind: 'none' as const, name: 'Rosa /quiz-user', outcome: { kind: 'failed' as const } };
  const error = `${named('/quiz-user')} has no password: /quiz-user reset-password sets one`;
  const file = resultFile(
    [row],
    [{ kind: 'failed', error }],
    createRenameSentence({ commandPrefix: 'exam', botName: 'X' }),
  );
  expect(file.toString()).toContain(
    'Rosa /quiz-user,failed,“/quiz-user” has no password: /exam-user reset-password sets one',
  );
});
