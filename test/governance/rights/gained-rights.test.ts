import { expect, test } from 'vitest';
import { createGainedRights, type RightsGiver } from '../../../src/governance/rights/user-protection.ts';
import type { OperationInput } from '../../../src/governance/perform/meaning.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { User } from '../../../src/quiz-api/records.ts';
import { actor, quizUser } from '../../support/builders/users.ts';

const person = (id: string, user: Partial<User> = {}, more: object = {}) =>
  actor(
    { user_id: `u-${id}`, user_name: `${id}@quiz.example`, email_address: '', user_type: 'administrator', ...user },
    { personId: id, ...more },
  );
const ada = person('ada');
const adasSecondAccount = person('ada-2', { user_id: 'u-ada' });
const bo = person('bo');

function setUp() {
  const kept = new Map<string, { givers: RightsGiver[]; ttlMs: number | undefined }>();
  const gained = createGainedRights({
    store: {
      get: (async (key: string) => kept.get(key)?.givers) as never,
      set: (async (key: string, givers: RightsGiver[], ttlMs?: number) => (
        kept.set(key, { givers, ttlMs }),
        true
      )) as never,
    },
  });
  const give = (operation: string, input: OperationInput, giver = ada) =>
    gained.note('T1', operationNamed(operation)!, input, giver);
  return { kept, gained, give };
}

const respondent = quizUser({ user_id: 'u-bo', user_type: 'respondent' });
const suspended = quizUser({ user_id: 'u-bo', user_type: 'administrator', suspended: true });

test.each([
  ['create-user', { user_name: 'BO@quiz.example', user_type: 'administrator' }],
  ['create-user', { user_name: 'bo', email_address: 'bo@quiz.example', user_type: 'trainer' }],
  ['update-user', { user: respondent, user_type: 'trainer' }],
  ['update-user', { user: { ...suspended, manage_users: false }, manage_users: 'true' }],
  ['update-user', { user: suspended, email_address: 'bo@quiz.example' }],
  ['reinstate-user', { user: suspended }],
])('who gains rights by %s (%j) has them through the person, whichever account they use', async (operation, input) => {
  const { gained, give, kept } = setUp();
  await give(operation, input);
  expect(await gained.isThrough('T1', bo, ada)).toBe(true);
  expect(await gained.isThrough('T1', bo, adasSecondAccount)).toBe(true);
  expect([...kept.values()].map(({ ttlMs }) => ttlMs)).toContain(30 * 24 * 3_600_000);
});

test.each([
  ['create-user', { user_name: 'bo@quiz.example', user_type: 'respondent' }],
  ['update-user', { user: respondent, first_name: 'Bo' }],
  ['update-user', { user: suspended, manage_users: 'false' }],
  ['reinstate-user', { user: respondent }],
  ['suspend-user', { user: suspended }],
])('nobody gains rights by %s (%j)', async (operation, input) => {
  const { gained, give } = setUp();
  await give(operation, input);
  expect(await gained.isThrough('T1', bo, ada)).toBe(false);
});

test('it holds through people in between, in one direction and one workspace, and not for owners', async () => {
  const { gained, give } = setUp();
  const [cleo, owner] = [person('cleo'), person('bo', {}, { isOwner: true })];
  await give('create-user', { user_name: 'bo@quiz.example', user_type: 'administrator' });
  await give('reinstate-user', { user: cleo.user! }, bo);
  expect(await gained.isThrough('T1', cleo, ada)).toBe(true);
  expect(await gained.isThrough('T1', ada, cleo)).toBe(false);
  expect(await gained.isThrough('T2', cleo, ada)).toBe(false);
  expect(await gained.isThrough('T1', owner, ada)).toBe(false);
});

test('who gains rights by several people has them through each of them', async () => {
  const { gained, give } = setUp();
  const cleo = person('cleo');
  await give('update-user', { user: respondent, user_type: 'trainer' });
  await give('reinstate-user', { user: suspended }, cleo);
  expect(await gained.isThrough('T1', bo, ada)).toBe(true);
  expect(await gained.isThrough('T1', bo, cleo)).toBe(true);
});
