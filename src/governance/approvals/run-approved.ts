import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { BudgetError, NotFoundError } from '../../quiz-api/errors.ts';
import { resultOnRecord, type RecordOperation } from '../audit/record.ts';
import { runAndLook } from '../perform/run-and-look.ts';
import type { RunOperation } from '../perform/failures.ts';
import type { TellAssigned } from '../perform/tell-assigned.ts';
import type { Prepared } from './prepare.ts';
import { say } from '../../domain/said.ts';

export type RunResult =
  | { kind: 'done'; result: OperationResult | undefined }
  | { kind: 'failed'; message: string }
  /** Nothing was sent: the change would have had to wait for its turn, and what was checked would have aged. */
  | { kind: 'late'; error: BudgetError };

/**
 * Runs what was approved, and records what came of it, unless it comes late. Never rejects.
 *
 * @param request as it was before this run; `startedAt` means that a crash cut an earlier run short
 */
export type RunApproved = (request: ApprovalRequest, prepared: Prepared, by: string) => Promise<RunResult>;

export function createRunApproved(deps: {
  runOperation: RunOperation;
  tellAssigned: TellAssigned;
  record: RecordOperation;
  metrics: Metrics;
  newCorrelationId: () => string;
}): RunApproved {
  return async (request, { operation, input, context }, by) => {
    const correlationId = deps.newCorrelationId();
    const ran = await deps.runOperation(operation, correlationId, async () => runAgain());
    if (ran.kind === 'late') return ran;
    const result: RunResult =
      ran.kind === 'done'
        ? ran
        : {
            kind: 'failed',
            message:
              ran.kind === 'unclear'
                ? say`What was approved now matches several things, so nothing was changed. Request it again.`
                : ran.message,
          };
    deps.metrics.operations.inc({ operation: operation.name, outcome: result.kind });
    await deps.record(
      { teamId: request.teamId, by, through: 'approval', request: request.id, correlationId },
      { operation, input },
      result.kind === 'done'
        ? { action: 'done', ...resultOnRecord(result.result) }
        : { action: 'failed', message: result.message },
    );
    return result;

    /** A deletion that reached the service before a crash finds nothing to delete: it is done. */
    async function runAgain(): Promise<Extract<RunResult, { kind: 'done' | 'late' }>> {
      try {
        const made = await runAndLook(operation, context, input);
        await deps.tellAssigned(made, { teamId: request.teamId, personId: request.requesterId });
        return { kind: 'done', result: made };
      } catch (error) {
        if (error instanceof NotFoundError && operation.access === 'destructive' && request.startedAt !== undefined)
          return { kind: 'done', result: undefined };
        const isUnsent = context.call.turns !== undefined && context.call.turns.waitLeftMs !== Infinity;
        if (error instanceof BudgetError && isUnsent) return { kind: 'late', error };
        throw error;
      }
    }
  };
}
