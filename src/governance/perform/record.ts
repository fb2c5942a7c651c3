import type { AuditEntry } from '../../domain/audit-chain.ts';
import { publicName } from '../../directory/names.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import type { Audit } from '../audit/append-entry.ts';
import { detailsOf, targetsOf, type OperationInput } from './operation-input.ts';

/** Whose operation it was, and how it came to be run. */
export interface Origin extends Pick<AuditEntry, 'by' | 'approvedBy' | 'through' | 'request' | 'batch'> {
  teamId: string;
  /** Default: a new one. */
  correlationId?: string;
}

/** What was run. `name`: where the record calls it otherwise. `input`: undefined where it was not understood. */
export interface Meant {
  operation: Operation;
  input: OperationInput | undefined;
  name?: string;
}

/** Puts on the record what came of an operation: the same entry for the same change, whatever way it came. */
export type RecordOperation = (
  origin: Origin,
  meant: Meant,
  came: Pick<AuditEntry, 'action' | 'notMade' | 'targets'> & { message?: string | undefined },
) => Promise<void>;

export function createRecordOperation(deps: {
  audit: Audit;
  now: () => number;
  newCorrelationId: () => string;
}): RecordOperation {
  return async (
    { teamId, ...origin },
    { operation, input, name = operation.name },
    { message, targets = [], ...came },
  ) =>
    deps.audit(teamId, {
      at: deps.now(),
      correlationId: deps.newCorrelationId(),
      ...origin,
      operation: name,
      ...came,
      ...(input && {
        ...(operation.action && { change: operation.action(input) }),
        targets: [...targetsOf(operation, input), ...targets],
        details: detailsOf(operation, input),
      }),
      ...(message && { message }),
    });
}

/** What the record says of a result besides that it is done: who was created, that nothing changed, or what could not be made. */
export function resultOnRecord(
  result: OperationResult | undefined,
): Pick<AuditEntry, 'message' | 'notMade' | 'targets'> {
  if (result?.kind !== 'done') return {};
  const { message, isNoChange, problems = [], created, createdQuiz } = result;
  const quiz = createdQuiz && { targets: [{ kind: 'quiz' as const, id: createdQuiz.quiz_id, name: createdQuiz.name }] };
  const who = created ? { targets: [{ kind: 'user' as const, id: created.user_id, name: publicName(created) }] } : quiz;
  if (problems.length > 0) return { ...who, message: [message, ...problems].join(' '), notMade: problems };
  return { ...who, ...(isNoChange && { message }) };
}
