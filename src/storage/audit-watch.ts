import type { MissingEnd } from '../domain/audit-chain.ts';
import type { Log } from '../observability/log.ts';
import type { AnchoredAuditTrail } from './storage.ts';
import { createRepeating, type Repeating } from '../time/repeating.ts';

const everyMs = 60_000;

/** Looks for missing entries of the audit trail every minute, and logs a finding once. */
export function createAuditWatch(deps: {
  trail: Pick<AnchoredAuditTrail, 'missingEnd'>;
  teamId: () => Promise<string>;
  /** Called once for each finding, after it was logged. */
  onMissing: (teamId: string) => void;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
}): Repeating {
  const { trail, sleep, log } = deps;
  let logged: MissingEnd | undefined;

  async function look(): Promise<void> {
    const team = await deps.teamId();
    const missing = await trail.missingEnd(team);
    if (missing === undefined || missing.knownPosition === logged?.knownPosition) return;
    logged = missing;
    log.error({ team, ...missing }, 'the audit trail lost entries');
    deps.onMissing(team);
  }

  return createRepeating({
    work: look,
    everyMs,
    sleep,
    onError: (error) => log.warn({ error }, 'the audit trail is checked later'),
  });
}
