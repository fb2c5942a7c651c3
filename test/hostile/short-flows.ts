import { channelHandles, groupHandles, personHandles, quizHandles, type Cohort } from './cohort.ts';
import { because, someTurn, stepsOf, turn, type Draw } from './grammar.ts';
import { grantKinds } from './grants.ts';
import { writes } from './operations.ts';
import { addressOf, stepInputOf, targets } from './step-inputs.ts';
import type { Step, StepInput } from './steps.ts';

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
