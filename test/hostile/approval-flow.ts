import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { turnAbout, valuesOf, stepInputOf } from './step-inputs.ts';
import { naming, type Step, type StepInput } from './steps.ts';
import { markOf, personHandles } from './cohort.ts';

const asking = ['tom', 'tim', 'erin', 'eli', 'uma', 'gus', 'nora', 'otto', 'ada', 'ben', 'amy', 'owner', 'twin'];
const deciding = ['ada', 'ben', 'amy', 'owner', 'twin', 'tim', 'tom', 'erin', 'uma', 'otto', 'rosa', 'ivo', 'mia'];

/** Requests that the policy allows, and attacks that it must refuse. */
const requests: readonly (readonly [asker: string, input: StepInput])[] = [
  ...['tom', 'tim', 'erin', 'eli', 'ada', 'owner', 'twin'].map(
    (asker) => [asker, { operation: 'delete-quiz', quiz: 'a' }] as const,
  ),
  ...['tom', 'tim', 'uma'].flatMap((asker) =>
    ['suspend-user', 'delete-user', 'update-user'].flatMap((operation) =>
      ['rosa', 'ravi', 'tess'].map((user) => [asker, { operation, user }] as const),
    ),
  ),
  ...['tom', 'tim', 'uma'].flatMap((asker) => [
    [asker, { operation: 'reset-password', user: 'tess' }] as const,
    [asker, { operation: 'reinstate-user', user: 'sam' }] as const,
    [asker, { operation: 'create-user' }] as const,
  ]),
  ...['ada', 'ben', 'owner'].flatMap((asker) =>
    ['rosa', 'tom', 'ben', 'ada', 'tim'].map((user) => [asker, { operation: 'delete-user', user }] as const),
  ),
  ...['ada', 'amy', 'twin'].map(
    (asker) => [asker, { operation: 'delete-response', quiz: 'a', response: 'rosa' }] as const,
  ),
  ...['nora', 'uma', 'gus', 'amy'].flatMap((asker) =>
    ['close-quiz', 'rename-quiz', 'copy-quiz', 'create-quiz'].map(
      (operation) => [asker, { operation, quiz: 'a' }] as const,
    ),
  ),
  ...['uma', 'gus'].map(
    (asker) => [asker, { operation: 'assign-quiz', quiz: 'a', assignees: ['user ravi', 'group a'] }] as const,
  ),
  ['gus', { operation: 'assign-to-group', quiz: 'draft', group: 'a' }],
  ['nora', { operation: 'create-user' }],
];

/** Most kills hit the decision, whose carrying out has the most steps. */
const killPoints = [
  'asking',
  'before the review',
  'reviewing',
  'before the decision',
  'deciding',
  'deciding',
  'deciding',
  'deciding',
  'after the decision',
] as const;

/** A person asks, others review and decide, and what the request depends on changes in between. */
export function approvalFlow(random: SeededRandom, cohort: number, kills: boolean): Step[] {
  const chance = (share: number) => random.number() < share;
  const [asker, chosen] = chance(0.85)
    ? random.pick(requests)
    : ([random.pick(asking), stepInputOf(random, cohort)] as const);
  const decider = random.pick(deciding.slice(0, chance(0.8) ? 6 : deciding.length));
  const fresh = valuesOf(random, cohort, chosen.operation);
  const needed: StepInput['values'] =
    chosen.operation === 'create-user' && asker !== 'nora'
      ? { user_type: ['trainer'] }
      : chosen.operation === 'update-user'
        ? { last_name: [`New ${markOf(cohort)}`] }
        : {};
  const input: StepInput = {
    naming: random.pick(naming),
    ...chosen,
    values: { ...fresh, ...needed },
    reason: 'It has to be',
  };
  const who = (people: readonly string[], usual: string) => (chance(0.1) ? random.pick(people) : usual);
  const turn = () => turnAbout(random, [asker, decider, input.user ?? 'rosa'], input.quiz ?? 'a');
  /** Where the bot is killed; the other sequences on the same bot are killed with it. */
  const killed = kills && chance(0.35) ? random.pick(killPoints) : undefined;
  const killedAt = (point: (typeof killPoints)[number]) =>
    killed === point ? { interruption: { after: random.between(1, 14), act: 'kill' as const } } : {};
  const steps: Step[] = [];
  const between = (point: (typeof killPoints)[number], share: number) => {
    if (killed === point) steps.push({ do: 'kill' });
    if (chance(share)) steps.push({ do: 'turn', turn: turn() });
  };
  steps.push({
    do: random.pick(['form', 'form', 'button', 'command']),
    who: asker,
    ...input,
    ...(chance(0.1) && { isDoubled: true }),
    ...killedAt('asking'),
  });
  between('before the review', 0.12);
  if (chance(0.95)) steps.push({ do: 'review', who: who(deciding, decider), request: 0, ...killedAt('reviewing') });
  between('before the decision', 0.25);
  steps.push({
    do: 'decide',
    who: who(deciding, decider),
    request: 0,
    verdict: chance(0.9) ? 'approved' : 'denied',
    ...(chance(0.2) && { interruption: { after: random.between(1, 10), act: turn() } }),
    ...killedAt('deciding'),
    ...(chance(0.15) && { isDoubled: true }),
  });
  between('after the decision', 0);
  if (chance(0.35)) steps.push({ do: 'decide', who: who(deciding, decider), request: 0, verdict: 'approved' });
  if (chance(0.25))
    steps.push({ do: 'password', who: who(personHandles, chance(0.5) ? asker : decider), user: input.user ?? 'rosa' });
  if (chance(0.3))
    steps.push({
      do: 'repeat',
      step: random.between(0, steps.length - 1),
      ...(chance(0.4) && { who: random.pick(personHandles) }),
    });
  return steps;
}
