import { maskAddresses } from '../../domain/mask-addresses.ts';
import { plainSentence } from '../../domain/sentence.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { Log } from '../../observability/log.ts';
import type { AuditTrail } from '../../storage/storage.ts';
import { inEnglishWithPeople } from '../../domain/said.ts';

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
