import fc from 'fast-check';
import { expect, test } from 'vitest';
import { progressOf, type Progress } from '../../../src/features/results/respondents.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { quizUser } from '../../support/builders/users.ts';

const person = fc.record({
  user_id: fc.constantFrom('u-1', 'u-2', 'u-3'),
  user_name: fc.constantFrom('kim@a.example', 'KIM@a.example', 'zoe', 'zoe@b.example'),
  email_address: fc.constantFrom('', 'kim@a.example', 'zoe@b.example', 'not an address'),
});
const response = fc.record({
  user_id: fc.constantFrom('u-1', 'U-2', 'u-9', '', null),
  email_address: fc.constantFrom('', ' Kim@a.example', 'zoe@b.example', 'not an address'),
  status: fc.constantFrom('submitted', 'not_submitted', 'odd'),
  pass: fc.constantFrom(true, false, null),
});

test('each person is as far as their furthest attempt', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(person, { selector: ({ user_id }) => user_id }),
      fc.array(response, { maxLength: 12 }),
      (people, given) => {
        const users = people.map(quizUser);
        const responses = given.map((overrides, index) => quizResponse({ response_id: `r-${index}`, ...overrides }));
        const progress = progressOf(users, responses);
        for (const user of users) {
          const hasAddress = (some: (typeof users)[number], address: string) =>
            /.@.+[.]/.test(address) &&
            [some.user_name, some.email_address].some((one) => one.toLowerCase() === address);
          const own = responses.filter(({ user_id, email_address }) => {
            const address = email_address.trim().toLowerCase();
            const withAddress = users.filter((some) => hasAddress(some, address));
            return user_id
              ? user_id.toLowerCase() === user.user_id
              : withAddress.length === 1 && withAddress[0] === user;
          });
          const submitted = own.filter(({ status }) => status === 'submitted');
          const expected: Progress = submitted.some(({ outcome }) => outcome === 'passed')
            ? 'passed'
            : submitted.some(({ outcome }) => outcome !== 'failed')
              ? 'submitted'
              : submitted.length > 0
                ? 'failed'
                : own.length > 0
                  ? 'begun'
                  : 'not taken';
          expect(progress.get(user.user_id)).toBe(expected);
        }
      },
    ),
  );
});

test('100,000 users and 50,000 responses take time in proportion', () => {
  const users = Array.from({ length: 100_000 }, (_, index) =>
    quizUser({ user_id: `u-${index}`, user_name: `p${index}@a.example`, email_address: '' }),
  );
  const responses = Array.from({ length: 50_000 }, (_, index) =>
    quizResponse({ response_id: `r-${index}`, user_id: `u-${index}` }),
  );
  const progress = progressOf(users, responses);
  expect([...progress.values()].filter((own) => own === 'passed')).toHaveLength(50_000);
});
