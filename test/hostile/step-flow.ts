import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { groupHandles, personHandles, quizHandles } from './cohort.ts';
import { grantKinds } from './grants.ts';
import { targets, turnAbout } from './step-inputs.ts';
import type { Step } from './steps.ts';

type WorkflowStep = Extract<Step, { do: 'workflow step' }>;

const ofSteps = ['assign-quiz', 'start-campaign', 'create-user', 'show-results'];

/** A step of a workflow, mostly with the text that the bot signed for the person. */
export function workflowStep(random: SeededRandom, who: string): WorkflowStep {
  const operation = random.pick(ofSteps);
  return {
    do: 'workflow step',
    who,
    operation,
    quiz: random.pick(quizHandles),
    ...(operation === 'assign-quiz' || operation === 'start-campaign'
      ? {
          assignees: random.pick([
            [`user ${random.pick(targets)}`],
            [`group ${random.pick(groupHandles)}`],
            ['user lea', 'group a'],
          ]),
        }
      : { user: random.pick([...targets, 'zoe', 'twin']) }),
    reason: 'It has to be',
    ...(random.number() < 0.3 && { grant: random.pick(grantKinds) }),
  };
}

/** A step that would do something runs with what its person was given, and with what is no such thing, before and after they lose rights. */
export function stepFlow(random: SeededRandom): Step[] {
  const chance = (share: number) => random.number() < share;
  const who = random.pick(['ada', 'ben', 'tom', 'tim', 'erin', 'owner']);
  const operation = random.pick(ofSteps);
  const genuine: WorkflowStep = {
    do: 'workflow step',
    who,
    operation,
    quiz: 'a',
    ...(/^(?:assign|start)/.test(operation)
      ? { assignees: [`user ${random.pick(['kai', 'tess', 'ravi'])}`] }
      : { user: operation === 'create-user' ? random.pick(['zoe', 'ben', 'lea']) : 'rosa' }),
    reason: 'It has to be',
  };
  return [
    { ...genuine, grant: chance(0.3) ? 'of long ago' : random.pick(grantKinds) },
    ...(chance(0.5) ? [{ ...genuine, grant: random.pick(grantKinds) }] : []),
    genuine,
    ...(chance(0.5) ? [{ do: 'turn', turn: turnAbout(random, [who], 'a') } as const, genuine] : []),
    ...(chance(0.4) ? [{ do: 'repeat', step: 0, who: random.pick(personHandles) } as const] : []),
  ];
}
