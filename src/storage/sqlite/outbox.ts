import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { subscriptionsQueue, type QueueEntry } from '../../domain/queues.ts';
import type { GroupCommit } from './group-commit.ts';
import type { ChangedParts, Outbox, QueueState, Inbox, SubscriptionsVersion, TakeResult } from '../storage.ts';
import type { QueueEntryWriter, QueueIndex, UnreadableRows } from './queue-entries.ts';

type Row = Record<string, unknown>;

/** How many states a transaction forgets: that of a large campaign has hundreds of pages. */
const forgottenAtOnce = 20;
/** How many states are looked at before others have their turn. */
const examinedAtOnce = 200;

/** The outbox in the bot's own SQLite file. */
export function createSqliteOutbox(
  database: DatabaseSync,
  { write }: GroupCommit,
  deps: { queueEntries: QueueEntryWriter; index: QueueIndex; unreadable: UnreadableRows; now: () => number },
): Outbox & { versionNow(queue: string): number } {
  const { queueEntries, index, unreadable, now } = deps;
  const select = database.prepare(
    `SELECT position, subscription_id, at, content FROM queue_entries
     WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position`,
  );
  const selectState = database.prepare('SELECT queue, version, state FROM queue_states WHERE queue = ?');
  const selectParts = database.prepare('SELECT queue, part, content FROM queue_state_parts WHERE queue = ?');
  const putPart = database.prepare(
    'INSERT INTO queue_state_parts (queue, part, content) VALUES (?, ?, ?) ON CONFLICT (queue, part) DO UPDATE SET content = excluded.content',
  );
  const removeParts = database.prepare('DELETE FROM queue_state_parts WHERE queue = ? AND part >= ?');
  const selectVersion = database.prepare('SELECT version FROM queue_states WHERE queue = ?');
  const insertState = database.prepare(
    'INSERT INTO queue_states (queue, version, is_busy, changed_at, state) VALUES (?, 1, ?, ?, ?) ON CONFLICT (queue) DO NOTHING',
  );
  const updateState = database.prepare(
    'UPDATE queue_states SET version = version + 1, is_busy = ?, changed_at = ?, state = ? WHERE queue = ? AND version = ?',
  );
  const remove = database.prepare('DELETE FROM queue_entries WHERE position IN (SELECT value FROM json_each(?))');
  const selectKind = database.prepare(
    `SELECT queue, is_busy, changed_at FROM queue_states WHERE queue > ? AND queue < ? ORDER BY queue LIMIT ${examinedAtOnce}`,
  );
  const forget = database.prepare('DELETE FROM queue_states WHERE queue = ? AND is_busy = 0 AND changed_at < ?');

  function removeNow(queue: string, positions: readonly number[]): void {
    const own = index.remove(queue, positions);
    if (own.length > 0) remove.run(JSON.stringify(own));
  }

  async function forgetThese(queues: readonly string[], time: number): Promise<void> {
    for (let from = 0; from < queues.length; from += forgottenAtOnce) {
      await write(() => {
        for (const queue of queues.slice(from, from + forgottenAtOnce))
          if (!index.hasWaiting(queue) && forget.run(queue, time).changes > 0) removeParts.run(queue, 0);
      });
      await nextTurn();
    }
  }

  function stateNow<State>(queue: string): QueueState<State> {
    const [kept] = unreadable.read('queue_states', selectState.all(queue), (row) => ({
      version: Number(row['version']),
      state: JSON.parse(String(row['state'])) as State,
    }));
    return kept ?? { version: 0, state: undefined };
  }

  const versionNow = (queue: string) => Number(selectVersion.get(queue)?.['version'] ?? 0);

  function keepNow(queue: string, version: number, isBusy: boolean, state: unknown): boolean {
    const text = JSON.stringify(state);
    const { changes } =
      version === 0
        ? insertState.run(queue, Number(isBusy), now(), text)
        : updateState.run(Number(isBusy), now(), text, queue, version);
    if (changes === 0) return false;
    index.setBusy(queue, isBusy);
    return true;
  }

  function putParts(queue: string, { count, changed }: ChangedParts): void {
    for (const [part, content] of changed) putPart.run(queue, part, JSON.stringify(content));
    removeParts.run(queue, count);
  }

  return {
    async waiting(queue, { limit, exceptSubscriptions = [] }) {
      const positions = index.first(queue, limit, exceptSubscriptions);
      if (positions.length === 0) return [];
      return unreadable.read('queue_entries', select.all(JSON.stringify(positions)), entryOf);
    },
    stateOf: async <State>(queue: string) => stateNow<State>(queue),
    async stateWithParts(queue) {
      const parts = unreadable.read('queue_state_parts', selectParts.all(queue), (row) => {
        return [Number(row['part']), JSON.parse(String(row['content'])) as unknown] as const;
      });
      return { ...stateNow(queue), parts: new Map(parts) };
    },
    versionNow,
    versionOf: async (queue) => versionNow(queue),
    commit: (queue, { version, state, parts, isBusy, remove: positions = [], put: entries = [], beside }) =>
      write(() => {
        if (beside !== undefined && versionNow(beside.queue) !== beside.version) return false;
        if (!keepNow(queue, version, isBusy, state)) return false;
        if (beside !== undefined) keepNow(beside.queue, beside.version, false, beside.state);
        if (parts !== undefined) putParts(queue, parts);
        removeNow(queue, positions);
        queueEntries.put(entries);
        return true;
      }),
    put: (entries) => write(() => queueEntries.put(entries)),
    queues: async () => index.queues(),
    drop: (subscriptionId, before) =>
      write(() => {
        const dropped = index.ofSubscription(subscriptionId, before);
        for (const { queue, positions } of dropped) removeNow(queue, positions);
        return dropped.reduce((sum, { positions }) => sum + positions.length, 0);
      }),
    async forgetStates(unchangedSince) {
      for (const [kind, time] of Object.entries(unchangedSince)) {
        let rows: Row[];
        // '0' is the character after '/'.
        for (let after = `${kind}/`; ; after = String(rows.at(-1)!['queue'])) {
          rows = selectKind.all(after, `${kind}0`);
          if (rows.length === 0) break;
          const old = rows.filter((row) => row['is_busy'] === 0 && Number(row['changed_at']) < time);
          await forgetThese(
            old.map((row) => String(row['queue'])),
            time,
          );
          await nextTurn();
        }
      }
    },
  };
}

export function entryOf(row: Row): QueueEntry {
  return {
    position: Number(row['position']),
    subscriptionId: String(row['subscription_id']),
    at: Number(row['at']),
    content: JSON.parse(String(row['content'])) as QueueEntry['content'],
  };
}

/** How many known events a call of `forgetBefore` looks at. */
const examinedAtMost = 10_000;
/** How many of them it looks at in one transaction: some milliseconds, between which webhooks are taken. Each forgotten event changes some two pages. */
const sliceSize = 50;
/** SQLite’s own checkpoint takes 1,000 scattered pages at once, which held up the process for up to 90 ms. */
const checkpointedAfter = 200;

/** The inbox in the bot's own SQLite file. */
export function createSqliteInbox(
  database: DatabaseSync,
  { write }: GroupCommit,
  deps: {
    queueEntries: QueueEntryWriter;
    /** The version of a state. */
    versionOf: (queue: string) => number;
  },
): Inbox {
  const { queueEntries, versionOf } = deps;
  const isCurrent = ({ teamId, version }: SubscriptionsVersion) => versionOf(subscriptionsQueue(teamId)) === version;
  const insert = database.prepare(
    'INSERT INTO known_events (id, subject, is_backfilled, taken_at, result) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const selectSubject = database.prepare(
    'SELECT max(is_backfilled) AS is_backfilled, max(result) AS result FROM known_events WHERE subject = ? HAVING count(*) > 0',
  );
  const isKnownId = database.prepare('SELECT 1 FROM known_events WHERE id = ?');
  const replaceResult = database.prepare('UPDATE known_events SET result = ? WHERE subject = ?');
  const selectIds = database.prepare('SELECT id FROM known_events WHERE id IN (SELECT value FROM json_each(?))');
  const selectSubjects = database.prepare(
    'SELECT DISTINCT subject FROM known_events WHERE subject IN (SELECT value FROM json_each(?))',
  );
  const selectSliceEnd = database.prepare('SELECT id FROM known_events WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?');
  const forget = database.prepare('DELETE FROM known_events WHERE id > ? AND id <= ? AND taken_at < ?');
  const checkpoint = () => database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  const selectLast = database.prepare('SELECT id FROM known_events ORDER BY id DESC LIMIT 1');
  let examinedUntil = '';

  function takeNow(...[event, entries = [], matched]: Parameters<Inbox['take']>): TakeResult {
    const { id, subject, isBackfilled, takenAt, result, replaces } = event;
    if (matched !== undefined && !isCurrent(matched)) return 'outdated';
    const sameSubject = subject === '' ? undefined : selectSubject.get(subject);
    if (isBackfilled && sameSubject !== undefined) return 'known';
    const known = sameSubject?.['result'];
    if (typeof known === 'string' && result !== undefined && known !== replaces)
      return isKnownId.get(id) === undefined ? { knownResult: known } : 'known';
    const row = [id, subject === '' ? null : subject, Number(isBackfilled), takenAt, result ?? null] as const;
    if (insert.run(...row).changes === 0) return 'known';
    if (result !== undefined && sameSubject !== undefined) replaceResult.run(result, subject);
    if (sameSubject?.['is_backfilled'] === 1 && replaces === undefined) return 'taken';
    queueEntries.put(entries);
    return 'taken';
  }

  return {
    take: (...arrival) => write(() => takeNow(...arrival)),
    async knownIds(ids) {
      return new Set(selectIds.all(JSON.stringify(ids)).map(({ id }) => String(id)));
    },
    async knownSubjects(subjects) {
      return new Set(selectSubjects.all(JSON.stringify(subjects)).map(({ subject }) => String(subject)));
    },
    async forgetBefore(time) {
      let forgotten = 0;
      for (let examined = 0; examined < examinedAtMost; examined += sliceSize) {
        forgotten += await write(() => {
          const end = selectSliceEnd.get(examinedUntil, sliceSize - 1)?.['id'];
          const { changes } = forget.run(examinedUntil, end ?? selectLast.get()?.['id'] ?? '', time);
          examinedUntil = typeof end === 'string' ? end : '';
          return Number(changes);
        });
        if (forgotten >= checkpointedAfter) {
          checkpoint();
          forgotten = 0;
        }
        if (examinedUntil === '') return true;
        await nextTurn();
      }
      return false;
    },
  };
}
