import { grantKinds } from './proofs.ts';
import { describe, expect, test } from 'vitest';
import { isForPeople, isToPress, proofs } from './agent-calls.ts';
import { isForAgents, needsPress } from '../../src/governance/rights/policy.ts';
import { isTool } from '../../src/features/agents/tool.ts';
import { catalog } from '../../src/operations/catalog.ts';
import { shareStage } from './played.ts';
import { type Step, waveKinds } from './steps.ts';
import { handleOfSlackId } from './cohort.ts';

const takeCohort = shareStage(6);

/** Runs steps in a cohort of its own. */
async function play(steps: readonly Step[]) {
  const { stage, of, run, changes } = takeCohort();
  const { violations, outcomes } = await run(steps);
  expect(violations).toEqual([]);
  return { outcomes, stage, of, changed: changes().map(({ table }) => table) };
}

const agent = (who: string, more: Partial<Extract<Step, { do: 'agent' }>>): Step => ({
  do: 'agent',
  who,
  proof: 'signed',
  operation: 'close-quiz',
  quiz: 'b',
  ...more,
});
const token = (operation: string, who = 'erin'): Step => ({
  do: 'command',
  who,
  operation,
  values: { name: ['agent 1'] },
});

describe('the oracle', () => {
  test('knows which operations agents may call, and which of them a person presses', () => {
    const known = new Map(catalog.map(({ name }) => [name, [isForPeople(name), isToPress({ operation: name })]]));
    expect(known).toEqual(
      new Map(
        catalog.map((operation) => [
          operation.name,
          [!isForAgents(operation) || !isTool(operation), needsPress(operation, { user_type: 'respondent' })],
        ]),
      ),
    );
  });
});

describe('an agent', () => {
  test('changes what its person may change, and nothing without a proof', async () => {
    const { outcomes, changed } = await play([
      ...proofs.filter((proof) => proof !== 'signed').map((proof) => agent('ada', { proof })),
      agent('ada', { shape: 'in a list' }),
      agent('ada', { shape: 'from a page' }),
      agent('ada', { envelope: 'foreign team' }),
      agent('rosa', {}),
      agent('ada', {}),
    ]);
    expect(outcomes).toEqual({
      'agent without proof: no answer': 7,
      'agent without proof: invalid': 1,
      'agent without proof: foreign': 1,
      'agent: refused': 1,
      'agent: answered': 1,
    });
    expect(changed).toEqual(['quizzes']);
  });

  test('has the rights of a token’s person alone, until the person revokes it', async () => {
    const byToken = agent('nora', { proof: 'token', quiz: 'a', claims: 'ada', session: 'ada', reason: 'It has to be' });
    const { outcomes, changed } = await play([
      token('make-token', 'nora'),
      byToken,
      agent('ada', { proof: 'mixed token', quiz: 'a' }),
      token('revoke-token', 'nora'),
      byToken,
    ]);
    expect(outcomes).toEqual({ 'command: answered': 2, 'agent: asked': 1, 'agent without proof: no answer': 2 });
    expect(changed).toEqual([]);
  });

  test('only asks for what a person presses', async () => {
    const update = { operation: 'update-user', user: 'rosa', values: { last_name: ['New'] } } as const;
    const { outcomes, changed } = await play([agent('ada', update), { do: 'form', who: 'ada', ...update }]);
    expect(outcomes).toEqual({ 'agent: to press': 1, 'form: answered': 1 });
    expect(changed).toEqual(['users']);
  });

  test('reads no more for a person who left the workspace two minutes ago', async () => {
    const call = agent('tom', { proof: 'token', operation: 'list-users' });
    const { outcomes } = await play([
      token('make-token', 'tom'),
      call,
      { do: 'turn', turn: { turn: 'deactivate', person: 'tom' } },
      { do: 'leap', long: 'two minutes' },
      call,
    ]);
    expect(outcomes).toEqual({ 'command: answered': 1, 'agent: answered': 1, 'agent: refused': 1 });
  });
});

test('what does not prove who lent a step their rights lets it change nothing', async () => {
  const step: Step = { do: 'workflow step', who: 'ada', operation: 'create-user', user: 'zoe', reason: 'It has to be' };
  const { outcomes, changed } = await play([...grantKinds.map((grant): Step => ({ ...step, grant })), step]);
  expect(outcomes).toEqual({
    'workflow step without proof: refused': grantKinds.length,
    'workflow step: answered': 1,
  });
  expect(changed).toEqual(['users']);
});

test('a wave of requests that nobody verified changes no answer of the others', async () => {
  const reads: Step[] = [
    agent('erin', { proof: 'token', operation: 'show-quiz', quiz: 'a' }),
    agent('ada', { operation: 'show-user', user: 'rosa' }),
    { do: 'command', who: 'erin', operation: 'show-quiz', quiz: 'a' },
  ];
  const { outcomes, stage, of } = await play([
    token('make-token'),
    ...reads,
    ...waveKinds.flatMap((kind): Step[] => [{ do: 'wave', kind, path: '/mcp' }, ...reads]),
    { do: 'wave', kind: 'unfinished with a signature', path: '/slack/events' },
    ...reads,
  ]);
  const rounds = waveKinds.length + 2;
  expect(outcomes).toEqual({ 'agent: answered': 2 * rounds, 'command: answered': rounds + 1 });
  // The ID of a message is in its answer.
  const answers = stage.seenTexts
    .filter(({ isByAgent, reader }) => isByAgent && handleOfSlackId(reader)?.cohort === of)
    .map(({ text }) => text.replace(/"id":\d+/, ''));
  expect(new Set(answers).size).toBe(2);
});
