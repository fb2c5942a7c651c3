import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { subscriptionsQueue } from '../../domain/queues.ts';
import type { Inbox, SubscriptionsVersion, TakeResult } from '../storage.ts';
import type { GroupCommit } from './group-commit.ts';
import type { QueueEntryWriter } from './queue-entries.ts';

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
