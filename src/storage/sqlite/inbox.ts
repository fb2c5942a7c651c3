import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { subscriptionsQueue } from '../../domain/queue-names.ts';
import {
  longestPostponementMs,
  type EventContent,
  type EventFailures,
  type Inbox,
  type NewEvent,
  type SubscriptionsVersion,
  type TakeResult,
  type WaitingEvent,
} from '../storage.ts';
import type { GroupCommit } from './group-commit.ts';
import type { QueueEntryWriter, UnreadableRows } from './queue-entries.ts';

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
    unreadable: UnreadableRows;
    /** The version of a state. */
    versionOf: (queue: string) => number;
  },
): Inbox {
  const { queueEntries, unreadable, versionOf } = deps;
  const isCurrent = ({ teamId, version }: SubscriptionsVersion) => versionOf(subscriptionsQueue(teamId)) === version;
  const insert = database.prepare(
    'INSERT INTO known_events (id, subject, is_backfilled, taken_at, result) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const selectSubject = database.prepare(
    'SELECT max(is_backfilled) AS is_backfilled, max(result) AS result FROM known_events WHERE subject = ? HAVING count(*) > 0',
  );
  const isKnownId = database.prepare('SELECT 1 FROM known_events WHERE id = ?');
  const replaceResult = database.prepare('UPDATE known_events SET result = ? WHERE subject = ?');
  const hold = database.prepare(
    'INSERT INTO waiting_events (is_hint, position, id, taken_at, content) VALUES (?, ?, ?, ?, ?)',
  );
  const isAnySubmissionHeld = database.prepare('SELECT 1 FROM waiting_events WHERE is_hint = 0 LIMIT 1');
  const release = database.prepare('DELETE FROM waiting_events WHERE is_hint IN (0, 1, 2) AND position = ?');
  const postpone = database.prepare(
    'UPDATE waiting_events SET is_hint = 2, content = ? WHERE is_hint IN (0, 1, 2) AND position = ?',
  );
  const selectWaiting = database.prepare(
    `SELECT position, id, taken_at, content FROM waiting_events
     WHERE is_hint < 2 OR CASE WHEN json_valid(content) THEN content ->> '$.failures.dueAt' NOT BETWEEN ?1 + 1 AND ?1 + ${longestPostponementMs} ELSE 1 END ORDER BY is_hint, position LIMIT ?2`,
  );
  const countWaiting = database.prepare(
    `SELECT (SELECT count(*) FROM waiting_events WHERE is_hint < 2) AS count, (SELECT count(*) FROM waiting_events WHERE is_hint = 2) AS postponed,
       min(taken_at) AS oldest_at FROM waiting_events
     WHERE is_hint < 2 AND position IN (SELECT min(position) FROM waiting_events WHERE is_hint < 2 GROUP BY is_hint)`,
  );
  const selectIds = database.prepare('SELECT id FROM known_events WHERE id IN (SELECT value FROM json_each(?))');
  const selectSubjects = database.prepare(
    'SELECT DISTINCT subject FROM known_events WHERE subject IN (SELECT value FROM json_each(?))',
  );
  const selectSliceEnd = database.prepare('SELECT id FROM known_events WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?');
  const forget = database.prepare(
    'DELETE FROM known_events WHERE id > ? AND id <= ? AND taken_at < ? AND id NOT IN (SELECT id FROM waiting_events)',
  );
  const checkpoint = () => database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  const selectLast = database.prepare('SELECT id FROM known_events ORDER BY id DESC LIMIT 1');
  /** False only where none is held: most webhooks then need not ask. */
  let mayHoldSubmissions = isAnySubmissionHeld.get() !== undefined;
  let examinedUntil = '';

  function holdsSubmissions(): boolean {
    mayHoldSubmissions &&= isAnySubmissionHeld.get() !== undefined;
    return mayHoldSubmissions;
  }

  function takeNow(event: NewEvent, match: Parameters<Inbox['take']>[1]): TakeResult {
    const { id, subject, isBackfilled, takenAt, content, result, replaces } = event;
    const isHeld = content !== undefined && (match === undefined || content.kind === 'hint' || holdsSubmissions());
    if (match !== undefined && !isHeld && !isCurrent(match)) return 'outdated';
    const sameSubject = subject === '' ? undefined : selectSubject.get(subject);
    if (isBackfilled && sameSubject !== undefined) return 'known';
    const known = sameSubject?.['result'];
    if (typeof known === 'string' && result !== undefined && known !== replaces)
      return isKnownId.get(id) === undefined ? { knownResult: known } : 'known';
    const row = [id, subject === '' ? null : subject, Number(isBackfilled), takenAt, result ?? null] as const;
    if (insert.run(...row).changes === 0) return 'known';
    if (result !== undefined && sameSubject !== undefined) replaceResult.run(result, subject);
    if (sameSubject?.['is_backfilled'] === 1 && replaces === undefined) return 'taken';
    if (isHeld) {
      const isHint = content.kind === 'hint';
      hold.run(Number(isHint), queueEntries.nextPosition(), id, takenAt, JSON.stringify(content));
      if (!isHint) mayHoldSubmissions = true;
      return 'held';
    }
    if (match !== undefined) queueEntries.put(match.entries);
    return 'taken';
  }

  return {
    take: (event, match) => write(() => takeNow(event, match)),
    async waiting(limit, now) {
      return unreadable.read('waiting_events', selectWaiting.all(now, limit), waitingEventOf);
    },
    async countWaiting() {
      const {
        count,
        postponed,
        oldest_at: oldestAt,
      } = countWaiting.get() as { count: number; postponed: number; oldest_at: number | null };
      return { count, oldestAt: oldestAt ?? undefined, postponed };
    },
    postpone: ({ position, content }, failures) =>
      write(() => void postpone.run(JSON.stringify({ ...content, failures }), position)),
    settle: (events, matched) =>
      write(() => {
        if (matched !== undefined && !isCurrent(matched)) return false;
        for (const { position, entries } of events) if (release.run(position).changes > 0) queueEntries.put(entries);
        return true;
      }),
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

/** Reads a row of `waiting_events`. In `is_hint`, 2 marks a postponed event, whose content has its failures beside it. */
export function waitingEventOf({
  position,
  id,
  taken_at: takenAt,
  content: text,
}: Record<string, unknown>): WaitingEvent {
  const { failures, ...content } = JSON.parse(String(text)) as EventContent & { failures?: EventFailures };
  return {
    position: Number(position),
    id: String(id),
    takenAt: Number(takenAt),
    content,
    ...(failures && { failures }),
  };
}
