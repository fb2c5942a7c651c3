import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { InvalidInputError } from '../operations/errors.ts';
import { reasonField, type Operation, type TextInput } from '../operations/operation.ts';
import type { OperationResult } from '../operations/operation-result.ts';
import { BadRequestError, NotFoundError, QuizApiError } from '../quiz-api/errors.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import type { AuditEntry } from '../domain/audit-chain.ts';
import type { Ask } from './approvals/ask.ts';
import { detailsOf, targetsOf, type OperationInput } from './approvals/preview.ts';
import type { Prepared, RunResult } from './approvals/prepare.ts';
import type { Audit } from './audit.ts';
import { explainFailure, mayBeDone } from './explain-failure.ts';
import { canHave, policyDecision } from './policy.ts';
import { resolveLikeliest, type ResolvedInput } from './resolve-input.ts';
import { denialMessage } from './rights.ts';
import { operationTimeoutMs, createOperationContext, type OperationContextDependencies } from './operation-context.ts';

/** Where a request came from. */
export interface OperationRequest {
  operation: Operation;
  /** What was typed or chosen; where a line can be read in several ways, the likeliest first. */
  inputs: readonly [TextInput, ...TextInput[]];
  personId: string;
  /** The workspace the person is in. */
  teamId: string;
  /** The conversation it came from, where Slack tells. */
  channelId?: string | undefined;
  through: 'command' | 'form' | 'choice';
}

/** What became of it. Sentences are plain text, not escaped. */
export type Outcome =
  | { kind: 'done'; result: OperationResult }
  /** It waits for somebody else's decision. */
  | { kind: 'requested'; request: ApprovalRequest }
  /** It needs approval, and so a reason. */
  | { kind: 'unexplained' }
  | { kind: 'refused'; message: string }
  | { kind: 'failed'; message: string }
  | Exclude<ResolvedInput, { kind: 'read' }>;

export type Execute = (request: OperationRequest) => Promise<Outcome>;
/** Runs what was asked for and is approved. Never rejects. */
export type RunApproved = (request: ApprovalRequest, prepared: Prepared, by: string) => Promise<RunResult>;

type Noted = Pick<AuditEntry, 'targets' | 'details'>;

/**
 * The one place where operations are run: who is it, may they, what did they mean, run or ask, record.
 * Rights come before reading, so that a refused person learns nothing of the account's names.
 */
export function createExecution(
  deps: OperationContextDependencies & {
    ask: Ask;
    audit: Audit;
    log: Log;
    metrics: Metrics;
    newCorrelationId: () => string;
  },
): { execute: Execute; runApproved: RunApproved } {
  const { directory, identity } = deps;

  async function execute(request: OperationRequest): Promise<Outcome> {
    const correlationId = deps.newCorrelationId();
    const noted: Noted = {};
    const outcome = await attempt(request, correlationId, noted);
    await record(request, outcome, correlationId, noted);
    return outcome;
  }

  async function attempt(request: OperationRequest, correlationId: string, noted: Noted): Promise<Outcome> {
    const { operation, inputs, personId, teamId, channelId } = request;
    try {
      const call: CallOptions = { deadline: deps.now() + operationTimeoutMs };
      // Right after a start nothing is at hand yet: what most operations need next loads meanwhile.
      directory.quizzes.get(call).catch(() => {});
      const actor = await identity.actorOf(personId, { fresh: operation.access !== 'read', call });
      if (actor.user && operation.access !== 'read') directory.users.put(actor.user);
      const context = createOperationContext(deps, actor, { teamId, channelId, call });
      const refused: Outcome = { kind: 'refused', message: denialMessage(actor, operation.right) };
      if (!canHave(operation, context.rights)) return refused;
      const reading = await resolveLikeliest(operation, inputs, context);
      if (reading.kind !== 'read') return reading;
      const { input } = reading;
      Object.assign(noted, note(operation, input));
      operation.check?.(input);
      switch (policyDecision(operation, input, context.rights)) {
        case 'refused':
          return refused;
        case 'at once':
          return { kind: 'done', result: await operation.run(context, input) };
        case 'approval': {
          const [reason = ''] = inputs[0][reasonField] ?? [];
          if (reason.trim() === '') return { kind: 'unexplained' };
          return { kind: 'requested', request: await deps.ask({ teamId, personId, operation, input, reason: reason.trim(), context }) };
        }
      }
    } catch (error) {
      return failureOf(error, operation, correlationId);
    }
  }

  function failureOf(error: unknown, operation: Operation, correlationId: string): Extract<Outcome, { kind: 'invalid' | 'failed' }> {
    if (error instanceof InvalidInputError) return { kind: 'invalid', field: error.field, message: error.message };
    const { message, isOurs } = explainFailure(error, correlationId, deps.now());
    deps.log[isOurs ? 'error' : 'warn']({ error, correlationId, operation: operation.name }, 'operation failed');
    const field = error instanceof BadRequestError && error.serviceMessage ? fieldNamedIn(error.serviceMessage, operation) : undefined;
    const caution = operation.makesNew && isUnclear(error) ? ' It may have been done all the same: look, before you try again.' : '';
    return field === undefined ? { kind: 'failed', message: message + caution } : { kind: 'invalid', field, message };
  }

  async function runOperation(request: ApprovalRequest, { operation, input, context }: Prepared, correlationId: string): Promise<RunResult> {
    try {
      return { kind: 'done', result: await operation.run(context, input) };
    } catch (error) {
      // After a crash, a delete that went out before it leaves nothing to delete.
      if (error instanceof NotFoundError && operation.access === 'destructive' && request.startedAt !== undefined) return { kind: 'done', result: undefined };
      return { kind: 'failed', message: failureOf(error, operation, correlationId).message };
    }
  }

  async function runApproved(request: ApprovalRequest, prepared: Prepared, by: string): Promise<RunResult> {
    const { operation, input } = prepared;
    const correlationId = deps.newCorrelationId();
    const result = await runOperation(request, prepared, correlationId);
    deps.metrics.operations.inc({ operation: operation.name, outcome: result.kind });
    await deps.audit(request.teamId, {
      at: deps.now(),
      correlationId,
      by,
      operation: operation.name,
      action: result.kind,
      through: 'approval',
      request: request.id,
      ...note(operation, input),
      ...('message' in result && { message: result.message }),
    });
    return result;
  }

  /** What could not be read, or lacks a reason, has not begun: the person is asked, and nothing goes on the record. */
  async function record({ operation, personId, teamId, through }: OperationRequest, outcome: Outcome, correlationId: string, noted: Noted): Promise<void> {
    deps.metrics.operations.inc({ operation: operation.name, outcome: outcome.kind });
    if (outcome.kind !== 'done' && outcome.kind !== 'requested' && outcome.kind !== 'refused' && outcome.kind !== 'failed') {
      deps.log.info({ operation: operation.name, by: personId, through, outcome: outcome.kind, correlationId }, 'operation not begun');
      return;
    }
    await deps.audit(teamId, {
      at: deps.now(),
      correlationId,
      by: personId,
      operation: operation.name,
      action: outcome.kind,
      through,
      ...noted,
      ...('message' in outcome && { message: outcome.message }),
      ...('request' in outcome && { request: outcome.request.id }),
    });
  }

  return { execute, runApproved };
}

/** Whether it was asked to change something and did not say what came of it. */
function isUnclear(error: unknown): boolean {
  return mayBeDone(error) && error instanceof QuizApiError && error.method !== 'GET';
}

function note(operation: Operation, input: OperationInput): Noted {
  return { targets: targetsOf(operation, input), details: detailsOf(operation, input) };
}

/** The field a refusal of the service is about, where its message names it: `user_name`, or “user name”. */
function fieldNamedIn(message: string, operation: Operation): string | undefined {
  const words = message.toLowerCase();
  const names = Object.keys(operation.fields).toSorted((a, b) => b.length - a.length);
  return names.find((name) => words.includes(name) || words.includes(name.replaceAll('_', ' ')));
}
