import { recordingLog } from '../../support/log.ts';
import { named, say } from '../../../src/domain/said.ts';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import type { ExecutionResult } from '../../../src/governance/perform/execute.ts';
import { lentRightsPage, rightsLentNote } from '../../../src/features/workflows/pages/lent-rights.ts';
import { drawn } from '../../support/as-sent.ts';
import { noUser, noBuilder, turnedOff } from '../../../src/slack/workflow-steps.ts';
import { grantRefusals } from '../../../src/features/workflows/step-grants.ts';
import { endingWithout } from '../../../src/features/workflows/waiting.ts';
import { createStepRunner, endingOfRequest, noLongerSeen } from '../../../src/features/workflows/run-step.ts';
import { cutOff, neverAnswered } from '../../../src/features/workflows/step-machine.ts';
import { steps } from '../../../src/features/workflows/steps.ts';
import type { Samples } from '../collect.ts';

const kim = {
  personId: 'UKIM',
  firstName: 'Kim',
  lastName: 'New',
  emailAddress: 'kim@quiz.example',
  outsider: undefined,
};
const closed: ExecutionResult = {
  kind: 'warned',
  message: say`${named('Fire safety')} is closed, so nobody can take it until it’s open.`,
  input: {},
  confirmation: 'x',
};

const unclear = (more: Partial<Extract<ExecutionResult, { kind: 'unclear' }>> = {}): ExecutionResult => ({
  kind: 'unclear',
  field: 'quiz',
  index: 0,
  typed: 'fire',
  noun: 'quiz',
  candidates: [],
  count: 0,
  isAlike: false,
  ...more,
});

/** What Slack shows the people of a workflow whose step ends with an error. */
async function errorOf(
  step: string,
  inputs: Record<string, string>,
  {
    outcome = closed,
    profile = kim,
  }: { outcome?: ExecutionResult; profile?: { [Key in keyof typeof kim]: (typeof kim)[Key] | undefined } } = {},
): Promise<string> {
  const runner = createStepRunner({
    execute: async () => outcome,
    permissions: {
      of: async () => ({ refusalOf: () => 'No.', rights: new Set() }) as never,
      readSome: async () => ({}),
    },
    grants: {
      use: async (text) =>
        text === 'signed' ? { personId: 'UADA', grantId: 'UADA.1' } : { refused: grantRefusals.unknown },
      refusalOf: async () => undefined,
    },
    profilesOf: async () => [profile as never],
    notifyOnce: async () => {},
    log: recordingLog().log,
    platform: { name: 'Slack' },
    now: () => 0,
  });
  const run = await runner.runStep({ id: 'Fx1', teamId: 'T1', appId: 'A1', step, inputs, startedAt: 0 });
  return run.kind === 'ended' && run.ending.kind === 'error' ? run.ending.message : JSON.stringify(run);
}

function errorOfRequest(decided: Partial<ApprovalRequest>): string {
  const ending = endingOfRequest({ state: 'closed', ...decided } as ApprovalRequest);
  return ending?.kind === 'error' ? ending.message : '';
}

const decision = { comment: '', at: 0 };
const inputs = { acts_as: 'signed', quiz: 'q-1', person: 'UKIM' };

function errorOfWait(gone: Parameters<typeof endingWithout>[1]): string {
  const ending = endingWithout({ names }, gone);
  return ending.kind === 'error' ? ending.message : '';
}

const names = { user: 'Rosa Almeida', quiz: 'Fire safety' };

const lent = {
  id: 'UADA.1',
  personId: 'UADA',
  step: 'Assign a quiz',
  workflowId: undefined,
  lentAt: Date.UTC(2026, 10, 2, 9, 30),
  usedAt: undefined,
  expiresAt: Date.UTC(2027, 0, 31, 9, 30),
};
const used = {
  ...lent,
  id: 'UADA.2',
  step: 'Get a result',
  workflowId: 'Wf0NEWHIRES',
  usedAt: Date.UTC(2026, 10, 20, 8),
};

export const samples: Samples = {
  ...Object.fromEntries(
    steps.map(({ title, description, inputs: fields }) => [
      `A person sets up the step ${title}`,
      [`${description}.`, ...Object.values(fields).map((field) => `${field.title}: ${field.description}.`)].join(' '),
    ]),
  ),
  'A step that does not say who published it': await errorOf('assign_quiz', { ...inputs, acts_as: 'UADA' }),
  'A step whose rights were revoked': grantRefusals.revoked,
  'A step with rights that were lent to another kind of step': grantRefusals.otherStep('get_result'),
  'A step with rights that were lent to another workflow': grantRefusals.otherWorkflow,
  'A step without a quiz': await errorOf('assign_quiz', { ...inputs, quiz: '' }),
  'A step whose person is a text': await errorOf('assign_quiz', { ...inputs, person: 'Kim' }),
  'A step that waits 500 days': await errorOf('wait_for_result', { ...inputs, days: '500' }),
  'A step that assigns a closed quiz': await errorOf('assign_quiz', inputs),
  'A step whose quiz fits several': await errorOf('assign_quiz', inputs, {
    outcome: unclear({ count: 2, isAlike: true }),
  }),
  'A step whose quiz is gone': await errorOf('assign_quiz', inputs, { outcome: unclear() }),
  'A step whose quiz was chosen from options, and is gone': await errorOf('assign_quiz', inputs, {
    outcome: unclear({ typed: '10000000-0000-4000-8000-000000000001' }),
  }),
  'A step that creates a user for a person without an address': await errorOf('create_user', inputs, {
    profile: { ...kim, emailAddress: undefined },
  }),
  'A step that the bot does not have': await errorOf('delete_quiz', inputs),
  'A step whose request was denied': errorOfRequest({
    decision: { ...decision, verdict: 'denied', comment: 'Not yet' },
  }),
  'A step whose request was withdrawn': errorOfRequest({ decision: { ...decision, verdict: 'withdrawn' } }),
  'A step whose request expired': errorOfRequest({ decision: { ...decision, verdict: 'expired' } }),
  'A step during which the bot stopped': cutOff,
  'A wait of a person who may no longer see results': noLongerSeen,
  'A wait for a person who was deleted': errorOfWait('user gone'),
  'A wait for a quiz that was deleted': errorOfWait('quiz gone'),
  'A wait while the quiz service is down for a day after its time': neverAnswered,
  'A step while steps are turned off': turnedOff,
  'Options for nobody': noBuilder,
  'Options while the account can’t be asked who the person is': noUser,
  'A person sets up a step, and gets a direct message': drawn(rightsLentNote('UADA.1', 'Assign a quiz')),
  '/quiz-admin workflows': drawn(lentRightsPage([lent, used])),
  '/quiz-admin workflows where nobody lends anything': drawn(lentRightsPage([])),
};
