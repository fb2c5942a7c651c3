import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { emptyChain, type ChainHead } from '../../domain/audit-chain.ts';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import { waitingEventOf } from '../sqlite/inbox.ts';
import type { UnreadableRows } from '../sqlite/unreadable.ts';
import type { NewEvent, WaitingEvent } from '../storage.ts';

/** Everything in a bot's file. Audit links are read through their store, by the names given here. */
interface SqliteState {
  /** Their names: Keyv reads the values, and knows which have expired. */
  keyedValues(): Iterable<{ namespace: string; key: string }>;
  knownEvents(): Iterable<Omit<NewEvent, 'content'>>;
  /** In the order they wait. */
  waitingEvents(): Iterable<WaitingEvent>;
  entries(): Iterable<QueueEntry & { queue: string }>;
  queueStates(): Iterable<{ queue: string; version: number; state: unknown; isBusy: boolean; changedAt: number }>;
  /** The parts of a state, by number. */
  partsOf(queue: string): ReadonlyMap<number, unknown>;
  /** No position above it was given. */
  lastPosition(): number;
  auditHeads(): { teamId: string; head: ChainHead }[];
}

type Row = Record<string, unknown>;

export function readSqliteState(database: DatabaseSync): SqliteState {
  function* rows<Item>(sql: string, itemOf: (row: Row) => Item, ...parameters: SQLInputValue[]): Generator<Item> {
    for (const row of database.prepare(sql).iterate(...parameters)) yield itemOf(row);
  }

  return {
    // Keyv puts the name space before the first colon.
    keyedValues: () =>
      rows(
        "SELECT substr(key, 1, instr(key, ':') - 1) AS namespace, substr(key, instr(key, ':') + 1) AS key FROM keyed_values WHERE instr(key, ':') > 0 ORDER BY 1, 2",
        (row) => ({
          namespace: String(row['namespace']),
          key: String(row['key']),
        }),
      ),
    knownEvents: () =>
      rows('SELECT * FROM known_events', (row) => ({
        id: String(row['id']),
        subject: typeof row['subject'] === 'string' ? row['subject'] : '',
        isBackfilled: row['is_backfilled'] === 1,
        takenAt: Number(row['taken_at']),
        ...(typeof row['result'] === 'string' && { result: row['result'] }),
      })),
    waitingEvents: () => rows('SELECT * FROM waiting_events ORDER BY is_hint, position', waitingEventOf),
    entries: () =>
      rows('SELECT * FROM queue_entries ORDER BY position', (row) => ({
        position: Number(row['position']),
        queue: String(row['queue']),
        subscriptionId: String(row['subscription_id']),
        at: Number(row['at']),
        content: JSON.parse(String(row['content'])) as QueueEntry['content'],
      })),
    queueStates: () =>
      rows('SELECT * FROM queue_states', (row) => ({
        queue: String(row['queue']),
        version: Number(row['version']),
        state: JSON.parse(String(row['state'])) as unknown,
        isBusy: row['is_busy'] === 1,
        changedAt: Number(row['changed_at']),
      })),
    partsOf: (queue) =>
      new Map(
        rows(
          'SELECT part, content FROM queue_state_parts WHERE queue = ?',
          (row) => [Number(row['part']), JSON.parse(String(row['content'])) as unknown] as const,
          queue,
        ),
      ),
    lastPosition: () => [...rows('SELECT reserved FROM positions', (row) => Number(row['reserved']))][0] ?? 0,
    // A trail whose head is missing does not verify, and is moved all the same.
    auditHeads: () => [
      ...rows(
        'SELECT teams.team_id, position, hash FROM (SELECT team_id FROM audit UNION SELECT team_id FROM audit_heads) AS teams LEFT JOIN audit_heads USING (team_id)',
        ({ team_id: teamId, position, hash }) => ({
          teamId: String(teamId),
          head: typeof hash === 'string' ? { position: Number(position), hash } : emptyChain,
        }),
      ),
    ],
  };
}

/** Of each table with JSON, the column that has it. */
const jsonColumns = {
  waiting_events: 'content',
  queue_entries: 'content',
  queue_states: 'state',
  queue_state_parts: 'content',
} as const;

/** Sets aside what cannot be read, so that the rest can be moved. */
export function setAsideUnreadable(database: DatabaseSync, unreadable: UnreadableRows): void {
  for (const [table, column] of Object.entries(jsonColumns) as [keyof typeof jsonColumns, string][]) {
    const invalid = database.prepare(`SELECT * FROM ${table} WHERE NOT json_valid(${column})`).all();
    unreadable.read(table, invalid, (row) => JSON.parse(String(row[column])) as unknown);
  }
}
