import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { turnAbout } from './step-inputs.ts';
import { envelopes, type Step, type StepInput } from './steps.ts';
import { personHandles } from './cohort.ts';

type Press = Extract<Step, StepInput>;

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

/** A person has a preview made, others and the person press what is on it, and on the messages that follow. */
export function planFlow(random: SeededRandom): Step[] {
  const chance = (share: number) => random.number() < share;
  const isCampaign = chance(0.35);
  const maker = random.pick(
    isCampaign
      ? ['ada', 'tom', 'erin', 'eli', 'owner', 'nora']
      : ['ada', 'ben', 'tom', 'uma', 'gus', 'owner', 'twin', 'amy'],
  );
  const making: StepInput = isCampaign
    ? {
        operation: 'start-campaign',
        quiz: chance(0.8) ? 'a' : 'b',
        assignees: ['user kai', 'user tess', 'group a'].slice(0, random.between(1, 3)),
        values: { people: [], channels: [], except: [], due: ['in 2 weeks'] },
      }
    : {
        operation: random.pick(['empty-group', 'empty-group', 'suspend-group', 'reinstate-group']),
        group: chance(0.8) ? 'a' : 'b',
      };
  const someone = () => (chance(0.5) ? maker : random.pick(personHandles));
  const press = (operation: string, who: string): Press => ({
    do: random.pick(['button', 'button beside', 'form'] as const),
    who,
    operation,
    latest: chance(0.9) ? 0 : 1,
    reason: 'It has to be',
    ...(chance(0.08) && { envelope: random.pick(envelopes) }),
    ...(chance(0.1) && { isDoubled: true }),
    ...(operation === 'extend-campaign' && { values: { time: ['in 3 weeks'] } }),
    ...(operation === 'change-campaign' && { values: { valid: ['6 months'] } }),
    ...(operation === 'excuse-campaign' && { user: 'kai', values: { because: ['On leave'] } }),
    ...(operation === 'include-campaign' && { user: 'kai' }),
    ...(operation === 'add-to-campaign' && { assignees: ['user lea'] }),
  });
  const start = isCampaign ? 'run-campaign' : 'run-batch';
  const steps: Step[] = [{ do: random.pick(['form', 'button', 'command'] as const), who: maker, ...making }];
  for (let count = random.between(0, 2); count > 0; count -= 1)
    steps.push(
      press(
        isCampaign ? random.pick(['run-campaign', 'show-plan', 'run-batch']) : random.pick(ofPlan),
        random.pick(personHandles),
      ),
    );
  if (chance(0.2)) steps.push({ do: 'turn', turn: turnAbout(random, [maker, 'rosa', 'ravi'], 'a') });
  steps.push(press(start, maker));
  if (chance(0.6)) {
    const reviewer = random.pick(reviewers);
    steps.push({ do: 'review', who: reviewer, request: 0 });
    if (chance(0.2)) steps.push({ do: 'turn', turn: turnAbout(random, [maker, reviewer, 'ravi'], 'a') });
    steps.push({
      do: 'decide',
      who: chance(0.9) ? reviewer : random.pick(personHandles),
      request: 0,
      verdict: 'approved',
    });
  }
  for (let count = random.between(1, 4); count > 0; count -= 1)
    steps.push(press(random.pick(isCampaign ? ofCampaign : ofBatch), someone()));
  if (chance(0.3))
    steps.push({
      do: 'repeat',
      step: random.between(0, steps.length - 1),
      ...(chance(0.6) && { who: random.pick(personHandles) }),
    });
  return steps;
}
