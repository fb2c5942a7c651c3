import { randomUUID } from 'node:crypto';
import type { Announcement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import { auditQueue } from '../../domain/queue-names.ts';
import { createCoalescing } from '../../durable/coalescing.ts';
import type { Lasting } from '../../durable/engine.ts';
import type { Mail } from '../../durable/mail.ts';
import type { Log } from '../../observability/log.ts';
import type { AnchoredAuditTrail } from '../../storage/storage.ts';
import type { AuditNames } from './announcement-of.ts';
import { auditMachine, type AuditChannel } from './audit-machine.ts';

/** While a batch puts its rows on the trail, the posting is woken no more often than this. */
const wakePauseMs = 50;
const entriesLookedAt = 1_000;

interface AuditPosting {
  machine: Lasting['machines'][string];
  /** Call after every new entry. */
  wake: (teamId: string) => void;
  /** Call from time to time: a wake can be lost. */
  upkeep: () => Promise<void>;
}

/** Keeps the audit channel up to date with the audit trail. */
export function createAuditPosting(deps: {
  /** Undefined: the trail is posted nowhere. */
  channelId: string | undefined;
  channel: AuditChannel & { sendDirect(personId: string, announcement: Announcement): Promise<void> };
  trail: Pick<AnchoredAuditTrail, 'since' | 'latest' | 'missingEnd'>;
  names: AuditNames;
  administrators: () => Promise<string[]>;
  /** Called where no administrator can be written to. */
  onNobodyNotified: (facts: { channel: string; code: string }) => Promise<void>;
  mail: Pick<Mail, 'wake'>;
  teamId: () => Promise<string>;
  log: Log;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}): AuditPosting {
  const { channelId, channel, trail, mail, log, now } = deps;
  const startedAt = now();

  /** Entries from before the channel was set are no news. */
  async function lastBeforeStart(teamId: string): Promise<number> {
    const links = await trail.latest(teamId, entriesLookedAt);
    return links.find(({ entry }) => entry.at < startedAt)?.position ?? 0;
  }

  async function notifyAdministrators(closedId: string, code: string): Promise<boolean> {
    const notice: Announcement = { kind: 'audit-channel-closed', channelId: closedId, code };
    try {
      const people = await deps.administrators();
      const sent = await Promise.allSettled(people.map(async (personId) => channel.sendDirect(personId, notice)));
      if (sent.some(({ status }) => status === 'fulfilled')) return true;
      const delay = sent.find((one) => one.status === 'rejected' && !isUnreachable(one.reason));
      if (delay?.status === 'rejected') throw delay.reason;
      await deps.onNobodyNotified({ channel: closedId, code });
      return true;
    } catch (error) {
      log.warn({ error, channel: closedId }, 'administrators are not notified of the closed audit channel yet');
      return false;
    }
  }

  const wakeSoon = createCoalescing<string>(
    (queues) => mail.wake([...queues].map((queue) => ({ queue }))),
    wakePauseMs,
    deps.sleep,
  );

  return {
    machine: auditMachine({ ...deps, lastBeforeStart, notifyAdministrators, newId: randomUUID }),
    wake(teamId) {
      if (channelId !== undefined) wakeSoon(auditQueue(teamId));
    },
    async upkeep() {
      if (channelId !== undefined) await mail.wake([{ queue: auditQueue(await deps.teamId()) }]);
    },
  };
}

/** Whether a person cannot be written to, such as one who has left. */
function isUnreachable(error: unknown): boolean {
  return error instanceof PlatformError && error.kind === 'closed';
}
