import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';
import type { Subscriptions } from '../storage.ts';
import type { Pause, Subscription } from '../../domain/subscription.ts';

/** Who wants to hear of what, in the bot's own SQLite file. */
export function createSqliteSubscriptions(database: DatabaseSync, { write }: GroupCommit): Subscriptions {
  const insert = database.prepare('INSERT INTO subscriptions (team_id, id, created_at, subscription, pause) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const select = database.prepare('SELECT subscription, pause FROM subscriptions WHERE team_id = ? ORDER BY created_at, id');
  const setPause = database.prepare('UPDATE subscriptions SET pause = ? WHERE team_id = ? AND id = ?');
  const remove = database.prepare('DELETE FROM subscriptions WHERE team_id = ? AND id = ?');

  return {
    add: ({ pause, ...subscription }) =>
      write(() => void insert.run(subscription.teamId, subscription.id, subscription.createdAt, JSON.stringify(subscription), JSON.stringify(pause))),
    async all(teamId) {
      return select.all(teamId).map((row) => ({
        ...(JSON.parse(String(row['subscription'])) as Omit<Subscription, 'pause'>),
        pause: JSON.parse(String(row['pause'])) as Pause | null,
      }));
    },
    setPause: (teamId, id, pause) => write(() => setPause.run(JSON.stringify(pause), teamId, id).changes > 0),
    remove: (teamId, id) => write(() => remove.run(teamId, id).changes > 0),
  };
}
