import type { AuditEntry } from '../../domain/audit-chain.ts';
import { publicName } from '../../directory/names.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OperationResult } from '../../operations/page.ts';
import { detailsOf, targetsOf, type OperationInput } from '../perform/meaning.ts';
import { maskAddresses } from '../../domain/address.ts';
import { plainSentence, inEnglishWithPeople } from '../../domain/said.ts';
import type { Log } from '../../observability/log.ts';
import type { AuditTrail } from '../../storage/audit.ts';

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

interface Came extends Pick<AuditEntry, 'action' | 'change' | 'notMade' | 'targets'> {
  message?: string | undefined;
}

export type RecordOperation = ReturnType<typeof createRecordOperation>;

/** Puts on the record what came of an operation: the same entry for the same change, whatever way it came. */
export function createRecordOperation(deps: { audit: Audit; now: () => number; newCorrelationId: () => string }) {
  return async (
    { teamId, ...origin }: Origin,
    { operation, input, name = operation.name }: Meant,
    { message, targets = [], change, ...came }: Came,
  ) =>
    deps.audit(teamId, {
      at: deps.now(),
      correlationId: deps.newCorrelationId(),
      ...origin,
      operation: name,
      ...came,
      ...(input && {
        ...(operation.action && { change: change ?? operation.action(input) }),
        targets: [...targetsOf(operation, input), ...targets],
        details: detailsOf(operation, input),
      }),
      ...(message && { message }),
    });
}

/** What the record says of a result besides that it is done: who was created, that nothing changed, or what could not be made. */
export function resultOnRecord(
  result: OperationResult | undefined,
): Pick<AuditEntry, 'change' | 'message' | 'notMade' | 'targets'> {
  if (result?.kind !== 'done') return {};
  const { message, change, isNoChange, problems = [], created, targets } = result;
  const user = created && { targets: [{ kind: 'user' as const, id: created.user_id, name: publicName(created) }] };
  const who = { ...(change !== undefined && { change }), ...(user ?? (targets && { targets })) };
  if (problems.length > 0) return { ...who, message: [message, ...problems].join(' '), notMade: problems };
  return { ...who, ...(isNoChange && { message }) };
}

/**
 * Puts an entry on the audit trail and into the log, which names nobody. Of a target, neither keeps more than kind, id
 * and name: the facts of a user include their addresses. E-mail addresses in all other texts are masked: the trail is
 * kept for good. It is in English, whatever language people read: it is evidence.
 */
export type Audit = (teamId: string, entry: AuditEntry) => Promise<void>;

export function createAudit(deps: { trail: AuditTrail; log: Log; onRecorded: (teamId: string) => void }): Audit {
  const { trail, log, onRecorded } = deps;

  return async (teamId, original) => {
    const entry = maskAddresses(
      inEnglishWithPeople({
        ...original,
        ...(original.message !== undefined && { message: plainSentence(original.message) }),
      }),
    );
    const { operation, action, through, by, request, correlationId } = entry;
    const targets = entry.targets?.map(({ kind, id }) => `${kind}:${id}`);
    try {
      const { position, hash } = await trail.append(teamId, {
        ...entry,
        targets: entry.targets?.map(({ kind, id, name }) => ({ kind, id, name })),
      });
      log.info(
        { team: teamId, operation, by, through, outcome: action, targets, request, correlationId, position, hash },
        'audit',
      );
      onRecorded(teamId);
    } catch (error) {
      // The operation itself is over: an error here must not make it look failed. The log keeps the entry.
      log.error(
        { error, team: teamId, operation, by, through, outcome: action, targets, request, correlationId },
        'audit entry not kept',
      );
    }
  };
}
