import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { ApprovalRequest, StoredRequest } from '../../domain/approval-request.ts';
import { emptyChain, type ChainHead } from '../../domain/audit-chain.ts';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { TakenEvent } from '../storage.ts';

/** Everything a bot's file holds, read in the order it was written. Audit links, subscriptions and counters are read through their stores, by these names. */
export interface SqliteState {
  /** Where each is: Keyv knows what it is, and whether its time is over. */
  keyedValues(): Iterable<{ namespace: string; key: string }>;
  events(): Iterable<TakenEvent & { isSettled: boolean }>;
  entries(): Iterable<QueueEntry & { queue: string }>;
  queueStates(): Iterable<{ queue: string; version: number; state: unknown; isBusy: boolean }>;
  /** The last place in a queue that was given; 0 where none was. */
  lastPosition(): number;
  approvals(): Iterable<StoredRequest>;
  auditHeads(): { teamId: string; head: ChainHead }[];
  subscribedTeams(): string[];
  tallyNames(): string[];
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
      rows("SELECT substr(key, 1, instr(key, ':') - 1) AS namespace, substr(key, instr(key, ':') + 1) AS key FROM keyed_values ORDER BY 1, 2", (row) => ({
        namespace: String(row['namespace']),
        key: String(row['key']),
      })),
    events: () =>
      rows('SELECT * FROM events ORDER BY position', (row) => ({
        id: String(row['event_id']),
        type: String(row['type']),
        subject: String(row['subject']),
        body: String(row['body']),
        trusted: row['trusted'] === 1,
        takenAt: Number(row['taken_at']),
        isSettled: row['settled'] === 1,
      })),
    entries: () =>
      rows('SELECT * FROM lane_entries ORDER BY position', (row) => ({
        position: Number(row['position']),
        queue: String(row['lane']),
        subscriptionId: String(row['subscription_id']),
        at: Number(row['at']),
        content: JSON.parse(String(row['content'])) as QueueEntry['content'],
      })),
    queueStates: () =>
      rows('SELECT * FROM lane_states', (row) => ({
        queue: String(row['lane']),
        version: Number(row['version']),
        state: JSON.parse(String(row['state'])) as unknown,
        isBusy: row['is_busy'] === 1,
      })),
    lastPosition: () => [...rows("SELECT seq FROM sqlite_sequence WHERE name = 'lane_entries'", (row) => Number(row['seq']))][0] ?? 0,
    approvals: () =>
      rows('SELECT request, version FROM approvals ORDER BY team_id, created_at', (row) => ({
        request: JSON.parse(String(row['request'])) as ApprovalRequest,
        version: Number(row['version']),
      })),
    // A trail whose head is gone does not hold, and is moved all the same.
    auditHeads: () => [
      ...rows('SELECT teams.team_id, position, hash FROM (SELECT team_id FROM audit UNION SELECT team_id FROM audit_heads) AS teams LEFT JOIN audit_heads USING (team_id)', ({ team_id: teamId, position, hash }) => ({
        teamId: String(teamId),
        head: typeof hash === 'string' ? { position: Number(position), hash } : emptyChain,
      })),
    ],
    subscribedTeams: () => names('SELECT DISTINCT team_id AS name FROM subscriptions'),
    tallyNames: () => names('SELECT DISTINCT name FROM counters'),
  };
}
