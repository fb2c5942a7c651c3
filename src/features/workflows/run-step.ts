import { say } from '../../domain/said.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Campaign } from '../../domain/campaign.ts';
import type { Finding } from '../../domain/finding.ts';
import { maskAddresses } from '../../domain/address.ts';
import type { AttemptResult, ResultWait, StepEnding, StepExecution, StepOutputs } from '../../domain/workflow.ts';
import type { Execute, ExecutionResult } from '../../governance/perform/execute.ts';
import type { Permissions } from '../../governance/rights/permissions.ts';
import type { Log } from '../../observability/log.ts';
import type { ProfilesOf } from '../../operations/services/people.ts';
import type { PlatformWords } from '../../operations/services/platform.ts';
import { personOf } from '../../obligations/people.ts';
import { campaignCandidates } from '../../operations/fields/campaign.ts';
import { publicName } from '../../directory/names.ts';
import { showCampaign } from '../campaigns/operations/list-and-show.ts';
import { showResults } from '../results/show-results.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OperationResult } from '../../operations/page.ts';
import { isOpaqueId, reasonField, type TextInput } from '../../operations/text-input.ts';
import { grantRefusals, type StepGrants } from './step-grants.ts';
import { attemptIn, attemptsIn, resultOutputs } from './waiting.ts';
import { stepNamed, type Step } from './steps.ts';

/** What came of a step. */
export type StepRun =
  | { kind: 'ended'; ending: StepEnding }
  /** It goes on when a person has decided. */
  | { kind: 'requested'; requestId: string }
  /** It goes on when the user has taken the quiz. `attempts`: those of before. */
  | ({ kind: 'waiting'; attempts: readonly AttemptResult[] } & Pick<
      ResultWait,
      'personId' | 'grantId' | 'quizId' | 'userId' | 'names'
    >)
  /** The service did not answer, or answered with an error. `isRepeatable`: the step can run again, for nothing can come of it twice. */
  | { kind: 'failed'; message: string; isRepeatable: boolean };

export type StepRunner = ReturnType<typeof createStepRunner>;

/** By whose rights a wait sees which result. */
type WaitRights = Pick<ResultWait, 'personId' | 'grantId' | 'quizId' | 'userId'>;

/** Where the workflow gives none. A reason is what a person typed, and goes onto the record as it is. */
const usualReason = 'A step of a workflow asks for this.';

/** Runs the operations of steps as the people by whose rights they run, as commands of theirs would. */
export function createStepRunner(deps: {
  execute: Execute;
  permissions: Pick<Permissions, 'of' | 'readSome'>;
  grants: Pick<StepGrants, 'use' | 'refusalOf'>;
  profilesOf: ProfilesOf;
  platform: PlatformWords;
  /** Notifies administrators, once for each occurrence. */
  notifyOnce: (finding: Finding) => Promise<void>;
  log: Log;
  now: () => number;
}) {
  const { execute, permissions, grants } = deps;

  /**
   * Whoever may not see the address of a user reads none in the outcome either, though the step takes it from a profile. An error can
   * be about a user who is not theirs.
   */
  async function runStep(execution: StepExecution): Promise<StepRun> {
    const step = stepNamed(execution.step);
    if (step === undefined) return failed(say`The bot no longer has this step.`);
    const { teamId, appId, workflowId } = execution;
    const used = await grants.use(
      execution.inputs['acts_as'] ?? '',
      { teamId, appId, step: step.name, workflowId },
      async (id) => (await permissions.of(id)).actor.user?.user_id,
    );
    if ('refused' in used) {
      if (used.refused === grantRefusals.unknown) await notifyOfUnlent(execution);
      return failed(used.refused);
    }
    const run = await runAs(used, step, execution);
    if (!('ending' in run || 'message' in run) || !step.needsProfile) return run;
    const { rights } = await permissions.of(used.personId);
    const isOwnUser = rights.has('administrator') || (run.kind === 'ended' && run.ending.kind === 'success');
    return rights.has('manage_users') && isOwnUser ? run : maskAddresses(run);
  }

  /** Steps of an earlier version have nobody’s rights: somebody has to edit the workflow. */
  async function notifyOfUnlent({ workflowId, step }: StepExecution): Promise<void> {
    const occurrence = `unlent ${workflowId ?? step}`;
    const finding: Finding = {
      code: 'step_without_rights',
      effect: 'degrades',
      problem: 'A step of a workflow runs with nobody’s rights',
      forOperator: 'steps of workflows have to be published again',
      forAdministrators: {
        headline: say`A workflow ends with an error in the step “${stepNamed(step)?.title ?? step}”`,
        advice: grantRefusals.unknown,
      },
      occurrence,
    };
    await deps
      .notifyOnce(finding)
      .catch((error: unknown) => deps.log.warn({ error }, 'administrators are not notified of a step without rights'));
  }

  async function runAs(
    { personId, grantId }: Pick<ResultWait, 'personId' | 'grantId'>,
    step: Step,
    { teamId, inputs }: StepExecution,
  ): Promise<StepRun> {
    const problem = problemIn(step, inputs);
    if (problem !== undefined) return failed(problem);
    const [profile] = step.needsProfile ? await deps.profilesOf([inputs['person'] ?? '']) : [];
    if (profile?.outsider)
      return failed(say`Guests, bots and people of other workspaces can’t get a user in this way.`);
    if (step.needsProfile && profile?.emailAddress === undefined)
      return failed(
        say`${deps.platform.name} doesn’t share this person’s e-mail address, or they haven’t confirmed it.`,
      );
    const input = step.inputOf(inputs, profile);
    const found = step.waits && (await idsIn(input, { teamId, personId }));
    const request = { personId, teamId, through: 'workflow' } as const;
    const withReason = (given: TextInput) => ({ ...given, [reasonField]: [inputs['reason'] || usualReason] });
    let outcome = await execute({ ...request, operation: step.operation, inputs: [withReason(input)] });
    const seen = outcome.kind === 'done' && outcome.result.kind === 'page' ? outcome.result.attempts : undefined;
    if (found && (seen || outcome.kind === 'failed'))
      return { kind: 'waiting', personId, grantId, ...found, attempts: attemptsIn(seen ?? []) };
    for (let isRepeatable = isSafeToRepeat(step); ; isRepeatable = false) {
      const next = outcome.kind === 'done' ? nextOf(step, outcome.result) : undefined;
      if (next === undefined) return withDue(outcome, runOf(outcome, isRepeatable));
      if ('ending' in next) return next;
      outcome = await execute({ ...request, operation: next.operation, inputs: [withReason(next.input)] });
    }

    /** Adds which campaign it is and when it is due, for a step that tells so. */
    async function withDue(ran: ExecutionResult, run: StepRun): Promise<StepRun> {
      const shown = step.tellsDue && ran.kind === 'done' ? shownCampaign(ran.result) : undefined;
      if (shown === undefined || run.kind !== 'ended' || run.ending.kind !== 'success') return run;
      const read = await execute({ ...request, operation: showCampaign, inputs: [shown] });
      if (read.kind !== 'done' || read.result.kind !== 'page' || read.result.about?.kind !== 'campaign') return run;
      const outputs = { ...run.ending.outputs, ...dueOutputs(read.result.about.of, inputs['person'], deps.now()) };
      return { kind: 'ended', ending: { kind: 'success', outputs } };
    }
  }

  /** The quiz and the user of a wait; undefined where the person may not see them, and `execute` says why. */
  async function idsIn(
    input: TextInput,
    { teamId, personId }: { teamId: string; personId: string },
  ): Promise<Pick<ResultWait, 'quizId' | 'userId' | 'names'> | undefined> {
    if ((await permissions.of(personId)).refusalOf(showResults) !== undefined) return undefined;
    const { quiz, user } = await permissions.readSome(showResults, input, { personId, teamId });
    if (typeof quiz !== 'object' || typeof user !== 'object' || !('quiz_id' in quiz) || !('user_id' in user))
      return undefined;
    return {
      quizId: quiz.quiz_id,
      userId: user.user_id,
      names: { quiz: quiz.name, user: publicName(user) },
    };
  }

  return {
    runStep,
    /** Whether a step whose run was cut off can run again. */
    isRepeatable({ step: name }: StepExecution): boolean {
      const step = stepNamed(name);
      return step !== undefined && isSafeToRepeat(step);
    },
    /**
     * Why the wait may not see the result, as a sentence, by what the bot knows of the person’s rights without asking the
     * service; undefined where it may.
     */
    async refusalOf(teamId: string, { personId, grantId, quizId, userId }: WaitRights): Promise<string | undefined> {
      const revoked = await grants.refusalOf(teamId, grantId);
      if (revoked !== undefined) return revoked;
      const found = await idsIn({ quiz: [quizId], user: [userId] }, { teamId, personId });
      return found?.quizId === quizId && found.userId === userId ? undefined : noLongerSeen;
    },
  };
}

export const noLongerSeen = say`The person who published this workflow can’t see this result any more.`;

function failed(message: string): Extract<StepRun, { kind: 'ended' }> {
  return { kind: 'ended', ending: { kind: 'error', message } };
}

/** What a step goes on with after its operation, or how it ends with it; undefined: the operation was all. */
function nextOf(
  { thenRun = [] }: Step,
  result: OperationResult,
): NextRun | Extract<StepRun, { kind: 'ended' }> | undefined {
  switch (result.kind) {
    case 'done': {
      const offered = result.next?.find(({ operation }) => thenRun.some(({ name }) => name === operation));
      const operation = thenRun.find(({ name }) => name === offered?.operation);
      return offered && operation && { operation, input: offered.input };
    }
    case 'page':
      if (result.data) return { kind: 'ended', ending: { kind: 'success', outputs: result.data } };
      return result.attempts === undefined
        ? failed(cameToNothing)
        : { kind: 'ended', ending: { kind: 'success', outputs: resultOutputs(attemptIn(result.attempts)) } };
    case 'preview': {
      const starting = thenRun.find(({ fields }) => fields['plan'] !== undefined);
      if (starting === undefined) return failed(cameToNothing);
      if (!result.canStart) return failed(say`Nobody is left to take part, so no campaign was started.`);
      return { operation: starting, input: { plan: [result.id] } };
    }
    default:
      return failed(cameToNothing);
  }
}

/** The input that shows the campaign of an answer; undefined where the answer is about none. */
export function shownCampaign(result: OperationResult): TextInput | undefined {
  return result.kind === 'done'
    ? result.next?.find(({ operation }) => operation === showCampaign.name)?.input
    : undefined;
}

/**
 * Which campaign it is, and when the person has to have taken the quiz; no time for somebody whose pass counts for good.
 *
 * @param personId on the platform
 * @param now in milliseconds since the epoch
 */
function dueOutputs(campaign: Campaign, personId: string | undefined, now: number): StepOutputs {
  const [label] = campaignCandidates([campaign]);
  const member = campaign.members.find((one) => one.personId !== null && one.personId === personId);
  const dueAt = member && personOf(member, campaign, now).obligation.dueAt;
  return {
    ...(label && { campaign: label.label }),
    ...(dueAt !== undefined && { due_at: Math.floor(dueAt / 1000) }),
  };
}

const cameToNothing = say`The step came to nothing.`;

interface NextRun {
  operation: Operation;
  input: TextInput;
}

/** Whether nothing can come of the step twice. */
function isSafeToRepeat({ operation: { access, isDone }, thenRun }: Step): boolean {
  return thenRun === undefined && (access === 'read' || isDone !== undefined);
}

function runOf(outcome: ExecutionResult, isRepeatable: boolean): StepRun {
  switch (outcome.kind) {
    case 'done': {
      const { result } = outcome;
      const words = result.kind === 'done' ? [result.message, ...(result.problems ?? [])].join(' ') : say`Done.`;
      return { kind: 'ended', ending: { kind: 'success', outputs: { message: words } } };
    }
    case 'requested':
      return { kind: 'requested', requestId: outcome.request.id };
    case 'warned':
      return failed(`${outcome.message} ${unconfirmable}`);
    case 'unconfirmed':
      return failed(`${outcome.question} ${unconfirmable}`);
    case 'unclear':
      return failed(
        outcome.isAlike
          ? say`“${outcome.typed}” fits several things, so nothing was changed.`
          : notFoundMessage(outcome),
      );
    case 'incomplete':
    case 'unexplained':
      return failed(say`Something’s missing in this step. Edit it, and publish the workflow again.`);
    case 'failed':
      return { kind: 'failed', message: outcome.message, isRepeatable };
    default:
      return failed(outcome.message);
  }
}

const unconfirmable = say`A workflow can’t confirm that, so nothing was changed.`;

function notFoundMessage({ noun, typed }: Extract<ExecutionResult, { kind: 'unclear' }>): string {
  switch (noun) {
    case 'quiz':
      return isOpaqueId(typed)
        ? say`The quiz of this step isn’t in the quiz account any more, or the person who published the workflow can’t see it.`
        : say`No quiz is called “${typed}”.`;
    case 'user':
      return isOpaqueId(typed)
        ? say`The user of this step isn’t in the quiz account any more, or the person who published the workflow can’t see it.`
        : say`No user is called “${typed}”.`;
    case 'group':
      return isOpaqueId(typed)
        ? say`The group of this step isn’t in the quiz account any more, or the person who published the workflow can’t see it.`
        : say`No group is called “${typed}”.`;
    case 'campaign':
      return isOpaqueId(typed)
        ? say`The campaign of this step isn’t in the quiz account any more, or the person who published the workflow can’t see it.`
        : say`No campaign is called “${typed}”.`;
    default:
      return isOpaqueId(typed)
        ? say`What this step names isn’t in the quiz account any more, or the person who published the workflow can’t see it.`
        : say`Nothing is called “${typed}”.`;
  }
}

/** A variable of the workflow can hold anything. */
function problemIn({ inputs: known }: Step, given: Readonly<Record<string, string>>): string | undefined {
  for (const [name, { kind, title, isRequired }] of Object.entries(known)) {
    const text = given[name] ?? '';
    if (text === '' && isRequired) return say`“${title}” is empty. Edit this step, and publish the workflow again.`;
    if (kind === 'person' && text !== '' && !/^[UW][A-Z0-9]{1,30}$/.test(text))
      return say`“${title}” needs a person of this workspace. Edit this step, and publish the workflow again.`;
    if (kind === 'days' && text !== '' && !isDays(text))
      return say`“${title}” must be a whole number from 1 to ${daysAtMost}. Edit this step, and publish the workflow again.`;
  }
  return undefined;
}

const daysAtMost = 180;
export const usualDays = 30;

function isDays(text: string): boolean {
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= daysAtMost;
}

/** How a step ends whose request was decided; undefined while it is not, or is being carried out. */
export function endingOfRequest(request: ApprovalRequest | undefined): StepEnding | undefined {
  if (request === undefined) return { kind: 'error', message: say`The bot no longer has the request for approval.` };
  if (request.state === 'open' || request.state === 'decided') return undefined;
  const { decision, outcome } = request;
  // The outcome is the reviewer’s, and the workflow may show it to anybody.
  if (outcome?.kind === 'done') return { kind: 'success', outputs: { message: maskAddresses(outcome.message) } };
  if (decision?.verdict === 'denied')
    return {
      kind: 'error',
      message: decision.comment ? say`The request was denied: “${decision.comment}”` : say`The request was denied.`,
    };
  if (decision?.verdict === 'withdrawn') return { kind: 'error', message: say`The request was withdrawn.` };
  if (decision?.verdict === 'expired')
    return { kind: 'error', message: say`Nobody decided on the request in time, so nothing was changed.` };
  return {
    kind: 'error',
    message: maskAddresses(outcome?.message ?? '') || say`The request came to nothing.`,
  };
}
