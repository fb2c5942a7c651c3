import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OperationInput } from './operation-input.ts';
import { type OperationRequest, type ExecutionResult } from './execution-result.ts';
import { resultOnRecord, type RecordOperation } from './record.ts';

const refusalsEveryMs = 10 * 60_000;
const refusedAtMost = 10_000;

/**
 * Records what came of a person’s request. Input that was not understood, lacks a reason or needs a confirmation goes into
 * the log only: the person is asked for it. So does a preview, a repeated refusal, and what is a person’s own: what keeps it
 * records what there is to record.
 */
type RecordOutcome = (
  request: OperationRequest,
  outcome: ExecutionResult,
  how: { correlationId: string; input: OperationInput | undefined; isNobody: boolean },
) => Promise<void>;

export function createRecordOutcome(deps: {
  record: RecordOperation;
  log: Log;
  metrics: Metrics;
  now: () => number;
}): RecordOutcome {
  /** When the refusals of people without a quiz user go on the record again. */
  const refusalsFrom = new Map<string, number>();

  /** People whom the account does not know could fill the audit trail, so it gets one entry for each in ten minutes. */
  function wasRefusedLately({ personId, teamId }: OperationRequest): boolean {
    const key = `${teamId}:${personId}`;
    const time = deps.now();
    if ((refusalsFrom.get(key) ?? 0) > time) return true;
    if (refusalsFrom.size >= refusedAtMost) refusalsFrom.clear();
    refusalsFrom.set(key, time + refusalsEveryMs);
    return false;
  }

  return async (request, outcome, { correlationId, input, isNobody }) => {
    const { operation, personId, teamId, through } = request;
    deps.metrics.operations.inc({ operation: operation.name, outcome: outcome.kind });
    const isRepeated = isNobody && outcome.kind === 'refused' && wasRefusedLately(request);
    if (operation.access === 'own' || isRepeated || isPreview(operation, outcome) || !isRecorded(outcome)) {
      deps.log.info(
        { operation: operation.name, by: personId, through, outcome: outcome.kind, correlationId },
        'operation not begun',
      );
      return;
    }
    if (outcome.kind === 'done' && outcome.result.kind === 'done' && outcome.result.isStarted) return;
    await deps.record(
      { teamId, by: personId, through, correlationId, ...('request' in outcome && { request: outcome.request.id }) },
      { operation, input },
      {
        action: outcome.kind,
        ...('message' in outcome && { message: outcome.message }),
        ...(outcome.kind === 'done' && resultOnRecord(outcome.result)),
      },
    );
  };
}

function isRecorded(
  outcome: ExecutionResult,
): outcome is Extract<ExecutionResult, { kind: 'done' | 'requested' | 'refused' | 'failed' }> {
  return ['done', 'requested', 'refused', 'failed'].includes(outcome.kind);
}

/** A preview of a change, which is on the record when it is started. */
function isPreview({ access }: Operation, outcome: ExecutionResult): boolean {
  return access !== 'read' && outcome.kind === 'done' && outcome.result.kind === 'preview';
}
