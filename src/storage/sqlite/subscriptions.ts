import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';
import type { UnreadableRows } from './unreadable.ts';
import type { Subscriptions, SubscriptionsVersion } from '../storage.ts';
import type { Pause, Subscription } from '../../domain/subscription.ts';

/** Subscriptions in the bot's own SQLite file. Only this process writes it, so that their version is kept in memory. */
export function createSqliteSubscriptions(
  database: DatabaseSync,
  { write }: GroupCommit,
  unreadable: UnreadableRows,
): Subscriptions & { isCurrent(matched: SubscriptionsVersion): boolean } {
  const insert = database.prepare(
    'INSERT INTO subscriptions (team_id, id, created_at, subscription, pause) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const select = database.prepare(
    'SELECT team_id, id, subscription, pause FROM subscriptions WHERE team_id = ? ORDER BY created_at, id',
  );
  const setPause = database.prepare('UPDATE subscriptions SET pause = ? WHERE team_id = ? AND id = ?');
  const remove = database.prepare('DELETE FROM subscriptions WHERE team_id = ? AND id = ?');
  const versions = new Map<string, number>();
  const versionOf = (teamId: string) => versions.get(teamId) ?? 1;

  function grow(teamId: string, changes: number | bigint): boolean {
    if (changes === 0) return false;
    versions.set(teamId, versionOf(teamId) + 1);
    return true;
  }

  return {
    isCurrent: ({ teamId, version }) => versionOf(teamId) === version,
    async version(teamId) {
      return versionOf(teamId);
    },
    add: ({ pause, ...subscription }) =>
      write(() => {
        const { changes } = insert.run(
          subscription.teamId,
          subscription.id,
          subscription.createdAt,
          JSON.stringify(subscription),
          JSON.stringify(pause),
        );
        grow(subscription.teamId, changes);
      }),
    async all(teamId) {
      const rows = select.all(teamId);
      const readable = unreadable.read('subscriptions', rows, subscriptionIn);
      grow(teamId, rows.length - readable.length);
      return readable;
    },
    setPause: (teamId, id, pause) => write(() => setPause.run(JSON.stringify(pause), teamId, id).changes > 0),
    remove: (teamId, id) => write(() => grow(teamId, remove.run(teamId, id).changes)),
  };
}

function subscriptionIn(row: Record<string, unknown>): Subscription {
  return {
    ...(JSON.parse(String(row['subscription'])) as Omit<Subscription, 'pause'>),
    pause: JSON.parse(String(row['pause'])) as Pause | null,
  };
}
