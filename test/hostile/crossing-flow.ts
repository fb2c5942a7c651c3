import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { agentCall } from './agent-flow.ts';
import { markOf, personHandles, responseHandles, type Cohort } from './cohort.ts';
import { operations } from './operations.ts';
import { stepFlow, workflowStep } from './step-flow.ts';
import { stepInputOf, targets } from './step-inputs.ts';
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
  random: SeededRandom,
  cohort: Cohort,
  { own, there }: { own: readonly Step[]; there: readonly Step[] },
): Step[] {
  const steps = inTurns(random, own, there);
  const isDelivered = (step: Step) => step.do === 'elsewhere' && 'who' in step.step;
  const delivered = steps.flatMap((step, index) => (isDelivered(step) ? [index] : []));
  const tries = Array.from({ length: random.between(2, 5) }, () => crossing(random, cohort, delivered));
  return [...steps, ...tries];
}

/** Merges the steps of both tenants. A repeated step is named by its index. */
function inTurns(random: SeededRandom, own: readonly Step[], there: readonly Step[]): Step[] {
  const rest = { own: [...own.entries()], there: [...there.entries()] };
  const places = { own: new Map<number, number>(), there: new Map<number, number>() };
  const merged: Step[] = [];
  while (rest.own.length + rest.there.length > 0) {
    const side = rest.own.length === 0 || (rest.there.length > 0 && random.number() < 0.5) ? 'there' : 'own';
    const [index, step] = rest[side].shift()!;
    places[side].set(index, merged.length);
    const placed = step.do === 'repeat' ? { ...step, step: places[side].get(step.step) ?? -1 } : step;
    merged.push(side === 'own' ? placed : { do: 'elsewhere', step: placed });
  }
  return merged;
}

/** A person tries something with what is the other tenant’s. @param delivered the steps of the other tenant that were delivered */
function crossing(random: SeededRandom, cohort: Cohort, delivered: readonly number[]): Step {
  const chance = (share: number) => random.number() < share;
  const who = chance(0.7) ? random.pick(staff) : random.pick(personHandles);
  const doing = () =>
    random.pick(['form', 'form', 'button', 'button beside', 'command', 'message', 'open form'] as const);
  const request = random.between(0, 1);
  const ofRequest = { who, request, foreign: ['request'] } as const;
  switch (random.between(1, 20)) {
    case 1:
    case 2:
    case 3:
      return foreignInput(random, {
        do: doing(),
        who,
        ...stepInputOf(random, cohort.number, random.pick(Object.keys(operations))),
      });
    case 4:
      return foreignInput(random, agentCall(random, cohort.number, who) as DeliveredStep & StepInput);
    case 5:
    case 6:
    case 7:
      return ofThing(random, { do: doing(), who });
    case 8:
    case 9:
      return { do: 'review', ...ofRequest };
    case 10:
      return { do: 'decide', ...ofRequest, verdict: random.pick(['approved', 'approved', 'denied'] as const) };
    case 11:
      return { do: random.pick(['withdraw', 'withdraw form'] as const), ...ofRequest };
    case 12:
    case 13: {
      return delivered.length > 0
        ? { do: 'replay', step: random.pick(delivered), door: random.pick(doorsOfReplays) }
        : { do: 'home', who, door: random.pick(doors) };
    }
    case 14:
    case 15:
      return throughDoor(random, who, cohort);
    case 16:
      return {
        ...agentCall(random, cohort.number, who),
        proof: 'token',
        ...(chance(0.6) ? { foreign: ['token'] as const } : { door: random.pick(doors.slice(0, 3)) }),
      } as Step;
    case 17:
      return webhook(random);
    case 18: {
      const parts = random.pick<readonly ForeignPart[]>([['hooks'], ['hooks', 'team'], ['team']]);
      const step = { do: random.pick(['form', 'button', 'command', 'message'] as const), who, foreign: parts };
      return { ...step, ...stepInputOf(random, cohort.number) };
    }
    case 19:
      return chance(0.5)
        ? { ...workflowStep(random, who), grant: undefined, foreign: ['grant'] }
        : foreignInput(random, stepFlow(random)[1] as DeliveredStep & StepInput);
    default:
      return byName(random, who, cohort);
  }
}

/** Some of what the input names is the other tenant’s. */
function foreignInput(random: SeededRandom, step: DeliveredStep & StepInput): Step {
  const parts = named.filter((part) => step[part] !== undefined);
  const chosen = parts.filter(() => random.number() < 0.6);
  const isOfFile = step.operation === 'import-users' && step.do === 'form';
  return {
    ...step,
    ...(isOfFile && { values: { ...step.values, file: ['User name,E-mail,First name,Last name,Type,Rights\n'] } }),
    foreign: [...(chosen.length > 0 ? chosen : parts.slice(0, 1)), ...(isOfFile ? (['file'] as const) : [])],
  };
}

/** Something about the latest plan, batch or campaign of the other tenant. */
function ofThing(random: SeededRandom, step: Pick<DeliveredStep & StepInput, 'who' | 'do'>): Step {
  const [operation] = random.pick(aboutThings);
  return {
    ...step,
    operation,
    latest: random.number() < 0.8 ? 0 : 1,
    reason: 'It has to be',
    foreign: ['latest'],
    ...(operation === 'extend-campaign' && { values: { time: ['in 3 weeks'] } }),
    ...(operation === 'excuse-campaign' && { user: 'kai', values: { because: ['On leave'] } }),
    ...(operation === 'add-to-campaign' && { assignees: ['user lea'] }),
    ...(operation === 'hand-over-campaign' && { user: 'ben' }),
  } as Step;
}

/** What a person would do at home comes by an address, or with a secret, of the other tenant. */
function throughDoor(random: SeededRandom, who: string, { number }: Cohort): Step {
  const door = random.pick(doors);
  const input = stepInputOf(random, number);
  return random.pick<Step>([
    { do: 'form', who, door, ...input },
    { do: 'button', who, door, ...input },
    { do: 'command', who, door, ...input },
    { do: 'message', who, door, ...input },
    { do: 'home', who, door },
    { ...workflowStep(random, who), door },
    { ...agentCall(random, number, who), proof: 'signed', door: random.pick(doors.slice(0, 3)) } as Step,
  ]);
}

/** The service of one account tells of an attempt of either, by either address, with either secret. */
function webhook(random: SeededRandom): Step {
  return {
    do: 'webhook',
    response: random.pick(responseHandles.slice(0, 2)),
    door: random.pick<Door>([{ to: 'own', signed: 'own' }, ...doors.slice(0, 2)]),
    ...(random.number() < 0.4 && { foreign: ['response'] as const }),
    ...(random.number() < 0.2 && { signed: 'nobody' as const }),
  };
}

/** A person looks for what the other tenant has by its names, or names its people and channels. */
function byName(random: SeededRandom, who: string, { other }: Cohort): Step {
  if (other === undefined) return { do: 'home', who };
  const name = markOf(other.number);
  const address = other.people[random.pick(targets)]?.email ?? '';
  return random.pick<Step>([
    { do: 'command', who, operation: 'find-user', values: { user_name: [address] }, foreign: ['user'] },
    { do: 'form', who, operation: 'list-users', values: { name: [name] }, foreign: ['user'] },
    { do: 'command', who, operation: 'list-quizzes', values: { name: [name] }, foreign: ['quiz'] },
    { do: 'command', who, operation: 'list-groups', values: { filter: [name] }, foreign: ['group'] },
    { do: 'picker', who, operation: 'assign-quiz', field: random.pick(['quiz', 'to']), text: name, foreign: ['quiz'] },
    {
      do: 'picker',
      who,
      operation: 'suspend-user',
      field: 'user',
      text: random.pick([name, address]),
      foreign: ['user'],
    },
    { do: 'picker', who, operation: 'show-group', field: 'group', text: name, foreign: ['group'] },
    {
      do: random.pick(['command', 'form'] as const),
      who,
      operation: 'subscribe-channel',
      quiz: 'a',
      channel: 'a',
      values: { delivery: ['hourly'] },
      foreign: ['channel'],
    },
    { do: 'password', who, user: random.pick(targets), foreign: ['user'] },
    { do: 'find', who, author: random.pick(targets), foreign: ['user'] },
  ]);
}
