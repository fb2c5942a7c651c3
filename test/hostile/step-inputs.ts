import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { operations, writes } from './operations.ts';
import { naming, type StepInput, type Turn } from './steps.ts';
import { channelHandles, groupHandles, markOf, quizHandles, responseHandles, type Cohort } from './cohort.ts';

export const targets = ['rosa', 'ravi', 'rex', 'sam', 'tess', 'tom', 'tim', 'ada', 'ben', 'fay', 'uma', 'nora', 'gus'];

/** Texts that name no record, or try to leave the path of the service. */
export const odd = [
  '..',
  '../users',
  '%2e%2e/users',
  '*',
  '',
  '__proto__',
  '00000000-0000-4000-8000-000000000000',
  ' ',
  'user:',
  '<@U1>',
  "' OR 1=1 --",
];

/** An input of an operation, mostly with what exists. */
export function stepInputOf(random: SeededRandom, cohort: number, operation = random.pick(writes)): StepInput {
  const chance = (share: number) => random.number() < share;
  const handle = (handles: readonly string[]) => (chance(0.04) ? random.pick(odd) : random.pick(handles));
  const fields = operations[operation]?.fields ?? {};
  const has = (kind: string) => Object.values(fields).some((field) => field === kind);
  const response = handle(responseHandles);
  return {
    operation,
    ...((has('quiz') || has('campaign') || (has('campaigns') && chance(0.7))) && {
      quiz: response === 'fay' && has('response') && chance(0.7) ? 'b' : handle(chance(0.7) ? ['a'] : quizHandles),
    }),
    ...((has('user') || has('users')) && {
      user: handle(chance(0.6) ? ['rosa', 'ravi', 'tess', 'rex', 'sam'] : targets),
    }),
    ...(has('group') && { group: handle(chance(0.7) ? ['a'] : groupHandles) }),
    ...(has('response') && { response }),
    ...(has('channel') && chance(0.5) && { channel: handle(channelHandles) }),
    ...(has('subscription') && chance(0.8) && { subscription: random.between(0, 2) }),
    ...((has('assignees') || has('audience')) && {
      assignees: Array.from({ length: random.between(1, 3) }, () =>
        chance(0.7) ? `user ${random.pick(targets)}` : `group ${random.pick(groupHandles)}`,
      ),
    }),
    values: valuesOf(random, cohort, operation),
    ...(chance(0.75) && { reason: 'It has to be' }),
    naming: random.pick(naming),
  };
}

export function valuesOf(random: SeededRandom, cohort: number, operation: string): Record<string, readonly string[]> {
  const chance = (share: number) => random.number() < share;
  const values: Record<string, readonly string[]> = {};
  const name = () => `New ${markOf(cohort)} ${random.between(1, 1_000_000)}`;
  const address = () => `new.${markOf(cohort)}.${random.between(1, 1_000_000)}@hostile.example`;
  if (operation === 'create-quiz' || operation === 'rename-quiz' || (operation === 'copy-quiz' && chance(0.7)))
    values['name'] = [name()];
  if (operation === 'rename-quiz' && chance(0.2)) values['was'] = [name()];
  if (['excuse-campaign', 'include-campaign'].includes(operation) && chance(0.2)) values['was'] = ['none'];
  if (operation === 'make-token' || operation === 'revoke-token') values['name'] = [`agent ${random.between(1, 4)}`];
  if (operation === 'find-user') values['user_name'] = [address()];
  if (operation === 'create-user') {
    values['user_name'] = [address()];
    values['user_type'] = [random.pick(['respondent', 'respondent', 'trainer', 'administrator', 'owner'])];
    if (chance(0.3))
      values['flags'] = random.pick([['manage_users'], ['edit_quizzes', 'manage_groups'], ['suspended']]);
    if (chance(0.3)) values['suspended'] = ['true'];
    if (chance(0.3)) values['email_address'] = [address()];
  }
  if (operation === 'update-user') {
    if (chance(0.3)) values['user_type'] = [random.pick(['respondent', 'trainer', 'administrator'])];
    for (const flag of ['edit_quizzes', 'manage_users', 'manage_groups'])
      if (chance(0.25)) values[flag] = [random.pick(['true', 'false'])];
    if (chance(0.2)) values['first_name'] = [name()];
    if (chance(0.2)) values['email_address'] = [address()];
    if (chance(0.1)) values['empty'] = ['last_name'];
  }
  if (operations[operation]?.fields['filter'] === 'text' && chance(0.3))
    values['filter'] = [random.pick(['all', 'verify', 'failed', 'open', markOf(cohort)])];
  for (const field of ['plan', 'batch'])
    if (field in (operations[operation]?.fields ?? {})) values[field] = [random.pick(odd)];
  if (operation === 'set-channel-language') values['language'] = [random.pick(['de', 'Polski', 'default', 'klingon'])];
  if (operation === 'subscribe-channel') values['delivery'] = [random.pick(['each', 'thread', 'hourly'])];
  return values;
}

/** An address that a person of the workspace has. */
export function addressOf(random: SeededRandom, { people, number }: Cohort): Record<string, readonly string[]> {
  const address = people[random.pick(['ada', 'twin', 'owner', 'rosa', 'zoe'])]?.email ?? '';
  const other = `new.${markOf(number)}.${random.between(1, 1_000_000)}@hostile.example`;
  const folded = random.pick([address, address.toUpperCase(), ` ${address} `]);
  return random.number() < 0.5
    ? { user_name: [folded], user_type: ['respondent'] }
    : { user_name: [other], email_address: [folded], user_type: ['respondent'] };
}

/** A change that comes in between, mostly of what the sequence is about. */
export function turnAbout(random: SeededRandom, people: readonly string[], quiz: string): Turn {
  const kind = random.between(1, 10);
  if (kind <= 6)
    return {
      turn: random.pick([
        'suspend',
        'demote',
        'unflag',
        'delete',
        'untrain',
        'leave',
        'rename',
        'promote',
        'reinstate',
      ] as const),
      user: random.pick(people),
    };
  if (kind <= 8) return { turn: random.pick(['rename quiz', 'delete quiz', 'answer quiz'] as const), quiz };
  return {
    turn: random.pick(['deactivate', 'make guest', 'move away', 'unconfirm'] as const),
    person: random.pick(people),
  };
}
