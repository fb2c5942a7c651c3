import type { DatabaseSync } from 'node:sqlite';
import type { QueueEntry, NewQueueEntry } from '../../domain/queue-entry.ts';
import type { GroupCommit } from './group-commit.ts';
import type { QueueState, Outbox } from '../storage.ts';

type Row = Record<string, unknown>;

/** The outbox in the bot's own SQLite file. */
export function createSqliteOutbox(database: DatabaseSync, { write }: GroupCommit): Outbox {
  const settle = database.prepare("UPDATE events SET settled = 1, body = '' WHERE event_id = ? AND settled = 0");
  const insert = database.prepare('INSERT INTO lane_entries (lane, subscription_id, at, content) VALUES (?, ?, ?, ?)');
  const select = database.prepare(
    `SELECT position, subscription_id, at, content FROM lane_entries
     WHERE lane = ? AND subscription_id NOT IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?`,
  );
  const selectState = database.prepare('SELECT version, state FROM lane_states WHERE lane = ?');
  const insertState = database.prepare('INSERT INTO lane_states (lane, version, is_busy, state) VALUES (?, 1, ?, ?) ON CONFLICT (lane) DO NOTHING');
  const updateState = database.prepare('UPDATE lane_states SET version = version + 1, is_busy = ?, state = ? WHERE lane = ? AND version = ?');
  const remove = database.prepare('DELETE FROM lane_entries WHERE lane = ? AND position IN (SELECT value FROM json_each(?))');
  const selectQueues = database.prepare(
    `SELECT lane, sum(waiting) AS waiting, min(oldest_at) AS oldest_at FROM (
       SELECT lane, count(*) AS waiting, min(at) AS oldest_at FROM lane_entries GROUP BY lane
       UNION ALL SELECT lane, 0, NULL FROM lane_states WHERE is_busy = 1
     ) GROUP BY lane`,
  );
  const drop = database.prepare('DELETE FROM lane_entries WHERE subscription_id = ? AND at < ?');

  function put(entries: readonly NewQueueEntry[]): void {
    for (const { queue, subscriptionId, at, content } of entries) insert.run(queue, subscriptionId, at, JSON.stringify(content));
  }

  return {
    fanOut: (distributions) =>
      write(() => {
        for (const { eventId, entries } of distributions) if (settle.run(eventId).changes > 0) put(entries);
      }),
    async waiting(queue, { limit, exceptSubscriptions = [] }) {
      return select.all(queue, JSON.stringify(exceptSubscriptions), limit).map(entryOf);
    },
    async stateOf<State>(queue: string): Promise<QueueState<State>> {
      const row = selectState.get(queue);
      return row === undefined ? { version: 0, state: undefined } : { version: Number(row['version']), state: JSON.parse(String(row['state'])) as State };
    },
    commit: (queue, { version, state, isBusy, remove: positions = [], put: entries = [] }) =>
      write(() => {
        const text = JSON.stringify(state);
        const replaced = version === 0 ? insertState.run(queue, Number(isBusy), text) : updateState.run(Number(isBusy), text, queue, version);
        if (replaced.changes === 0) return false;
        if (positions.length > 0) remove.run(queue, JSON.stringify(positions));
        put(entries);
        return true;
      }),
    async queues() {
      return selectQueues.all().map((row: Row) => ({
        queue: String(row['lane']),
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
