import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { ApprovalRequest, StoredRequest } from '../../domain/approval-request.ts';
import { emptyChain, type ChainHead } from '../../domain/audit-chain.ts';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import { waitingEventOf } from '../sqlite/inbox.ts';
import type { UnreadableRows } from '../sqlite/unreadable.ts';
import type { NewEvent, WaitingEvent } from '../storage.ts';

/** Everything in a bot's file. Audit links, subscriptions and counters are read through their stores, by the names given here. */
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
  approvals(): Iterable<StoredRequest>;
  auditHeads(): { teamId: string; head: ChainHead }[];
  subscribedTeams(): string[];
  counterNames(): string[];
}

type Row = Record<string, unknown>;

export function readSqliteState(database: DatabaseSync): SqliteState {
  function* rows<Item>(sql: string, itemOf: (row: Row) => Item, ...parameters: SQLInputValue[]): Generator<Item> {
    for (const row of database.prepare(sql).iterate(...parameters)) yield itemOf(row);
  }
  const names = (sql: string) => [...rows(sql, (row) => String(row['name']))];

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
    approvals: () =>
      rows('SELECT request, version FROM approvals ORDER BY team_id, created_at', (row) => ({
        request: JSON.parse(String(row['request'])) as ApprovalRequest,
        version: Number(row['version']),
      })),
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
    subscribedTeams: () => names('SELECT DISTINCT team_id AS name FROM subscriptions'),
    counterNames: () => names('SELECT DISTINCT name FROM counters'),
  };
}

/** Of each table with JSON, the columns that have it. */
const jsonColumns = {
  waiting_events: ['content'],
  queue_entries: ['content'],
  queue_states: ['state'],
  queue_state_parts: ['content'],
  subscriptions: ['subscription', 'pause'],
  approvals: ['request'],
} as const;

/** Sets aside what cannot be read, so that the rest can be moved. */
export function setAsideUnreadable(database: DatabaseSync, unreadable: UnreadableRows): void {
  for (const [table, columns] of Object.entries(jsonColumns) as [keyof typeof jsonColumns, readonly string[]][]) {
    const invalid = database
      .prepare(`SELECT * FROM ${table} WHERE NOT (${columns.map((column) => `json_valid(${column})`).join(' AND ')})`)
      .all();
    unreadable.read(table, invalid, (row) => columns.map((column): unknown => JSON.parse(String(row[column]))));
  }
}
