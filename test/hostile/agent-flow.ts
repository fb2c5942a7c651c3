import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { proofs } from './agent-calls.ts';
import { personHandles, type Cohort } from './cohort.ts';
import { workflowStep } from './step-flow.ts';
import { operations, reads } from './operations.ts';
import { stepInputOf, turnAbout } from './step-inputs.ts';
import { envelopes, type Step, type StepInput } from './steps.ts';
import { waveKinds } from './waves.ts';

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
export function agentCall(random: SeededRandom, cohort: number, who: string, input?: StepInput): Step {
  const chance = (share: number) => random.number() < share;
  const some = chance(0.12) ? forPeople : chance(0.5) ? telling : chance(0.6) ? reads : Object.keys(operations);
  return {
    do: 'agent',
    who,
    proof: chance(0.7) ? random.pick(['signed', 'token'] as const) : random.pick(proofs),
    ...(input ?? stepInputOf(random, cohort, random.pick(some))),
    ...(chance(0.1) && { envelope: random.pick(envelopes) }),
    ...(chance(0.05) && { isDoubled: true }),
    ...(chance(0.15) && { session: random.pick(['1', 'ada', '00000000-0000-4000-8000-000000000000']) }),
    ...(chance(0.05) && { shape: random.pick(['in a list', 'from a page'] as const) }),
  };
}

/** A message that names somebody else, below a token of its own. */
const pretending = (step: Step, claims: string): Step =>
  step.do === 'agent' && /token/.test(step.proof) ? { ...step, claims } : step;

/** A person makes a token, agents use it and what looks like it, and the person loses their rights or revokes it. */
export function agentFlow(random: SeededRandom, { number }: Cohort): Step[] {
  const chance = (share: number) => random.number() < share;
  const owner = random.pick(chance(0.85) ? staff : personHandles);
  const name = [`agent ${random.between(1, 4)}`];
  const about = (operation: string): Step => ({
    do: random.pick(['command', 'message', 'form', 'button'] as const),
    who: owner,
    operation,
    values: { name },
    ...(chance(0.1) && { isDoubled: true }),
  });
  const call = (): Step =>
    pretending(
      agentCall(random, number, chance(0.75) ? owner : random.pick(personHandles)),
      random.pick(personHandles),
    );
  const byToken = (): Step =>
    pretending({ ...agentCall(random, number, owner), proof: 'token' } as Step, chance(0.5) ? 'ada' : owner);
  const calls = (atMost: number) => Array.from({ length: random.between(1, atMost) }, call);
  return [
    about('make-token'),
    byToken(),
    ...calls(2),
    ...(chance(0.4) ? [{ do: 'turn', turn: turnAbout(random, [owner], 'a') } as const, byToken()] : []),
    ...(chance(0.4) ? [wave(random), byToken(), ...calls(1)] : []),
    ...(chance(0.5) ? [about('revoke-token'), byToken()] : []),
    ...(chance(0.2)
      ? [{ do: 'repeat', step: 1, ...(chance(0.6) && { who: random.pick(personHandles) }) } as const]
      : []),
  ];
}

/** An agent asks for a change, and the person or somebody else presses its button, or another person decides on it. */
export function agentChange(random: SeededRandom, cohort: Cohort): Step[] {
  const chance = (share: number) => random.number() < share;
  const who = random.pick(staff);
  const operation = random.pick([
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
  const input = { ...stepInputOf(random, cohort.number, operation), reason: 'It has to be' };
  const reviewer = random.pick(['ada', 'ben', 'owner', 'tim']);
  return [
    { ...agentCall(random, cohort.number, who, input), proof: 'signed' } as Step,
    ...(chance(0.2) ? [{ do: 'turn', turn: turnAbout(random, [who, input.user ?? 'rosa'], 'a') } as const] : []),
    ...(chance(0.5)
      ? ([
          { do: 'review', who: reviewer, request: 0 },
          { do: 'decide', who: reviewer, request: 0, verdict: 'approved' },
        ] as const)
      : [{ do: 'button', who: chance(0.7) ? who : random.pick(personHandles), ...input } as const]),
    ...(chance(0.2) ? [{ do: 'repeat', step: 0, who: random.pick(personHandles) } as const] : []),
  ];
}

/** Many connections at once. */
export function wave(random: SeededRandom): Step {
  return {
    do: 'wave',
    kind: random.number() < 0.4 ? 'unfinished with a signature' : random.pick(waveKinds),
    path: random.pick(paths),
  };
}

/** Tokens, and what lends a step rights, over minutes, days and months. */
export function agentLeap(random: SeededRandom, { number }: Cohort): Step[] {
  const chance = (share: number) => random.number() < share;
  const owner = random.pick(['ada', 'ben', 'tom', 'tim', 'erin', 'nora']);
  const make = (): Step => ({
    do: 'form',
    who: owner,
    operation: 'make-token',
    values: { name: [`agent ${random.between(1, 1_000_000)}`] },
  });
  const call = (): Step => ({
    do: 'agent',
    who: owner,
    proof: 'token',
    ...stepInputOf(random, number, random.pick(telling)),
  });
  const step = (): Step => ({ ...workflowStep(random, owner), grant: undefined });
  if (chance(0.5)) {
    const loss = random.pick(['deactivate', 'make guest', 'move away', 'unconfirm'] as const);
    return [
      make(),
      call(),
      { do: 'turn', turn: { turn: loss, person: owner } },
      { do: 'leap', long: 'two minutes' },
      call(),
      call(),
    ];
  }
  if (chance(0.5)) {
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
