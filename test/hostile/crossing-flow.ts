import { agentCall } from './agent-flow.ts';
import { markOf, personHandles, responseHandles, type Cohort } from './cohort.ts';
import { because, stepsOf, type Draw, stepInputOf, targets } from './grammar.ts';
import { operations } from './operations.ts';
import { askedOfCampaign, stepFlow, workflowStep } from './short-flows.ts';
import type { DeliveredStep, Door, ForeignPart, Step, StepInput } from './steps.ts';

const staff = ['ada', 'ben', 'owner', 'tom', 'tim', 'erin', 'uma', 'gus'];

/** Parts that a step has where its input names one. */
const named = ['quiz', 'user', 'group', 'response', 'assignees', 'channel', 'subscription'] as const;

/** Operations about a plan, batch or campaign, by the field that names it. */
const aboutThings = Object.entries(operations).filter(([, { fields }]) =>
  ['plan', 'batch', 'campaign'].some((field) => field in fields),
);

/** What fits the address of no tenant, and what comes to the other one. */
const doors: readonly Door[] = [
  { to: 'other', signed: 'own' },
  { to: 'own', signed: 'other' },
  { to: 'other', signed: 'other' },
];
const doorsOfReplays: readonly Door[] = [
  { to: 'own', signed: 'own' },
  { to: 'own', signed: 'own' },
  { to: 'other', signed: 'own' },
  { to: 'own', signed: 'other' },
];

/**
 * What people of one tenant do, what those of the other do, in turns, and what those of the first then try with what is the
 * other’s.
 *
 * @param parts.there leaves something to take: a request, a token, a plan
 */
export function crossingFlow(
  draw: Draw,
  cohort: Cohort,
  { own, there }: { own: readonly Step[]; there: readonly Step[] },
): Step[] {
  const steps = inTurns(draw, own, there);
  const isDelivered = (step: Step) => step.do === 'elsewhere' && 'who' in step.step;
  const delivered = steps.flatMap((step, index) => (isDelivered(step) ? [index] : []));
  return stepsOf(
    steps,
    draw.times(2, 5, () => crossing(draw, cohort, delivered)),
  );
}

/** Merges the steps of both tenants. A repeated step is named by its index. */
function inTurns(draw: Draw, own: readonly Step[], there: readonly Step[]): Step[] {
  const rest = { own: [...own.entries()], there: [...there.entries()] };
  const places = { own: new Map<number, number>(), there: new Map<number, number>() };
  const merged: Step[] = [];
  while (rest.own.length + rest.there.length > 0) {
    const side = rest.own.length === 0 || (rest.there.length > 0 && draw.chance(0.5)) ? 'there' : 'own';
    const [index, step] = rest[side].shift()!;
    places[side].set(index, merged.length);
    const placed = step.do === 'repeat' ? { ...step, step: places[side].get(step.step) ?? -1 } : step;
    merged.push(side === 'own' ? placed : { do: 'elsewhere', step: placed });
  }
  return merged;
}

/** A person tries something with what is the other tenant’s. @param delivered the steps of the other tenant that were delivered */
function crossing(draw: Draw, cohort: Cohort, delivered: readonly number[]): Step {
  const who = draw.chance(0.7) ? draw.pick(staff) : draw.pick(personHandles);
  const doing = () =>
    draw.pick(['form', 'form', 'button', 'button beside', 'command', 'message', 'open form'] as const);
  const ofRequest = { who, request: draw.between(0, 1), foreign: ['request'] } as const;
  return draw.oneOf<Step>([
    [
      3,
      () => {
        const step = { do: doing(), who };
        return foreignInput(draw, { ...step, ...stepInputOf(draw, cohort.number, draw.pick(Object.keys(operations))) });
      },
    ],
    [1, () => foreignInput(draw, agentCall(draw, cohort.number, who) as DeliveredStep & StepInput)],
    [3, () => ofThing(draw, { do: doing(), who })],
    [2, () => ({ do: 'review', ...ofRequest })],
    [1, () => ({ do: 'decide', ...ofRequest, verdict: draw.pick(['approved', 'approved', 'denied']) })],
    [1, () => ({ do: draw.pick(['withdraw', 'withdraw form']), ...ofRequest })],
    [
      2,
      () =>
        delivered.length > 0
          ? { do: 'replay', step: draw.pick(delivered), door: draw.pick(doorsOfReplays) }
          : { do: 'home', who, door: draw.pick(doors) },
    ],
    [2, () => throughDoor(draw, who, cohort)],
    [
      1,
      () =>
        ({
          ...agentCall(draw, cohort.number, who),
          proof: 'token',
          ...(draw.chance(0.6) ? { foreign: ['token'] } : { door: draw.pick(doors) }),
        }) as Step,
    ],
    [1, () => webhook(draw)],
    [
      1,
      () => {
        const foreign = draw.pick<readonly ForeignPart[]>([['hooks'], ['hooks', 'team'], ['team']]);
        const step = { do: draw.pick(['form', 'button', 'command', 'message'] as const), who, foreign };
        return { ...step, ...stepInputOf(draw, cohort.number) };
      },
    ],
    [
      1,
      () =>
        draw.chance(0.5)
          ? { ...workflowStep(draw, who), grant: undefined, foreign: ['grant'] }
          : foreignInput(draw, stepFlow(draw)[1] as DeliveredStep & StepInput),
    ],
    [1, () => byName(draw, who, cohort)],
  ]);
}

/** Some of what the input names is the other tenant’s. */
function foreignInput(draw: Draw, step: DeliveredStep & StepInput): Step {
  const parts = named.filter((part) => step[part] !== undefined);
  const chosen = parts.filter(() => draw.chance(0.6));
  const isOfFile = step.operation === 'import-users' && step.do === 'form';
  return {
    ...step,
    ...(isOfFile && { values: { ...step.values, file: ['User name,E-mail,First name,Last name,Type,Rights\n'] } }),
    foreign: [...(chosen.length > 0 ? chosen : parts.slice(0, 1)), ...(isOfFile ? (['file'] as const) : [])],
  };
}

/** Something about the latest plan, batch or campaign of the other tenant. */
function ofThing(draw: Draw, step: Pick<DeliveredStep & StepInput, 'who' | 'do'>): Step {
  const [operation] = draw.pick(aboutThings);
  return {
    ...step,
    operation,
    latest: draw.chance(0.8) ? 0 : 1,
    ...because,
    foreign: ['latest'],
    ...askedOfCampaign[operation],
    ...(operation === 'hand-over-campaign' && { user: 'ben' }),
  } as Step;
}

/** What a person would do at home comes by an address, or with a secret, of the other tenant. */
function throughDoor(draw: Draw, who: string, { number }: Cohort): Step {
  const door = draw.pick(doors);
  const input = stepInputOf(draw, number);
  return draw.pick<Step>([
    { do: 'form', who, door, ...input },
    { do: 'button', who, door, ...input },
    { do: 'command', who, door, ...input },
    { do: 'message', who, door, ...input },
    { do: 'home', who, door },
    { ...workflowStep(draw, who), door },
    { ...agentCall(draw, number, who), proof: 'signed', door: draw.pick(doors) } as Step,
  ]);
}

/** The service of one account tells of an attempt of either, by either address, with either secret. */
function webhook(draw: Draw): Step {
  return {
    do: 'webhook',
    response: draw.pick(responseHandles.slice(0, 2)),
    door: draw.pick<Door>([{ to: 'own', signed: 'own' }, ...doors.slice(0, 2)]),
    ...(draw.chance(0.4) && { foreign: ['response'] as const }),
    ...(draw.chance(0.2) && { signed: 'nobody' as const }),
  };
}

/** A person looks for what the other tenant has by its names, or names its people and channels. */
function byName(draw: Draw, who: string, { other }: Cohort): Step {
  if (other === undefined) return { do: 'home', who };
  const name = markOf(other.number);
  const address = other.people[draw.pick(targets)]?.email ?? '';
  return draw.pick<Step>([
    { do: 'command', who, operation: 'find-user', values: { user_name: [address] }, foreign: ['user'] },
    { do: 'form', who, operation: 'list-users', values: { name: [name] }, foreign: ['user'] },
    { do: 'command', who, operation: 'list-quizzes', values: { name: [name] }, foreign: ['quiz'] },
    { do: 'command', who, operation: 'list-groups', values: { filter: [name] }, foreign: ['group'] },
    { do: 'picker', who, operation: 'assign-quiz', field: draw.pick(['quiz', 'to']), text: name, foreign: ['quiz'] },
    {
      do: 'picker',
      who,
      operation: 'suspend-user',
      field: 'user',
      text: draw.pick([name, address]),
      foreign: ['user'],
    },
    { do: 'picker', who, operation: 'show-group', field: 'group', text: name, foreign: ['group'] },
    {
      do: draw.pick(['command', 'form'] as const),
      who,
      operation: 'subscribe-channel',
      quiz: 'a',
      channel: 'a',
      values: { delivery: ['hourly'] },
      foreign: ['channel'],
    },
    { do: 'password', who, user: draw.pick(targets), foreign: ['user'] },
    { do: 'find', who, author: draw.pick(targets), foreign: ['user'] },
  ]);
}
