import type { DatabaseSync } from 'node:sqlite';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Outbox, QueueState } from '../storage.ts';
import type { QueueEntryWriter } from './queue-entries.ts';
import type { UnreadableRows } from './unreadable.ts';

type Row = Record<string, unknown>;

/** The outbox in the bot's own SQLite file. */
export function createSqliteOutbox(database: DatabaseSync, { write }: GroupCommit, deps: { queueEntries: QueueEntryWriter; unreadable: UnreadableRows }): Outbox {
  const { queueEntries, unreadable } = deps;
  const select = database.prepare(
    `SELECT position, subscription_id, at, content FROM queue_entries
     WHERE queue = ? AND subscription_id NOT IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?`,
  );
  const selectState = database.prepare('SELECT queue, version, state FROM queue_states WHERE queue = ?');
  const selectVersion = database.prepare('SELECT version FROM queue_states WHERE queue = ?');
  const insertState = database.prepare('INSERT INTO queue_states (queue, version, is_busy, state) VALUES (?, 1, ?, ?) ON CONFLICT (queue) DO NOTHING');
  const updateState = database.prepare('UPDATE queue_states SET version = version + 1, is_busy = ?, state = ? WHERE queue = ? AND version = ?');
  const remove = database.prepare('DELETE FROM queue_entries WHERE queue = ? AND position IN (SELECT value FROM json_each(?))');
  const selectQueues = database.prepare(
    `SELECT queue, sum(waiting) AS waiting, min(oldest_at) AS oldest_at FROM (
       SELECT queue, count(*) AS waiting, min(at) AS oldest_at FROM queue_entries GROUP BY queue
       UNION ALL SELECT queue, 0, NULL FROM queue_states WHERE is_busy = 1
     ) GROUP BY queue`,
  );
  const drop = database.prepare('DELETE FROM queue_entries WHERE subscription_id = ? AND at < ?');

  return {
    async waiting(queue, { limit, exceptSubscriptions = [] }) {
      return unreadable.read('queue_entries', select.all(queue, JSON.stringify(exceptSubscriptions), limit), entryOf);
    },
    async stateOf<State>(queue: string): Promise<QueueState<State>> {
      const [kept] = unreadable.read('queue_states', selectState.all(queue), (row) => ({ version: Number(row['version']), state: JSON.parse(String(row['state'])) as State }));
      return kept ?? { version: 0, state: undefined };
    },
    versionOf: async (queue) => Number(selectVersion.get(queue)?.['version'] ?? 0),
    commit: (queue, { version, state, isBusy, remove: positions = [], put: entries = [] }) =>
      write(() => {
        const text = JSON.stringify(state);
        const replaced = version === 0 ? insertState.run(queue, Number(isBusy), text) : updateState.run(Number(isBusy), text, queue, version);
        if (replaced.changes === 0) return false;
        if (positions.length > 0) remove.run(queue, JSON.stringify(positions));
        queueEntries.put(entries);
        return true;
      }),
    put: (entries) => write(() => queueEntries.put(entries)),
    async queues() {
      return selectQueues.all().map((row: Row) => ({
        queue: String(row['queue']),
        waiting: Number(row['waiting']),
        oldestAt: row['oldest_at'] === null ? undefined : Number(row['oldest_at']),
      }));
    },
    drop: (subscriptionId, before) => write(() => Number(drop.run(subscriptionId, before).changes)),
  };
}

function entryOf(row: Row): QueueEntry {
  return {
    position: Number(row['position']),
    subscriptionId: String(row['subscription_id']),
    at: Number(row['at']),
    content: JSON.parse(String(row['content'])) as QueueEntry['content'],
  };
}
