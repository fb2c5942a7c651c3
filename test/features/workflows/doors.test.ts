import { recordingLog } from '../../support/log.ts';
import { showCampaign } from '../../../src/features/campaigns/operations/list-and-show.ts';
import { expect, test } from 'vitest';
import type { ExecutionResult } from '../../../src/governance/perform/execute.ts';
import { createSharedState } from '../../../src/durable/mail.ts';
import { createGrantTexts, createStepGrants } from '../../../src/features/workflows/step-grants.ts';
import { createStepRunner, shownCampaign } from '../../../src/features/workflows/run-step.ts';
import { steps, type Step } from '../../../src/features/workflows/steps.ts';
import { createMemoryMail, createMemoryOutbox } from '../../support/memory-outbox.ts';
import { openHouse, teamId, type House } from '../../support/house.ts';
import { confirmationField, type TextInput } from '../../../src/operations/text-input.ts';

const people = {
  administrator: 'UADA',
  'trainer who edits quizzes': 'UERIN',
  'trainer who manages users': 'UUMA',
  'trainer who manages groups': 'UGUS',
  trainer: 'UNORA',
  'suspended trainer': 'USVEN',
  stranger: 'USTRANGER',
};

const secret = 'secret';
const outbox = createMemoryOutbox();
const shared = createSharedState({ outbox, mail: createMemoryMail(outbox) });
const appId = 'A1';

/** What a step of a workflow comes to, as far as its operations go. The record has to say one of the ways. */
async function throughStep(
  step: Step,
  ways: readonly string[],
  run: (account: House, teller: { outcome?: ExecutionResult }) => Promise<void>,
) {
  const account = openHouse({ profiles: [kim], members: { UNORA: { personIds: ['UNORA'] } } });
  const last: { outcome?: ExecutionResult } = {};
  await run(account, last);
  await account.settled();
  const record = (await account.record()).map((entry) => ({
    ...entry,
    ...(entry.request !== undefined && { request: 'a request' }),
    through: ways.includes(entry.through) ? 'the door' : entry.through,
  }));
  return {
    step: step.name,
    kind: last.outcome?.kind,
    record,
    // Who goes on after a warning is read once more.
    requests: [...new Set(account.calls.map(({ call }) => call))].toSorted(),
  };
}

const kim = {
  personId: 'UKIM',
  firstName: 'Kim',
  lastName: 'New',
  emailAddress: 'kim@quiz.example',
  outsider: undefined,
};
const given = { quiz: 'q-3', person: 'UNORA', due: 'in 2 weeks', within: '14', reason: 'Needed' };

/** What the person who sets up the step gets from the bot for it. */
function textOf(step: Step, personId: string): string {
  const claim = { teamId, appId, step: step.name, personId, lentAt: steps.indexOf(step) };
  return createGrantTexts(secret).textOf(claim);
}

/** As a command of the person, who goes on after a warning. A campaign is started with a second press. */
const byCommand = (step: Step, personId: string) =>
  throughStep(step, ['command', 'choice'], async ({ execute }, last) => {
    const input = { ...step.inputOf(given, kim), reason: ['Needed'] };
    const run = (texts: TextInput) =>
      execute({ operation: step.operation, inputs: [texts], personId, teamId, through: 'command' });
    last.outcome = await run(input);
    if (last.outcome.kind === 'warned')
      last.outcome = await run({ ...input, [confirmationField]: [last.outcome.confirmation] });
    const plan =
      last.outcome.kind === 'done' && last.outcome.result.kind === 'preview' ? last.outcome.result.id : undefined;
    const [start] = step.thenRun ?? [];
    if (start && plan !== undefined)
      last.outcome = await execute({
        operation: start,
        inputs: [{ plan: [plan], reason: ['Needed'] }],
        personId,
        teamId,
        through: 'choice',
      });
    // When it is due, the person reads with a third press.
    const shown = step.tellsDue && last.outcome.kind === 'done' ? shownCampaign(last.outcome.result) : undefined;
    if (shown) await execute({ operation: showCampaign, inputs: [shown], personId, teamId, through: 'choice' });
  });

const byWorkflow = (step: Step, personId: string) =>
  throughStep(step, ['workflow'], async (account, last) => {
    const execute: typeof account.execute = async (request) => {
      const outcome = await account.execute(request);
      // This only tells later steps when it is due.
      if (request.operation !== showCampaign) last.outcome = outcome;
      return outcome;
    };
    const runner = createStepRunner({
      execute,
      permissions: account.permissions,
      grants: createStepGrants({ secret, shared, now: () => 0 }),
      profilesOf: async () => [kim],
      platform: { name: 'Slack' },
      notifyOnce: async () => {},
      log: recordingLog().log,
      now: () => 0,
    });
    await runner.runStep({
      id: 'Fx1',
      teamId,
      appId,
      step: step.name,
      startedAt: 0,
      inputs: { ...given, person: step.needsProfile ? 'UKIM' : given.person, acts_as: textOf(step, personId) },
    });
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
    await kindOf('require_quiz', 'UADA'),
    await kindOf('require_quiz', 'UERIN'),
  ]).toEqual(['done', 'requested', 'requested', 'refused', 'requested', 'done', 'requested']);
});
