import { proofs } from './agent-calls.ts';
import { personHandles, type Cohort } from './cohort.ts';
import { approved, because, repeated, reviewed, someTurn, stepsOf, turn, type Draw, stepInputOf } from './grammar.ts';
import { operations, reads } from './operations.ts';
import { workflowStep } from './short-flows.ts';
import { envelopes, type Step, type StepInput, waveKinds } from './steps.ts';

const staff = ['ada', 'ben', 'tom', 'tim', 'erin', 'eli', 'uma', 'gus', 'nora', 'owner', 'twin'];
/** What shows most of the account. */
const telling = [
  'show-user',
  'list-users',
  'show-group',
  'list-groups',
  'show-quiz',
  'show-results',
  'show-missing',
  'find-user',
];
/** What agents may not ask for. */
const forPeople = ['make-token', 'list-tokens', 'revoke-token', 'run-batch', 'show-plan', 'run-campaign'];
const paths = ['/mcp', '/mcp', '/mcp', '/slack/events', '/webhooks/quiz'] as const;

/** An agent calls a tool: with what proves whose it is, or with what does not. */
export function agentCall(draw: Draw, cohort: number, who: string, input?: StepInput): Step {
  const some = draw.chance(0.12)
    ? forPeople
    : draw.chance(0.5)
      ? telling
      : draw.chance(0.6)
        ? reads
        : Object.keys(operations);
  return {
    do: 'agent',
    who,
    proof: draw.chance(0.7) ? draw.pick(['signed', 'token'] as const) : draw.pick(proofs),
    ...(input ?? stepInputOf(draw, cohort, draw.pick(some))),
    ...(draw.chance(0.1) && { envelope: draw.pick(envelopes) }),
    ...(draw.chance(0.05) && { isDoubled: true }),
    ...(draw.chance(0.15) && { session: draw.pick(['1', 'ada', '00000000-0000-4000-8000-000000000000']) }),
    ...(draw.chance(0.05) && { shape: draw.pick(['in a list', 'from a page'] as const) }),
  };
}

/** A message that names somebody else, below a token of its own. */
const pretending = (step: Step, claims: string): Step =>
  step.do === 'agent' && /token/.test(step.proof) ? { ...step, claims } : step;

/** A person makes a token, agents use it and what looks like it, and the person loses their rights or revokes it. */
export function agentFlow(draw: Draw, { number }: Cohort): Step[] {
  const owner = draw.pick(draw.chance(0.85) ? staff : personHandles);
  const name = [`agent ${draw.between(1, 4)}`];
  const about = (operation: string): Step => ({
    do: draw.pick(['command', 'message', 'form', 'button'] as const),
    who: owner,
    operation,
    values: { name },
    ...(draw.chance(0.1) && { isDoubled: true }),
  });
  const call = (): Step =>
    pretending(agentCall(draw, number, draw.chance(0.75) ? owner : draw.pick(personHandles)), draw.pick(personHandles));
  const byToken = (): Step =>
    pretending({ ...agentCall(draw, number, owner), proof: 'token' } as Step, draw.chance(0.5) ? 'ada' : owner);
  const calls = (atMost: number) => draw.times(1, atMost, call);
  return stepsOf(
    about('make-token'),
    byToken(),
    calls(2),
    draw.maybe(0.4, () => [someTurn(draw, [owner]), byToken()]),
    draw.maybe(0.4, () => [wave(draw), byToken(), calls(1)]),
    draw.maybe(0.5, () => [about('revoke-token'), byToken()]),
    draw.maybe(0.2, () => repeated(draw, 1, 0.6)),
  );
}

/** An agent asks for a change, and the person or somebody else presses its button, or another person decides on it. */
export function agentChange(draw: Draw, cohort: Cohort): Step[] {
  const who = draw.pick(staff);
  const operation = draw.pick([
    'update-user',
    'suspend-user',
    'delete-user',
    'reset-password',
    'create-user',
    'delete-quiz',
    'assign-quiz',
    'close-quiz',
    'add-to-group',
    'end-campaign',
  ]);
  const input = { ...stepInputOf(draw, cohort.number, operation), ...because };
  const reviewer = draw.pick(['ada', 'ben', 'owner', 'tim']);
  return stepsOf(
    { ...agentCall(draw, cohort.number, who, input), proof: 'signed' } as Step,
    draw.maybe(0.2, () => someTurn(draw, [who, input.user ?? 'rosa'])),
    draw.chance(0.5)
      ? [reviewed(reviewer), approved(reviewer)]
      : { do: 'button', who: draw.chance(0.7) ? who : draw.pick(personHandles), ...input },
    draw.maybe(0.2, () => ({ do: 'repeat', step: 0, who: draw.pick(personHandles) })),
  );
}

/** Many connections at once. */
export function wave(draw: Draw): Step {
  return {
    do: 'wave',
    kind: draw.chance(0.4) ? 'unfinished with a signature' : draw.pick(waveKinds),
    path: draw.pick(paths),
  };
}

/** Tokens, and what lends a step rights, over minutes, days and months. */
export function agentLeap(draw: Draw, { number }: Cohort): Step[] {
  const owner = draw.pick(['ada', 'ben', 'tom', 'tim', 'erin', 'nora']);
  const make = (): Step => ({
    do: 'form',
    who: owner,
    operation: 'make-token',
    values: { name: [`agent ${draw.between(1, 1_000_000)}`] },
  });
  const call = (): Step => ({
    do: 'agent',
    who: owner,
    proof: 'token',
    ...stepInputOf(draw, number, draw.pick(telling)),
  });
  const step = (): Step => ({ ...workflowStep(draw, owner), grant: undefined });
  if (draw.chance(0.5)) {
    const loss = draw.pick(['deactivate', 'make guest', 'move away', 'unconfirm'] as const);
    return [make(), call(), turn({ turn: loss, person: owner }), { do: 'leap', long: 'two minutes' }, call(), call()];
  }
  if (draw.chance(0.5)) {
    // The bot keeps a person’s tokens for as long as the latest of them counts.
    const later: Step = { do: 'leap', long: 'three weeks' };
    return [make(), call(), later, make(), call(), later, { do: 'repeat', step: 1 }, call()];
  }
  return [
    step(),
    { do: 'leap', long: 'a month' },
    step(),
    { do: 'leap', long: 'a quarter' },
    { do: 'repeat', step: 0 },
    step(),
  ];
}
