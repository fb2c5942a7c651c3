import type { Check } from '../domain/finding.ts';
import { createHealth, type Health, createHealthWatch } from '../health/health.ts';
import { slackCheck } from '../slack/slack-finding.ts';
import { storeChecks } from '../storage/checks.ts';
import type { Repeating } from '../time/timers.ts';
import type { Account } from './account.ts';
import type { Foundation } from './foundation.ts';
import type { Workspace } from './workspace.ts';

/** How the bot is: readiness, status, notices and metrics ask this. */
export interface BotHealth {
  health: Health;
  /** Looks by itself. */
  watches: readonly Repeating[];
  /** Slack delivers through an entry that is made later than the status that shows whether it does. */
  useEntry(entry: { assertConnected(): void }): void;
}

export function createBotHealth(
  { clock: { now, sleep }, storage, timeouts, log }: Foundation,
  { directory: { users }, serviceCheck }: Account,
  { connection, teamId, notifyOnce }: Workspace,
): BotHealth {
  let assertConnected = () => {};
  const ofStore = storeChecks({
    storage,
    teamId,
    userIds: async () => (await users.get({ priority: 'background' })).map(({ user_id: id }) => id),
    onCompared: () => watch.runSoon(),
    log,
  });
  const slack = slackCheck(async () => {
    assertConnected();
    await connection.identity.confirm();
  });
  const checks: Check[] = [...ofStore, slack, serviceCheck];
  const health = createHealth({
    checks,
    timeoutMs: timeouts.readiness,
    now,
    onFound(check, finding) {
      const { code, since, forOperator } = finding;
      log.error({ check: check.name, code, since }, forOperator);
    },
  });
  const watch = createHealthWatch({ health, notifyOnce, sleep, log });
  storage.content.onLoss(() => watch.runSoon());

  return {
    health,
    watches: [watch],
    useEntry: (entry) => {
      assertConnected = () => entry.assertConnected();
    },
  };
}
