import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/sandbox/quiz-service/database.ts';
import { openOutbox } from '../../../src/sandbox/quiz-service/account.ts';

test('the outbox keeps the last 200 e-mails with their passwords', () => {
  let mails = 0;
  const outbox = openOutbox(
    openDatabase(':memory:'),
    () => 0,
    () => `mail-${(mails += 1)}`,
  );
  for (let i = 1; i <= 205; i += 1)
    outbox.send({ recipient: `${i}@quiz.example`, userName: `${i}`, firstName: '', password: `secret ${i}` });
  const kept = outbox.list();
  expect(kept.map((mail) => mail.recipient)).toEqual(Array.from({ length: 200 }, (_, i) => `${205 - i}@quiz.example`));
  expect(kept.every((mail) => mail.hasPassword)).toBe(true);
  expect([outbox.takePassword('mail-5'), outbox.takePassword('mail-6')]).toEqual([undefined, 'secret 6']);
});
