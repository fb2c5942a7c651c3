import { personHandles } from './cohort.ts';
import { approved, campaignFor, press, repeated, reviewed, someTurn, stepsOf, type Draw } from './grammar.ts';
import { envelopes, type Step, type StepInput } from './steps.ts';

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
