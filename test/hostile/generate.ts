import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { agentCall, agentChange, agentFlow, agentLeap, wave } from './agent-flow.ts';
import { approvalFlow } from './approval-flow.ts';
import { crossingFlow } from './crossing-flow.ts';
import { operations, reads } from './operations.ts';
import { manyFlow } from './many-flow.ts';
import { leapRecipe } from './many-recipes.ts';
import { planFlow } from './plan-flow.ts';
import { alertsFlow, attack, cutShort } from './short-flows.ts';
import { stepFlow, workflowStep } from './step-flow.ts';
import { odd, targets, turnAbout, stepInputOf } from './step-inputs.ts';
import { envelopes, type Step } from './steps.ts';
import { markOf, personHandles, quizHandles, userHandles, type Cohort } from './cohort.ts';

/** The steps of a seed. The ids in them are handles, so that every cohort can take them. */
export function generateSequence(
  seed: number,
  {
    kills,
    isAlone,
    isMany,
    isLeap,
    cohort,
  }: { kills: boolean; isAlone: boolean; isMany?: boolean; isLeap?: boolean; cohort: Cohort },
): Step[] {
  const random = createSeededRandom(seed);
  if (cohort.other) return betweenTenants(random, cohort, kills);
  if (isLeap === true) return random.number() < 0.5 ? leapRecipe(random, cohort) : agentLeap(random, cohort);
  if (isMany === true) return manyFlow(random, cohort, kills);
  const steps = beginning(random, cohort, { kills, isAlone });
  const more = steps.length > 0 ? random.between(0, 3) : random.between(3, 9);
  for (let index = 0; index < more; index += 1) steps.push(anyStep(random, cohort.number, steps.length));
  return steps;
}

/** Something in the other tenant that its people leave something of, perhaps something at home, and what crosses over. */
function betweenTenants(random: SeededRandom, cohort: Cohort, kills: boolean): Step[] {
  const chance = (share: number) => random.number() < share;
  const there = cohort.other ?? cohort;
  const left = random.pick([
    () => approvalFlow(random, there.number, kills),
    () => approvalFlow(random, there.number, false),
    () => planFlow(random),
    () => planFlow(random),
    () => agentFlow(random, there),
    () => agentChange(random, there),
    () => alertsFlow(random),
    () => stepFlow(random),
  ])();
  const own = chance(0.5) ? beginning(random, cohort, { kills, isAlone: false }) : [];
  if (own.length === 0) own.push(anyStep(random, cohort.number, 0));
  return crossingFlow(random, cohort, { own, there: left });
}

function beginning(
  random: SeededRandom,
  cohort: Cohort,
  { kills, isAlone }: { kills: boolean; isAlone: boolean },
): Step[] {
  const chance = (share: number) => random.number() < share;
  if (chance(isAlone ? 0.8 : 0.08)) return attack(random, cohort);
  if (chance(0.08)) return alertsFlow(random);
  if (chance(0.08)) return agentFlow(random, cohort);
  if (chance(0.04)) return agentChange(random, cohort);
  if (chance(0.05)) return stepFlow(random);
  if (chance(0.12)) return planFlow(random);
  if (chance(0.06)) return manyFlow(random, cohort, kills);
  if (kills && chance(0.25)) return cutShort(random, cohort.number);
  return kills || chance(0.55) ? approvalFlow(random, cohort.number, kills) : [];
}

function anyStep(random: SeededRandom, cohort: number, count: number): Step {
  const chance = (share: number) => random.number() < share;
  const who = random.pick(personHandles);
  const envelope = chance(0.08) ? { envelope: random.pick(envelopes) } : {};
  const common = { who, ...envelope, ...(chance(0.15) && { in: 'b' }), ...(chance(0.05) && { isDoubled: true }) };
  switch (random.between(1, 22)) {
    case 1:
    case 2:
    case 3:
      return { do: random.pick(['command', 'command', 'message'] as const), ...common, ...stepInputOf(random, cohort) };
    case 4:
    case 5:
    case 6:
      return { do: 'form', ...common, ...stepInputOf(random, cohort) };
    case 7:
    case 8:
      return {
        do: random.pick(['button', 'button beside', 'open form'] as const),
        ...common,
        ...stepInputOf(random, cohort),
      };
    case 9:
    case 10:
    case 11:
      return {
        do: random.pick(['command', 'form', 'button'] as const),
        ...common,
        ...stepInputOf(random, cohort, random.pick(reads)),
      };
    case 12:
      return { do: 'review', ...common, request: random.between(-2, 2) };
    case 13:
      return {
        do: 'decide',
        ...common,
        request: random.between(-2, 2),
        verdict: 'approved',
        ...(chance(0.3) && { metadata: random.pick(odd) }),
      };
    case 14:
      return { do: random.pick(['withdraw', 'withdraw form'] as const), ...common, request: random.between(-1, 1) };
    case 15:
      return { do: 'password', ...common, user: random.pick([...targets, ...odd]) };
    case 16: {
      const operation = random.pick(Object.keys(operations));
      return {
        do: 'picker',
        ...common,
        operation,
        field: random.pick([...Object.keys(operations[operation]?.fields ?? {}), 'to', '__proto__']),
        text: random.pick(['', 'a', markOf(cohort), 'zq', 'rosa']),
      };
    }
    case 17:
      if (chance(0.4)) return workflowStep(random, who);
      return chance(0.5) ? { do: 'home', ...common } : { do: 'find', ...common, author: random.pick(personHandles) };
    case 18:
      return {
        do: 'shortcut',
        ...common,
        operation: random.pick(['create-user', 'assign-quiz', 'close-quiz', 'suspend-user', 'delete-user']),
      };
    case 19:
      if (chance(0.04)) return wave(random);
      return agentCall(random, cohort, who);
    case 20:
      return chance(0.4) ? workflowStep(random, who) : agentCall(random, cohort, who);
    case 21:
      return count > 0
        ? { do: 'repeat', step: random.between(0, count - 1), ...(chance(0.5) && { who: random.pick(personHandles) }) }
        : { do: 'home', ...common };
    default:
      return { do: 'turn', turn: turnAbout(random, userHandles, random.pick(quizHandles)) };
  }
}
