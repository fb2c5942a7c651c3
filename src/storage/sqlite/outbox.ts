import type { DatabaseSync } from 'node:sqlite';
import type { LaneEntry, NewLaneEntry } from '../../domain/queue-entry.ts';
import type { GroupCommit } from './group-commit.ts';
import type { LaneState, Outbox } from '../storage.ts';

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
  const selectLanes = database.prepare(
    `SELECT lane, sum(waiting) AS waiting, min(oldest_at) AS oldest_at FROM (
       SELECT lane, count(*) AS waiting, min(at) AS oldest_at FROM lane_entries GROUP BY lane
       UNION ALL SELECT lane, 0, NULL FROM lane_states WHERE is_busy = 1
     ) GROUP BY lane`,
  );
  const drop = database.prepare('DELETE FROM lane_entries WHERE subscription_id = ? AND at < ?');

  function put(entries: readonly NewLaneEntry[]): void {
    for (const { lane, subscriptionId, at, content } of entries) insert.run(lane, subscriptionId, at, JSON.stringify(content));
  }

  return {
    distribute: (distributions) =>
      write(() => {
        for (const { eventId, entries } of distributions) if (settle.run(eventId).changes > 0) put(entries);
      }),
    async waiting(lane, { limit, exceptSubscriptions = [] }) {
      return select.all(lane, JSON.stringify(exceptSubscriptions), limit).map(entryOf);
    },
    async stateOf<State>(lane: string): Promise<LaneState<State>> {
      const row = selectState.get(lane);
      return row === undefined ? { version: 0, state: undefined } : { version: Number(row['version']), state: JSON.parse(String(row['state'])) as State };
    },
    commit: (lane, { version, state, isBusy, remove: positions = [], put: entries = [] }) =>
      write(() => {
        const text = JSON.stringify(state);
        const replaced = version === 0 ? insertState.run(lane, Number(isBusy), text) : updateState.run(Number(isBusy), text, lane, version);
        if (replaced.changes === 0) return false;
        if (positions.length > 0) remove.run(lane, JSON.stringify(positions));
        put(entries);
        return true;
      }),
    async lanes() {
      return selectLanes.all().map((row: Row) => ({
        lane: String(row['lane']),
        waiting: Number(row['waiting']),
        oldestAt: row['oldest_at'] === null ? undefined : Number(row['oldest_at']),
      }));
    },
    drop: (subscriptionId, before) => write(() => Number(drop.run(subscriptionId, before).changes)),
  };
}

function entryOf(row: Row): LaneEntry {
  return {
    position: Number(row['position']),
    subscriptionId: String(row['subscription_id']),
    at: Number(row['at']),
    content: JSON.parse(String(row['content'])) as LaneEntry['content'],
  };
}
