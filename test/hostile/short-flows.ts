import { grantKinds } from './proofs.ts';
import { channelHandles, groupHandles, personHandles, quizHandles, type Cohort, markOf } from './cohort.ts';
import {
  because,
  someTurn,
  stepsOf,
  turn,
  type Draw,
  approved,
  campaignFor,
  press,
  repeated,
  reviewed,
  addressOf,
  stepInputOf,
  targets,
  turnAbout,
  valuesOf,
} from './grammar.ts';
import { writes } from './operations.ts';
import { type Step, type StepInput, envelopes, naming } from './steps.ts';

/** Administrators against each other and themselves, and new users with addresses of other people. */
export function attack(draw: Draw, cohort: Cohort): Step[] {
  const administrators = ['ada', 'ben', 'amy', 'owner', 'twin', 'tim'];
  const user = () => draw.pick(['ada', 'ben', 'amy', 'tim', 'tom']);
  return stepsOf(
    draw.times(2, 6, () => {
      const who = draw.pick(administrators);
      const form = (input: StepInput): Step => ({ do: 'form', who, ...input });
      return draw.oneOf<Step>([
        [2, () => form({ operation: 'suspend-user', user: user() })],
        [
          1,
          () =>
            form({
              operation: 'update-user',
              user: user(),
              values: { user_type: [draw.pick(['respondent', 'trainer'])] },
            }),
        ],
        [
          1,
          () =>
            form({
              operation: 'update-user',
              user: user(),
              values: { [draw.pick(['manage_users', 'edit_quizzes'])]: ['false'] },
            }),
        ],
        [
          1,
          () => ({
            do: 'form',
            who: draw.pick([...administrators, 'uma', 'tom']),
            operation: 'create-user',
            values: addressOf(draw, cohort),
            ...because,
          }),
        ],
        [1, () => form({ operation: 'update-user', user: user(), values: addressOf(draw, cohort) })],
        [1, () => turn({ turn: 'suspend', user: user() })],
      ]);
    }),
  );
}

/** A person subscribes a channel, and others, some of them elsewhere, change the subscription. */
export function alertsFlow(draw: Draw): Step[] {
  const subscriber = draw.pick(['erin', 'tom', 'eli', 'ada', 'owner', 'nora', 'uma']);
  const quiz = draw.chance(0.8) ? { quiz: draw.pick(quizHandles) } : {};
  const doing = () => draw.pick(['command', 'button', 'form'] as const);
  const change = (): Step => ({
    do: doing(),
    who: draw.pick([subscriber, 'erin', 'eli', 'tim', 'ada', ...personHandles]),
    in: draw.pick(channelHandles),
    operation: draw.pick(['unsubscribe-channel', 'pause-alerts', 'resume-alerts']),
    ...(draw.chance(0.85) && { subscription: draw.between(0, 1) }),
    ...(draw.chance(0.15) && { isDoubled: true }),
  });
  return stepsOf(
    {
      do: doing(),
      who: subscriber,
      in: draw.pick(channelHandles),
      operation: 'subscribe-channel',
      ...quiz,
      ...(draw.chance(0.6) && { channel: draw.pick(channelHandles) }),
    },
    draw.times(1, 4, () => (draw.chance(0.25) ? someTurn(draw, [subscriber], quiz.quiz ?? 'a') : change())),
  );
}

/** A change that the bot is killed in, and that the person makes again. */
export function cutShort(draw: Draw, cohort: number): Step[] {
  const who = draw.pick(['ada', 'ben', 'tom', 'erin', 'uma', 'gus', 'owner']);
  const step = {
    do: draw.pick(['command', 'form', 'button'] as const),
    who,
    ...stepInputOf(draw, cohort, draw.pick(writes)),
    ...(draw.chance(0.5) && { interruption: { after: draw.between(1, 6), act: 'kill' as const } }),
  };
  return [step, { do: 'repeat', step: 0 }];
}

type WorkflowStep = Extract<Step, { do: 'workflow step' }>;

const ofSteps = ['assign-quiz', 'start-campaign', 'create-user', 'show-results'];

/** A step of a workflow, mostly with the text that the bot signed for the person. */
export function workflowStep(draw: Draw, who: string): WorkflowStep {
  const operation = draw.pick(ofSteps);
  return {
    do: 'workflow step',
    who,
    operation,
    quiz: draw.pick(quizHandles),
    ...(operation === 'assign-quiz' || operation === 'start-campaign'
      ? {
          assignees: draw.pick([
            [`user ${draw.pick(targets)}`],
            [`group ${draw.pick(groupHandles)}`],
            ['user lea', 'group a'],
          ]),
        }
      : { user: draw.pick([...targets, 'zoe', 'twin']) }),
    ...because,
    ...(draw.chance(0.3) && { grant: draw.pick(grantKinds) }),
  };
}

/** A step that would do something runs with what its person was given, and with what is no such thing, before and after they lose rights. */
export function stepFlow(draw: Draw): Step[] {
  const who = draw.pick(['ada', 'ben', 'tom', 'tim', 'erin', 'owner']);
  const operation = draw.pick(ofSteps);
  const genuine: WorkflowStep = {
    do: 'workflow step',
    who,
    operation,
    quiz: 'a',
    ...(/^(?:assign|start)/.test(operation)
      ? { assignees: [`user ${draw.pick(['kai', 'tess', 'ravi'])}`] }
      : { user: operation === 'create-user' ? draw.pick(['zoe', 'ben', 'lea']) : 'rosa' }),
    ...because,
  };
  return stepsOf(
    { ...genuine, grant: draw.chance(0.3) ? 'of long ago' : draw.pick(grantKinds) },
    draw.maybe(0.5, () => ({ ...genuine, grant: draw.pick(grantKinds) })),
    genuine,
    draw.maybe(0.5, () => [someTurn(draw, [who]), genuine]),
    draw.maybe(0.4, () => ({ do: 'repeat', step: 0, who: draw.pick(personHandles) })),
  );
}

const ofPlan = ['run-batch', 'show-plan'];
const ofBatch = ['pause-batch', 'resume-batch', 'cancel-batch', 'batch-result', 'undo-batch', 'show-plan', 'run-batch'];
const ofCampaign = [
  'remind-campaign',
  'extend-campaign',
  'change-campaign',
  'run-rule-change',
  'excuse-campaign',
  'include-campaign',
  'hand-over-campaign',
  'add-to-campaign',
  'report-campaign',
  'send-evidence',
  'show-campaign',
  'end-campaign',
  'run-campaign',
  'show-plan',
];
const reviewers = ['ada', 'ben', 'owner', 'amy', 'twin', 'tom', 'uma'];

/** What operations about a campaign are asked with. */
export const askedOfCampaign: Readonly<Record<string, Partial<StepInput>>> = {
  'extend-campaign': { values: { time: ['in 3 weeks'] } },
  'excuse-campaign': { user: 'kai', values: { because: ['On leave'] } },
  'add-to-campaign': { assignees: ['user lea'] },
};

/** A person has a preview made, others and the person press what is on it, and on the messages that follow. */
export function planFlow(draw: Draw): Step[] {
  const isCampaign = draw.chance(0.35);
  const maker = draw.pick(
    isCampaign
      ? ['ada', 'tom', 'erin', 'eli', 'owner', 'nora']
      : ['ada', 'ben', 'tom', 'uma', 'gus', 'owner', 'twin', 'amy'],
  );
  const making = (): StepInput => {
    if (!isCampaign) {
      const operation = draw.pick(['empty-group', 'empty-group', 'suspend-group', 'reinstate-group']);
      return { operation, group: draw.chance(0.8) ? 'a' : 'b' };
    }
    const quiz = draw.chance(0.8) ? 'a' : 'b';
    return campaignFor(['user kai', 'user tess', 'group a'].slice(0, draw.between(1, 3)), quiz);
  };
  const made = making();
  const pressed = (operation: string, who: string): Step => ({
    ...press(draw, operation, who, { ways: ['button', 'button beside', 'form'] }),
    latest: draw.chance(0.9) ? 0 : 1,
    ...(draw.chance(0.08) && { envelope: draw.pick(envelopes) }),
    ...(draw.chance(0.1) && { isDoubled: true }),
    ...askedOfCampaign[operation],
    ...(operation === 'change-campaign' && { values: { valid: ['6 months'] } }),
    ...(operation === 'include-campaign' && { user: 'kai' }),
  });
  const decided = () => {
    const reviewer = draw.pick(reviewers);
    return [
      reviewed(reviewer),
      draw.maybe(0.2, () => someTurn(draw, [maker, reviewer, 'ravi'])),
      approved(draw.chance(0.9) ? reviewer : draw.pick(personHandles)),
    ];
  };
  const steps = stepsOf(
    { do: draw.pick(['form', 'button', 'command'] as const), who: maker, ...made },
    draw.times(0, 2, () =>
      pressed(draw.pick(isCampaign ? ['run-campaign', 'show-plan', 'run-batch'] : ofPlan), draw.pick(personHandles)),
    ),
    draw.maybe(0.2, () => someTurn(draw, [maker, 'rosa', 'ravi'])),
    pressed(isCampaign ? 'run-campaign' : 'run-batch', maker),
    draw.maybe(0.6, decided),
    draw.times(1, 4, () =>
      pressed(draw.pick(isCampaign ? ofCampaign : ofBatch), draw.chance(0.5) ? maker : draw.pick(personHandles)),
    ),
  );
  return stepsOf(
    steps,
    draw.maybe(0.3, () => repeated(draw, draw.between(0, steps.length - 1), 0.6)),
  );
}

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
