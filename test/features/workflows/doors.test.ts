import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import type { ExecutionResult } from '../../../src/governance/perform/execution-result.ts';
import { createActingPersons } from '../../../src/features/workflows/acting-person.ts';
import { createStepRunner } from '../../../src/features/workflows/run-step.ts';
import { steps, type Step } from '../../../src/features/workflows/steps.ts';
import { openGovernedAccount, teamId } from '../../support/governed-account.ts';

const people = {
  administrator: 'UADA',
  'trainer who edits quizzes': 'UERIN',
  'trainer who manages users': 'UUMA',
  'trainer who manages groups': 'UGUS',
  trainer: 'UNORA',
  'suspended trainer': 'USVEN',
  stranger: 'USTRANGER',
};

const { textFor, personIn } = createActingPersons({ secret: 'secret', uses: new Keyv<number>(), now: () => 0 });

/** What a step of a workflow comes to, as far as its operations go. */
async function throughStep(
  step: Step,
  run: (account: ReturnType<typeof openGovernedAccount>, teller: { outcome?: ExecutionResult }) => Promise<void>,
) {
  const account = openGovernedAccount({ profiles: [kim], members: { UNORA: { personIds: ['UNORA'] } } });
  const last: { outcome?: ExecutionResult } = {};
  try {
    await run(account, last);
    await account.settled();
    const record = (await account.record()).map((entry) => ({
      ...entry,
      ...(entry.request !== undefined && { request: 'a request' }),
      through: 'the door',
    }));
    return {
      step: step.name,
      kind: last.outcome?.kind,
      record,
      requests: account.calls.map(({ call }) => call).toSorted(),
    };
  } finally {
    await account.close();
  }
}

const kim = {
  personId: 'UKIM',
  firstName: 'Kim',
  lastName: 'New',
  emailAddress: 'kim@quiz.example',
  outsider: undefined,
};
const given = { quiz: 'q-3', person: 'UNORA', due: 'in 2 weeks', reason: 'Needed' };

/** As a command of the person. A campaign is started with a second press. */
const byCommand = (step: Step, personId: string) =>
  throughStep(step, async ({ execute }, last) => {
    const input = { ...step.inputOf(given, kim), reason: ['Needed'] };
    last.outcome = await execute({ operation: step.operation, inputs: [input], personId, teamId, through: 'command' });
    const plan =
      last.outcome.kind === 'done' && last.outcome.result.kind === 'preview' ? last.outcome.result.id : undefined;
    if (step.thenRun && plan !== undefined)
      last.outcome = await execute({
        operation: step.thenRun,
        inputs: [{ plan: [plan], reason: ['Needed'] }],
        personId,
        teamId,
        through: 'choice',
      });
  });

const byWorkflow = (step: Step, personId: string) =>
  throughStep(step, async (account, last) => {
    const execute: typeof account.execute = async (request) => (last.outcome = await account.execute(request));
    const runner = createStepRunner({
      execute,
      permissions: account.permissions,
      actingPersons: { personIn },
      profilesOf: async () => [kim],
      platform: { name: 'Slack' },
    });
    const run = await runner.runStep({
      id: 'Fx1',
      teamId,
      step: step.name,
      startedAt: 0,
      inputs: { ...given, person: step.needsProfile ? 'UKIM' : given.person, acts_as: textFor(teamId, personId) },
    });
    // The wait asks the service when it has begun.
    if (run.kind === 'waiting') await runner.readResult(teamId, run);
  });

test.each(Object.entries(people))(
  'for %s, each step of a workflow comes to the same as the command',
  async (_, personId) => {
    for (const step of steps) expect(await byWorkflow(step, personId)).toEqual(await byCommand(step, personId));
  },
  60_000,
);

test('the table of steps has some that are done, requested and refused', async () => {
  const kindOf = async (name: string, personId: string) =>
    (
      await byWorkflow(
        steps.find((step) => step.name === name)!,
        personId,
      )
    ).kind;
  expect([
    await kindOf('assign_quiz', 'UADA'),
    await kindOf('assign_quiz', 'UUMA'),
    await kindOf('create_user', 'UERIN'),
    await kindOf('get_result', 'UNORA'),
    await kindOf('start_campaign', 'UERIN'),
  ]).toEqual(['done', 'requested', 'requested', 'refused', 'requested']);
});
