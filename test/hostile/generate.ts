import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { operations, reads, writes } from './operations.ts';
import { envelopes, naming, type Step, type Turn, type StepInput } from './steps.ts';
import { groupHandles, markOf, personHandles, quizHandles, responseHandles, userHandles, type Cohort } from './cohort.ts';

const asking = ['tom', 'tim', 'erin', 'eli', 'uma', 'gus', 'nora', 'otto', 'ada', 'ben', 'amy', 'owner', 'twin'];
const deciding = ['ada', 'ben', 'amy', 'owner', 'twin', 'tim', 'tom', 'erin', 'uma', 'otto', 'rosa', 'ivo', 'mia'];
const targets = ['rosa', 'ravi', 'rex', 'sam', 'tess', 'tom', 'tim', 'ada', 'ben', 'fay', 'uma', 'nora', 'gus'];

/** Texts that name no record, or try to leave the path of the service. */
const odd = ['..', '../users', '%2e%2e/users', '*', '', '__proto__', '00000000-0000-4000-8000-000000000000', ' ', 'user:', '<@U1>', "' OR 1=1 --"];

export function generateSequence(seed: number, { kills, isAlone, cohort: place }: { kills: boolean; isAlone: boolean; cohort: Cohort }): Step[] {
  const cohort = place.number;
  const random = createSeededRandom(seed);
  const chance = (share: number) => random.number() < share;
  const steps: Step[] = [];
  if (chance(isAlone ? 0.8 : 0.08)) return attack(random, place);
  const isFlow = kills || chance(0.55);
  if (isFlow) steps.push(...approvalFlow(random, cohort, kills));
  const more = isFlow ? random.between(0, 3) : random.between(3, 9);
  for (let index = 0; index < more; index += 1) steps.push(anyStep(random, cohort, steps.length));
  return steps;
}

function wishOf(random: SeededRandom, cohort: number, operation = random.pick(writes)): StepInput {
  const chance = (share: number) => random.number() < share;
  const handle = (handles: readonly string[]) => (chance(0.04) ? random.pick(odd) : random.pick(handles));
  const fields = operations[operation]?.fields ?? {};
  const has = (kind: string) => Object.values(fields).some((field) => field === kind);
  const response = handle(responseHandles);
  return {
    operation,
    ...(has('quiz') && { quiz: response === 'fay' && has('response') && chance(0.7) ? 'b' : handle(chance(0.7) ? ['a'] : quizHandles) }),
    ...(has('user') && { user: handle(chance(0.6) ? ['rosa', 'ravi', 'tess', 'rex', 'sam'] : targets) }),
    ...(has('group') && { group: handle(chance(0.7) ? ['a'] : groupHandles) }),
    ...(has('response') && { response }),
    ...(has('assignees') && { assignees: Array.from({ length: random.between(1, 3) }, () => (chance(0.7) ? `user ${random.pick(targets)}` : `group ${random.pick(groupHandles)}`)) }),
    values: valuesOf(random, cohort, operation),
    ...(chance(0.75) && { reason: 'It has to be' }),
    naming: random.pick(naming),
  };
}

function valuesOf(random: SeededRandom, cohort: number, operation: string): Record<string, readonly string[]> {
  const chance = (share: number) => random.number() < share;
  const values: Record<string, readonly string[]> = {};
  const name = () => `New ${markOf(cohort)} ${random.between(1, 1_000_000)}`;
  const address = () => `new.${markOf(cohort)}.${random.between(1, 1_000_000)}@hostile.example`;
  if (operation === 'create-quiz' || operation === 'rename-quiz' || (operation === 'copy-quiz' && chance(0.7))) values['name'] = [name()];
  if (operation === 'find-user') values['user_name'] = [address()];
  if (operation === 'create-user') {
    values['user_name'] = [address()];
    values['user_type'] = [random.pick(['respondent', 'respondent', 'trainer', 'administrator', 'owner'])];
    if (chance(0.3)) values['flags'] = random.pick([['manage_users'], ['edit_quizzes', 'manage_groups'], ['suspended']]);
    if (chance(0.3)) values['suspended'] = ['true'];
    if (chance(0.3)) values['email_address'] = [address()];
  }
  if (operation === 'update-user') {
    if (chance(0.3)) values['user_type'] = [random.pick(['respondent', 'trainer', 'administrator'])];
    for (const flag of ['edit_quizzes', 'manage_users', 'manage_groups']) if (chance(0.25)) values[flag] = [random.pick(['true', 'false'])];
    if (chance(0.2)) values['first_name'] = [name()];
    if (chance(0.2)) values['email_address'] = [address()];
    if (chance(0.1)) values['empty'] = ['last_name'];
  }
  return values;
}

/** Requests that the policy allows somebody to make, and attacks that it must not. */
const requests: readonly (readonly [asker: string, wish: StepInput])[] = [
  ...['tom', 'tim', 'erin', 'eli', 'ada', 'owner', 'twin'].map((asker) => [asker, { operation: 'delete-quiz', quiz: 'a' }] as const),
  ...['tom', 'tim', 'uma'].flatMap((asker) =>
    ['suspend-user', 'delete-user', 'update-user'].flatMap((operation) => ['rosa', 'ravi', 'tess'].map((user) => [asker, { operation, user }] as const)),
  ),
  ...['tom', 'tim', 'uma'].flatMap((asker) => [
    [asker, { operation: 'reset-password', user: 'tess' }] as const,
    [asker, { operation: 'reinstate-user', user: 'sam' }] as const,
    [asker, { operation: 'create-user' }] as const,
  ]),
  ...['ada', 'ben', 'owner'].flatMap((asker) => ['rosa', 'tom', 'ben', 'ada', 'tim'].map((user) => [asker, { operation: 'delete-user', user }] as const)),
  ...['ada', 'amy', 'twin'].map((asker) => [asker, { operation: 'delete-response', quiz: 'a', response: 'rosa' }] as const),
  ...['nora', 'uma', 'gus', 'amy'].flatMap((asker) => ['close-quiz', 'rename-quiz', 'copy-quiz', 'create-quiz'].map((operation) => [asker, { operation, quiz: 'a' }] as const)),
  ...['uma', 'gus'].map((asker) => [asker, { operation: 'assign-quiz', quiz: 'a', assignees: ['user ravi', 'group a'] }] as const),
  ['gus', { operation: 'assign-to-group', quiz: 'draft', group: 'a' }],
  ['nora', { operation: 'create-user' }],
];

/** One person asks, others review and decide, and in between somebody changes what it depends on. */
function approvalFlow(random: SeededRandom, cohort: number, kills: boolean): Step[] {
  const chance = (share: number) => random.number() < share;
  const [asker, chosen] = chance(0.85) ? random.pick(requests) : ([random.pick(asking), wishOf(random, cohort)] as const);
  const decider = random.pick(deciding.slice(0, chance(0.8) ? 6 : deciding.length));
  const fresh = valuesOf(random, cohort, chosen.operation);
  const needed: StepInput['values'] = chosen.operation === 'create-user' && asker !== 'nora' ? { user_type: ['trainer'] } : chosen.operation === 'update-user' ? { last_name: [`New ${markOf(cohort)}`] } : {};
  const wish: StepInput = { naming: random.pick(naming), ...chosen, values: { ...fresh, ...needed }, reason: 'It has to be' };
  const who = (people: readonly string[], usual: string) => (chance(0.1) ? random.pick(people) : usual);
  const turn = () => turnAbout(random, [asker, decider, wish.user ?? 'rosa'], wish.quiz ?? 'a');
  const steps: Step[] = [];
  const between = (share: number) => {
    if (kills && chance(0.08)) steps.push({ do: 'kill' });
    if (chance(share)) steps.push({ do: 'turn', turn: turn() });
  };
  steps.push({ do: random.pick(['form', 'form', 'button', 'command']), who: asker, ...wish, ...(chance(0.1) && { isDoubled: true }) });
  between(0.12);
  if (chance(0.95)) steps.push({ do: 'review', who: who(deciding, decider), request: 0 });
  between(0.25);
  const acts = kills && chance(0.7) ? ({ after: random.between(1, 14), act: 'kill' } as const) : chance(0.2) ? { after: random.between(1, 10), act: turn() } : undefined;
  steps.push({
    do: 'decide',
    who: who(deciding, decider),
    request: 0,
    verdict: chance(0.9) ? 'approved' : 'denied',
    ...(acts && { interruption: acts }),
    ...(chance(0.15) && { isDoubled: true }),
  });
  if (kills && chance(0.15)) steps.push({ do: 'kill' });
  if (chance(0.35)) steps.push({ do: 'decide', who: who(deciding, decider), request: 0, verdict: 'approved' });
  if (chance(0.25)) steps.push({ do: 'password', who: who(personHandles, chance(0.5) ? asker : decider), user: wish.user ?? 'rosa' });
  if (chance(0.3)) steps.push({ do: 'repeat', step: random.between(0, steps.length - 1), ...(chance(0.4) && { who: random.pick(personHandles) }) });
  return steps;
}

/** Administrators against each other and themselves, and new users with addresses that somebody has. */
function attack(random: SeededRandom, cohort: Cohort): Step[] {
  const administrators = ['ada', 'ben', 'amy', 'owner', 'twin', 'tim'];
  const user = () => random.pick(['ada', 'ben', 'amy', 'tim', 'tom']);
  return Array.from({ length: random.between(2, 6) }, (): Step => {
    const who = random.pick(administrators);
    switch (random.between(1, 7)) {
      case 1:
      case 2:
        return { do: 'form', who, operation: 'suspend-user', user: user() };
      case 3:
        return { do: 'form', who, operation: 'update-user', user: user(), values: { user_type: [random.pick(['respondent', 'trainer'])] } };
      case 4:
        return { do: 'form', who, operation: 'update-user', user: user(), values: { [random.pick(['manage_users', 'edit_quizzes'])]: ['false'] } };
      case 5:
        return { do: 'form', who: random.pick([...administrators, 'uma', 'tom']), operation: 'create-user', values: addressOf(random, cohort), reason: 'It has to be' };
      case 6:
        return { do: 'form', who, operation: 'update-user', user: user(), values: addressOf(random, cohort) };
      default:
        return { do: 'turn', turn: { turn: 'suspend', user: user() } };
    }
  });
}

/** An address that a person of the workspace has. */
function addressOf(random: SeededRandom, { people, number }: Cohort): Record<string, readonly string[]> {
  const address = people[random.pick(['ada', 'twin', 'owner', 'rosa', 'zoe'])]?.email ?? '';
  const other = `new.${markOf(number)}.${random.between(1, 1_000_000)}@hostile.example`;
  const folded = random.pick([address, address.toUpperCase(), ` ${address} `]);
  return random.number() < 0.5 ? { user_name: [folded], user_type: ['respondent'] } : { user_name: [other], email_address: [folded], user_type: ['respondent'] };
}

function turnAbout(random: SeededRandom, people: readonly string[], quiz: string): Turn {
  const kind = random.between(1, 10);
  if (kind <= 6) return { turn: random.pick(['suspend', 'demote', 'unflag', 'delete', 'untrain', 'leave', 'rename', 'promote', 'reinstate'] as const), user: random.pick(people) };
  if (kind <= 8) return { turn: random.pick(['rename quiz', 'delete quiz', 'answer quiz'] as const), quiz };
  return { turn: random.pick(['deactivate', 'make guest', 'move away', 'unconfirm'] as const), person: random.pick(people) };
}

function anyStep(random: SeededRandom, cohort: number, count: number): Step {
  const chance = (share: number) => random.number() < share;
  const who = random.pick(personHandles);
  const envelope = chance(0.08) ? { envelope: random.pick(envelopes) } : {};
  const common = { who, ...envelope, ...(chance(0.05) && { isDoubled: true }) };
  switch (random.between(1, 20)) {
    case 1:
    case 2:
    case 3:
      return { do: 'command', ...common, ...wishOf(random, cohort) };
    case 4:
    case 5:
    case 6:
      return { do: 'form', ...common, ...wishOf(random, cohort) };
    case 7:
    case 8:
      return { do: random.pick(['button', 'button beside', 'open form'] as const), ...common, ...wishOf(random, cohort) };
    case 9:
    case 10:
    case 11:
      return { do: random.pick(['command', 'form', 'button'] as const), ...common, ...wishOf(random, cohort, random.pick(reads)) };
    case 12:
      return { do: 'review', ...common, request: random.between(-2, 2) };
    case 13:
      return { do: 'decide', ...common, request: random.between(-2, 2), verdict: 'approved', ...(chance(0.3) && { metadata: random.pick(odd) }) };
    case 14:
      return { do: random.pick(['withdraw', 'withdraw form'] as const), ...common, request: random.between(-1, 1) };
    case 15:
      return { do: 'password', ...common, user: random.pick([...targets, ...odd]) };
    case 16: {
      const operation = random.pick(Object.keys(operations));
      return { do: 'picker', ...common, operation, field: random.pick([...Object.keys(operations[operation]?.fields ?? {}), 'to', '__proto__']), text: random.pick(['', 'a', markOf(cohort), 'zq', 'rosa']) };
    }
    case 17:
      return chance(0.5) ? { do: 'home', ...common } : { do: 'find', ...common, author: random.pick(personHandles) };
    case 18:
      return { do: 'shortcut', ...common, operation: random.pick(['create-user', 'assign-quiz', 'close-quiz', 'suspend-user', 'delete-user']) };
    case 19:
      return count > 0 ? { do: 'repeat', step: random.between(0, count - 1), ...(chance(0.5) && { who: random.pick(personHandles) }) } : { do: 'home', ...common };
    default:
      return { do: 'turn', turn: turnAbout(random, userHandles, random.pick(quizHandles)) };
  }
}
