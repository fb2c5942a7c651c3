import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { agentCall, agentChange, agentFlow, agentLeap, wave } from './agent-flow.ts';
import { approvalFlow, planFlow, alertsFlow, attack, cutShort, stepFlow, workflowStep } from './short-flows.ts';
import { markOf, personHandles, quizHandles, userHandles, type Cohort } from './cohort.ts';
import { crossingFlow } from './crossing-flow.ts';
import { drawFrom, repeated, someTurn, type Draw, odd, stepInputOf, targets } from './grammar.ts';
import { operations, reads } from './operations.ts';
import { leapRecipe, manyFlow } from './many-flow.ts';
import { envelopes, type Step } from './steps.ts';

/** What sequences that share a bot do to it: in most batches, each does anything. */
export type BatchKind =
  | 'crowded'
  | 'kills'
  /** There is one cohort, whose administrators are the only ones. */
  | 'alone'
  | 'many'
  | 'many kills'
  | 'leaps'
  /** Two tenants have a workspace each, or two accounts are used in one. */
  | 'tenants'
  | 'tenants kills'
  | 'departments';

/** The steps of a seed. The ids in them are handles, so that every cohort can take them. */
export function generateSequence(seed: number, cohort: Cohort, kind: BatchKind): Step[] {
  const draw = drawFrom(createSeededRandom(seed));
  const kills = kind.endsWith('kills');
  if (cohort.other) return betweenTenants(draw, cohort, kills);
  if (kind === 'leaps') return draw.chance(0.5) ? leapRecipe(draw, cohort) : agentLeap(draw, cohort);
  if (kind === 'many' || kind === 'many kills') return manyFlow(draw, cohort, kills);
  const steps = beginning(draw, cohort, { kills, isAlone: kind === 'alone' });
  const more = steps.length > 0 ? draw.between(0, 3) : draw.between(3, 9);
  for (let index = 0; index < more; index += 1) steps.push(anyStep(draw, cohort.number, steps.length));
  return steps;
}

/** Something in the other tenant that its people leave something of, perhaps something at home, and what crosses over. */
function betweenTenants(draw: Draw, cohort: Cohort, kills: boolean): Step[] {
  const there = cohort.other ?? cohort;
  const left = draw.pick([
    () => approvalFlow(draw, there.number, kills),
    () => approvalFlow(draw, there.number, false),
    () => planFlow(draw),
    () => planFlow(draw),
    () => agentFlow(draw, there),
    () => agentChange(draw, there),
    () => alertsFlow(draw),
    () => stepFlow(draw),
  ])();
  const own = draw.chance(0.5) ? beginning(draw, cohort, { kills, isAlone: false }) : [];
  if (own.length === 0) own.push(anyStep(draw, cohort.number, 0));
  return crossingFlow(draw, cohort, { own, there: left });
}

function beginning(draw: Draw, cohort: Cohort, { kills, isAlone }: { kills: boolean; isAlone: boolean }): Step[] {
  const { chance } = draw;
  if (chance(isAlone ? 0.8 : 0.08)) return attack(draw, cohort);
  if (chance(0.08)) return alertsFlow(draw);
  if (chance(0.08)) return agentFlow(draw, cohort);
  if (chance(0.04)) return agentChange(draw, cohort);
  if (chance(0.05)) return stepFlow(draw);
  if (chance(0.12)) return planFlow(draw);
  if (chance(0.06)) return manyFlow(draw, cohort, kills);
  if (kills && chance(0.25)) return cutShort(draw, cohort.number);
  return kills || chance(0.55) ? approvalFlow(draw, cohort.number, kills) : [];
}

function anyStep(draw: Draw, cohort: number, count: number): Step {
  const { chance } = draw;
  const who = draw.pick(personHandles);
  const common = {
    who,
    ...(chance(0.08) && { envelope: draw.pick(envelopes) }),
    ...(chance(0.15) && { in: 'b' }),
    ...(chance(0.05) && { isDoubled: true }),
  };
  const input = (operation?: string) => stepInputOf(draw, cohort, operation);
  return draw.oneOf<Step>([
    [3, () => ({ do: draw.pick(['command', 'command', 'message']), ...common, ...input() })],
    [3, () => ({ do: 'form', ...common, ...input() })],
    [2, () => ({ do: draw.pick(['button', 'button beside', 'open form']), ...common, ...input() })],
    [3, () => ({ do: draw.pick(['command', 'form', 'button']), ...common, ...input(draw.pick(reads)) })],
    [1, () => ({ do: 'review', ...common, request: draw.between(-2, 2) })],
    [
      1,
      () => ({
        do: 'decide',
        ...common,
        request: draw.between(-2, 2),
        verdict: 'approved',
        ...(chance(0.3) && { metadata: draw.pick(odd) }),
      }),
    ],
    [1, () => ({ do: draw.pick(['withdraw', 'withdraw form']), ...common, request: draw.between(-1, 1) })],
    [1, () => ({ do: 'password', ...common, user: draw.pick([...targets, ...odd]) })],
    [
      1,
      () => {
        const operation = draw.pick(Object.keys(operations));
        return {
          do: 'picker',
          ...common,
          operation,
          field: draw.pick([...Object.keys(operations[operation]?.fields ?? {}), 'to', '__proto__']),
          text: draw.pick(['', 'a', markOf(cohort), 'zq', 'rosa']),
        };
      },
    ],
    [
      1,
      () => {
        if (chance(0.4)) return workflowStep(draw, who);
        return chance(0.5) ? { do: 'home', ...common } : { do: 'find', ...common, author: draw.pick(personHandles) };
      },
    ],
    [
      1,
      () => ({
        do: 'shortcut',
        ...common,
        operation: draw.pick(['create-user', 'assign-quiz', 'close-quiz', 'suspend-user', 'delete-user']),
      }),
    ],
    [1, () => (chance(0.04) ? wave(draw) : agentCall(draw, cohort, who))],
    [1, () => (chance(0.4) ? workflowStep(draw, who) : agentCall(draw, cohort, who))],
    [1, () => (count > 0 ? repeated(draw, draw.between(0, count - 1), 0.5) : { do: 'home', ...common })],
    [1, () => someTurn(draw, userHandles, draw.pick(quizHandles))],
  ]);
}
