import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Outbox, QueueState } from '../storage.ts';
import type { QueueEntryWriter } from './queue-entries.ts';
import type { UnreadableRows } from './unreadable.ts';

type Row = Record<string, unknown>;

/** How many states a transaction forgets: that of a large campaign has a hundred pages. */
const forgottenAtOnce = 20;

/** The outbox in the bot's own SQLite file. */
export function createSqliteOutbox(
  database: DatabaseSync,
  { write }: GroupCommit,
  deps: { queueEntries: QueueEntryWriter; unreadable: UnreadableRows; now: () => number },
): Outbox {
  const { queueEntries, unreadable, now } = deps;
  const select = database.prepare(
    `SELECT position, subscription_id, at, content FROM queue_entries
     WHERE queue = ? AND subscription_id NOT IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?`,
  );
  const selectState = database.prepare('SELECT queue, version, state FROM queue_states WHERE queue = ?');
  const selectVersion = database.prepare('SELECT version FROM queue_states WHERE queue = ?');
  const insertState = database.prepare(
    'INSERT INTO queue_states (queue, version, is_busy, state, changed_at) VALUES (?, 1, ?, ?, ?) ON CONFLICT (queue) DO NOTHING',
  );
  const updateState = database.prepare(
    'UPDATE queue_states SET version = version + 1, is_busy = ?, state = ?, changed_at = ? WHERE queue = ? AND version = ?',
  );
  const remove = database.prepare(
    'DELETE FROM queue_entries WHERE queue = ? AND position IN (SELECT value FROM json_each(?))',
  );
  const selectQueues = database.prepare(
    `SELECT queue, sum(waiting) AS waiting, min(oldest_at) AS oldest_at FROM (
       SELECT queue, count(*) AS waiting, min(at) AS oldest_at FROM queue_entries GROUP BY queue
       UNION ALL SELECT queue, 0, NULL FROM queue_states WHERE is_busy = 1
     ) GROUP BY queue`,
  );
  const drop = database.prepare('DELETE FROM queue_entries WHERE subscription_id = ? AND at < ?');
  const selectAtRest = database.prepare(
    `SELECT queue FROM queue_states WHERE substr(queue, 1, instr(queue, '/')) = ? || '/' AND changed_at < ? AND is_busy = 0
     AND NOT EXISTS (SELECT 1 FROM queue_entries WHERE queue_entries.queue = queue_states.queue) LIMIT ${forgottenAtOnce}`,
  );
  const forget = database.prepare('DELETE FROM queue_states WHERE queue = ?');

  return {
    async waiting(queue, { limit, exceptSubscriptions = [] }) {
      return unreadable.read('queue_entries', select.all(queue, JSON.stringify(exceptSubscriptions), limit), entryOf);
    },
    async stateOf<State>(queue: string): Promise<QueueState<State>> {
      const [kept] = unreadable.read('queue_states', selectState.all(queue), (row) => ({
        version: Number(row['version']),
        state: JSON.parse(String(row['state'])) as State,
      }));
      return kept ?? { version: 0, state: undefined };
    },
    versionOf: async (queue) => Number(selectVersion.get(queue)?.['version'] ?? 0),
    commit: (queue, { version, state, isBusy, remove: positions = [], put: entries = [] }) =>
      write(() => {
        const text = JSON.stringify(state);
        const replaced =
          version === 0
            ? insertState.run(queue, Number(isBusy), text, now())
            : updateState.run(Number(isBusy), text, now(), queue, version);
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
    async forgetStates(unchangedSince) {
      for (const [kind, time] of Object.entries(unchangedSince)) {
        while (selectAtRest.get(kind, time) !== undefined) {
          await write(() => {
            for (const { queue } of selectAtRest.all(kind, time)) forget.run(queue!);
          });
          await nextTurn();
        }
      }
    },
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
