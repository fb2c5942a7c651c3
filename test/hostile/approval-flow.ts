import { markOf, personHandles } from './cohort.ts';
import { approved, because, repeated, stepsOf, turn, type Draw } from './grammar.ts';
import { stepInputOf, turnAbout, valuesOf } from './step-inputs.ts';
import { naming, type Step, type StepInput } from './steps.ts';

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

type KillPoint = (typeof killPoints)[number];

/** A person asks, others review and decide, and what the request depends on changes in between. */
export function approvalFlow(draw: Draw, cohort: number, kills: boolean): Step[] {
  const { chance } = draw;
  const [asker, chosen] = chance(0.85)
    ? draw.pick(requests)
    : ([draw.pick(asking), stepInputOf(draw, cohort)] as const);
  const decider = draw.pick(deciding.slice(0, chance(0.8) ? 6 : deciding.length));
  const fresh = valuesOf(draw, cohort, chosen.operation);
  const needed: StepInput['values'] =
    chosen.operation === 'create-user' && asker !== 'nora'
      ? { user_type: ['trainer'] }
      : chosen.operation === 'update-user'
        ? { last_name: [`New ${markOf(cohort)}`] }
        : {};
  const input: StepInput = { naming: draw.pick(naming), ...chosen, values: { ...fresh, ...needed }, ...because };
  const who = (people: readonly string[], usual: string) => (chance(0.1) ? draw.pick(people) : usual);
  const turned = () => turnAbout(draw, [asker, decider, input.user ?? 'rosa'], input.quiz ?? 'a');
  /** Where the bot is killed; the other sequences on the same bot are killed with it. */
  const killed = kills && chance(0.35) ? draw.pick(killPoints) : undefined;
  const killedAt = (point: KillPoint) =>
    killed === point ? { interruption: { after: draw.between(1, 14), act: 'kill' as const } } : {};
  const between = (point: KillPoint, share: number) => [
    killed === point ? { do: 'kill' as const } : undefined,
    draw.maybe(share, () => turn(turned())),
  ];
  const asked: Step = {
    do: draw.pick(['form', 'form', 'button', 'command']),
    who: asker,
    ...input,
    ...(chance(0.1) && { isDoubled: true }),
    ...killedAt('asking'),
  };
  const steps = stepsOf(
    asked,
    between('before the review', 0.12),
    draw.maybe(0.95, () => ({ do: 'review', who: who(deciding, decider), request: 0, ...killedAt('reviewing') })),
    between('before the decision', 0.25),
    {
      do: 'decide',
      who: who(deciding, decider),
      request: 0,
      verdict: chance(0.9) ? 'approved' : 'denied',
      ...(chance(0.2) && {
        interruption: { after: draw.between(1, 10), act: turned() },
      }),
      ...killedAt('deciding'),
      ...(chance(0.15) && { isDoubled: true }),
    },
    between('after the decision', 0),
    draw.maybe(0.35, () => approved(who(deciding, decider))),
    draw.maybe(0.25, () => ({
      do: 'password',
      who: who(personHandles, chance(0.5) ? asker : decider),
      user: input.user ?? 'rosa',
    })),
  );
  return stepsOf(
    steps,
    draw.maybe(0.3, () => repeated(draw, draw.between(0, steps.length - 1), 0.4)),
  );
}
