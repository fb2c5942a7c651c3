import type { Log } from '../observability/log.ts';
import type { AuditEntry } from '../domain/audit-chain.ts';
import type { AuditTrail } from '../storage/storage.ts';

/**
 * Puts something on the record: into the chain that is kept, and into the log, which names no person. Of what it was
 * done to, neither holds more than kind, id and name: the facts of a user tell how they can be reached.
 */
export type Audit = (teamId: string, entry: AuditEntry) => Promise<void>;

export function createAudit(deps: { trail: AuditTrail; log: Log; onRecorded: () => void }): Audit {
  const { trail, log, onRecorded } = deps;

  return async (teamId, entry) => {
    const { operation, action, through, by, request, correlationId } = entry;
    const targets = entry.targets?.map(({ kind, id }) => `${kind}:${id}`);
    try {
      const { position, hash } = await trail.append(teamId, { ...entry, targets: entry.targets?.map(({ kind, id, name }) => ({ kind, id, name })) });
      log.info({ team: teamId, operation, by, through, outcome: action, targets, request, correlationId, position, hash }, 'audit');
      onRecorded();
    } catch (error) {
      // What was done was done: it stands in the log, and not keeping it must not look like a failed operation.
      log.error({ error, team: teamId, operation, by, through, outcome: action, targets, request, correlationId }, 'audit entry not kept');
    }
  };
}
