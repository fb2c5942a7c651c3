import type { Actor } from '../../directory/identity.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { named } from '../../domain/sentence.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { catalog } from '../../operations/catalog.ts';
import { previewOf } from '../../operations/plans/preview.ts';
import type { AnyContext } from '../../operations/context.ts';
import type { Field } from '../../operations/fields/fields.ts';
import type { Confirmation, Operation } from '../../operations/operation.ts';
import { confirmationField, confirmationOf, reasonField, type TextInput } from '../../operations/text-input.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Ask } from '../approvals/ask.ts';
import { idsOf, refetch, targetsOf, type OperationInput } from './operation-input.ts';
import { decide, ownAuthority, type Admit } from '../rights/admit.ts';
import { auditedInput, type Audit } from '../audit.ts';
import { createContextFor, operationTimeoutMs, type OperationContextDependencies } from './operation-context.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { canHave, offeredBy, reasonFor } from '../rights/policy.ts';
import { resolveInput, resolveLikeliest, type ResolvedInput } from './resolve-input.ts';
import { denialMessage, rightsOf } from '../rights/rights.ts';
import { noChange, runAndLook } from './run-and-look.ts';
import { isByAgent, isForAgents, needsPress } from '../rights/agents.ts';
import type { Failure, RunOperation } from './run-operation.ts';
import type { TellAssigned } from './tell-assigned.ts';
import type { UserProtection } from '../rights/user-protection.ts';

/** An operation that a person wants, and where they want it from. */
export interface OperationRequest {
  operation: Operation;
  /** What was typed or chosen. A line with several readings has one input for each, the likeliest first. */
  inputs: readonly [TextInput, ...TextInput[]];
  personId: string;
  /** The workspace the person is in. */
  teamId: string;
  /** The conversation the person is in, if it is known. */
  channelId?: string | undefined;
  /** `assistant`: the platform’s own, `agent`: one with a token of the person, `workflow`: a step of a workflow that they published. */
  through: 'command' | 'form' | 'choice' | 'assistant' | 'agent' | 'workflow';
  /** Called where the person waits for large lists that others read. */
  onQueued?: CallOptions['onQueued'];
}

/** What came of it. Messages are sentences of `domain/sentence.ts`. */
export type Outcome =
  /** `offered`: the names of the operations that the person may run or request, for next steps. */
  | { kind: 'done'; result: OperationResult; offered: ReadonlySet<string> }
  /** It waits for another person's decision. */
  | { kind: 'requested'; request: ApprovalRequest }
  /** It waits for the person to say yes; the input is what they say yes to. */
  | ({ kind: 'unconfirmed' } & Confirmation)
  /** It needs approval, and the person gave no reason. */
  | { kind: 'unexplained' }
  /** Something can go wrong, and the person has not confirmed it. `input`: what was resolved, as texts. */
  | { kind: 'warned'; message: string; input: TextInput; confirmation: string }
  | { kind: 'refused'; message: string }
  | Failure
  | Exclude<ResolvedInput, { kind: 'read' }>;

/** Every kind of outcome, which the compiler checks. */
const outcomeKinds = Object.keys({
  done: true,
  requested: true,
  unconfirmed: true,
  unexplained: true,
  warned: true,
  refused: true,
  invalid: true,
  unclear: true,
  incomplete: true,
  failed: true,
} satisfies Record<Outcome['kind'], true>);

const refusalsEveryMs = 10 * 60_000;
const refusedAtMost = 10_000;

export type Execute = (request: OperationRequest) => Promise<Outcome>;

/**
 * Runs operations for people: who is it, may they, what do they mean, at once or with approval, run or ask, record.
 * Besides this, only `approvals/run-approved.ts` runs operations.
 */
export function createExecute(
  deps: OperationContextDependencies & {
    runOperation: RunOperation;
    ask: Ask;
    passwords: Pick<Passwords, 'offer'>;
    userProtection: Pick<UserProtection, 'inTurn'>;
    admit: Admit;
    tellAssigned: TellAssigned;
    audit: Audit;
    log: Log;
    metrics: Metrics;
    newCorrelationId: () => string;
  },
): Execute {
  const { directory, identity, userProtection } = deps;
  for (const { name } of catalog)
    for (const outcome of outcomeKinds) deps.metrics.operations.inc({ operation: name, outcome }, 0);
  /** When the refusals of people without a quiz user go on the record again. */
  const refusalsFrom = new Map<string, number>();

  return async (request) => {
    const { operation, personId, teamId } = request;
    const correlationId = deps.newCorrelationId();
    let input: OperationInput | undefined;
    let isNobody = false;

    const outcome = await deps.runOperation<Outcome>(operation, correlationId, async () => {
      const call: CallOptions = { deadline: deps.now() + operationTimeoutMs, personId, onQueued: request.onQueued };
      // Most operations need the quizzes next: right after a start, they load while the person is looked up.
      directory.quizzes.get(call).catch(() => {});
      const proceed = (actor: Actor) => {
        isNobody = actor.nobody !== undefined;
        return decideAndRun(request, actor, { call, correlationId }, (resolved) => (input = resolved));
      };
      const cached = await identity.actorOf(personId, { fresh: false, call });
      if (!needsFresh(operation, cached)) return proceed(cached);
      return userProtection.inTurn(operation, teamId, async () =>
        proceed(await identity.actorOf(personId, { fresh: true, call })),
      );
    });
    const isRepeated = isNobody && outcome.kind === 'refused' && wasRefusedLately(request);
    await record(request, correlationId, outcome, input, isRepeated);
    return outcome;
  };

  async function decideAndRun(
    request: OperationRequest,
    actor: Actor,
    { call, correlationId }: { call: CallOptions; correlationId: string },
    onInput: (input: OperationInput) => void,
  ): Promise<Outcome> {
    const { operation, inputs, personId, teamId, channelId } = request;
    const context = createContextFor(deps, actor, { teamId, channelId, call })(operation);
    // Before the input is resolved, so that a refused person learns no names.
    if (!canHave(operation, context.rights))
      return { kind: 'refused', message: denialMessage(actor, operation.right, deps.platform, operation) };
    if (isByAgent(request.through) && !isForAgents(operation))
      return { kind: 'refused', message: 'Only people can do this, not agents.' };

    let resolved = await resolveLikeliest(operation, inputs, context);
    if (resolved.kind !== 'read') return resolved;
    onInput(resolved.input);
    operation.check?.(resolved.input);
    const wantedWith = (input: OperationInput) => ({ operation, input, person: actor, authority: ownAuthority });
    if (dependsOnTarget(operation, context) && decide(wantedWith(resolved.input), deps.platform).kind === 'run') {
      resolved = await resolveAgain(operation, resolved.input, context);
      if (resolved.kind !== 'read') return resolved;
      onInput(resolved.input);
    }
    const { input } = resolved;
    const admission = await deps.admit(wantedWith(input), call);
    if (admission.kind === 'refused' || admission.kind === 'not for approver')
      return { kind: 'refused', message: admission.message };
    const preview = await previewOfMany(request, context, input);
    if (preview) return { kind: 'done', result: preview, offered: offeredBy(context.rights) };
    const isAtOnce = admission.kind === 'run';
    const question = operation.confirm?.(input);
    if (question) return unconfirmed(question, request, context, input, isAtOnce);

    if (isAtOnce) {
      if (isByAgent(request.through) && needsPress(operation, input))
        return unconfirmed(pressOf(operation, input), request, context, input, isAtOnce);
      const warned = await warningAbout(request, context, input);
      if (warned) return warned;
      if (changesSeveral(operation, input)) await recordBegun(request, correlationId, input);
      return { kind: 'done', result: await runAtOnce(request, context, input), offered: offeredBy(context.rights) };
    }
    // Not for other people: they may not see how things are.
    const unchanged = context.rights.has(operation.right) ? await noChange(operation, context, input) : undefined;
    if (unchanged) return { kind: 'done', result: unchanged, offered: offeredBy(context.rights) };
    const reason = inputs[0][reasonField]?.[0]?.trim() ?? '';
    if (reason === '') return { kind: 'unexplained' };
    return { kind: 'requested', request: await deps.ask({ teamId, personId, operation, input, reason, context }) };
  }

  /** What the operation would do in the background, for the person to start; undefined where it changes little enough to run at once. */
  async function previewOfMany(
    { operation, teamId }: OperationRequest,
    context: AnyContext,
    input: OperationInput,
  ): Promise<OperationResult | undefined> {
    const planned = await operation.plan?.(context, input);
    if (planned === undefined) return undefined;
    const { plan, entered } = planned;
    const warning = await operation.warn?.(context, input, { isForm: false });
    const keeping = { actor: context.actor, plans: deps.plans(teamId) };
    return previewOf(keeping, plan, entered && { operation: operation.name, input: entered }, { warning });
  }

  /** Before the first change, so that the record has it although the process may end in the middle. */
  async function recordBegun(
    { operation, personId, teamId, through }: OperationRequest,
    correlationId: string,
    input: OperationInput,
  ): Promise<void> {
    await deps.audit(teamId, {
      at: deps.now(),
      correlationId,
      by: personId,
      operation: operation.name,
      action: 'begun',
      through,
      ...auditedInput(operation, input),
    });
  }

  /** Asks everything at once: the yes to the question also confirms a warning. */
  async function unconfirmed(
    { question, label, input: yes }: Confirmation,
    request: OperationRequest,
    context: AnyContext,
    input: OperationInput,
    isAtOnce: boolean,
  ): Promise<Outcome> {
    const [{ [reasonField]: reason }] = request.inputs;
    const warned = isAtOnce ? await warningAbout(request, context, input) : undefined;
    return {
      kind: 'unconfirmed',
      question: warned ? `${question} ${warned.message}` : question,
      label,
      input: {
        ...yes,
        ...(reason && { [reasonField]: reason }),
        ...(warned && { [confirmationField]: [warned.confirmation] }),
      },
    };
  }

  async function warningAbout(
    { operation, inputs, through }: OperationRequest,
    context: AnyContext,
    input: OperationInput,
  ): Promise<Extract<Outcome, { kind: 'warned' }> | undefined> {
    // What changes nothing needs no confirmation.
    if (operation.isDone?.(input, context.directory)) return undefined;
    const message = await operation.warn?.(context, input, { isForm: through === 'form' });
    if (message === undefined) return undefined;
    const confirmation = confirmationOf(message);
    const isConfirmed = inputs[0][confirmationField]?.includes(confirmation) ?? false;
    return isConfirmed ? undefined : { kind: 'warned', message, input: idsOf(operation, input), confirmation };
  }

  async function runAtOnce(
    { operation, personId, teamId }: OperationRequest,
    context: AnyContext,
    input: OperationInput,
  ): Promise<OperationResult> {
    const result = await runAndLook(operation, context, input);
    await deps.tellAssigned(result, { teamId, personId });
    if (result.kind === 'done' && result.passwordOf) {
      // The change is made: an offer that fails must not make it look failed.
      await deps.passwords
        .offer(teamId, personId, result.passwordOf)
        .catch((error: unknown) =>
          deps.log.error(
            { error, operation: operation.name, by: personId },
            'a new password could not be offered: /quiz-user reset-password offers another',
          ),
        );
    }
    return result;
  }

  /** People whom the account does not know could fill the audit trail, so it gets one entry for each in ten minutes. */
  function wasRefusedLately({ personId, teamId }: OperationRequest): boolean {
    const key = `${teamId}:${personId}`;
    const time = deps.now();
    if ((refusalsFrom.get(key) ?? 0) > time) return true;
    if (refusalsFrom.size >= refusedAtMost) refusalsFrom.clear();
    refusalsFrom.set(key, time + refusalsEveryMs);
    return false;
  }

  /**
   * Input that was not understood, lacks a reason or needs a confirmation goes into the log only: the person is asked for it. So does
   * a preview, and a repeated refusal.
   */
  async function record(
    { operation, personId, teamId, through }: OperationRequest,
    correlationId: string,
    outcome: Outcome,
    input: OperationInput | undefined,
    isRepeated: boolean,
  ): Promise<void> {
    deps.metrics.operations.inc({ operation: operation.name, outcome: outcome.kind });
    if (
      isRepeated ||
      isPreview(operation, outcome) ||
      (outcome.kind !== 'done' &&
        outcome.kind !== 'requested' &&
        outcome.kind !== 'refused' &&
        outcome.kind !== 'failed')
    ) {
      deps.log.info(
        { operation: operation.name, by: personId, through, outcome: outcome.kind, correlationId },
        'operation not begun',
      );
      return;
    }
    if (outcome.kind === 'done' && outcome.result.kind === 'done' && outcome.result.isStarted) return;
    await deps.audit(teamId, {
      at: deps.now(),
      correlationId,
      by: personId,
      operation: operation.name,
      action: outcome.kind,
      through,
      ...(input && auditedInput(operation, input)),
      ...('message' in outcome && { message: outcome.message }),
      ...(outcome.kind === 'done' &&
        outcome.result.kind === 'done' &&
        outcome.result.isNoChange && { message: outcome.result.message }),
      ...(outcome.kind === 'done' &&
        outcome.result.kind === 'done' &&
        outcome.result.problems?.length && {
          message: [outcome.result.message, ...outcome.result.problems].join(' '),
          notMade: outcome.result.problems,
        }),
      ...('request' in outcome && { request: outcome.request.id }),
    });
  }
}

/**
 * The rights in the directory are good enough for reading and for asking for approval, which change nothing. Before a
 * change is run, or refused, the person is read from the service.
 */
function needsFresh(operation: Operation, cached: Actor): boolean {
  const isKnown = cached.user !== undefined || cached.isOwner;
  return operation.access !== 'read' && isKnown && reasonFor(operation, rightsOf(cached)) !== 'required';
}

/** A preview of a change, which is on the record when it is started. */
function isPreview({ access }: Operation, outcome: Outcome): boolean {
  return access !== 'read' && outcome.kind === 'done' && outcome.result.kind === 'preview';
}

/** Whether an operation changes several users or groups one after the other, which takes time. */
function changesSeveral(operation: Operation, input: OperationInput): boolean {
  const isOfSeveral = Object.values(operation.fields).some(({ kind }) => kind === 'assignees' || kind === 'users');
  return (
    operation.access !== 'read' &&
    isOfSeveral &&
    targetsOf(operation, input).filter(({ kind }) => kind === 'user' || kind === 'group').length > 1
  );
}

const kindsOfUsers: ReadonlySet<Field['kind']> = new Set(['user', 'users', 'audience']);

/**
 * Whether the state of a user decides if the person may do this at once. It does not for administrators, except for an
 * owner without a quiz user, who might change the last administrator.
 */
function dependsOnTarget({ access, fields }: Operation, { rights, actor }: AnyContext): boolean {
  if (access === 'read' || !Object.values(fields).some(({ kind }) => kindsOfUsers.has(kind))) return false;
  return !rights.has('administrator') || actor.user === undefined;
}

/** The question before what an agent asked for runs. */
function pressOf(operation: Operation, input: OperationInput): Confirmation {
  return {
    question: `An agent wants to ${operation.action?.(input) ?? operation.name.replaceAll('-', ' ')}.`,
    label: operation.submit,
    input: idsOf(operation, input),
  };
}

/** The input as the service has it now, as far as the person may still choose it. */
async function resolveAgain(operation: Operation, input: OperationInput, context: AnyContext): Promise<ResolvedInput> {
  const now = await refetch(operation, input, context);
  if ('gone' in now)
    return { kind: 'invalid', field: now.field, message: `${named(now.gone.name)} is no longer in the quiz account.` };
  const again = await resolveInput(operation, idsOf(operation, now.input), context);
  if (again.kind === 'read' || again.kind === 'incomplete') return again;
  return {
    kind: 'invalid',
    field: again.field,
    message: 'This has just changed in the quiz account, so you can’t choose it any more.',
  };
}
