import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalRequest, StoredRequest } from '../../domain/approval-request.ts';
import type { Approvals } from '../storage.ts';
import type { UnreadableRows } from './unreadable.ts';

/**
 * Requests for approval in the bot's own SQLite file.
 * @param assertUsable throws to refuse a write
 * @param free resolves when no write has to wait
 */
export function createSqliteApprovals(
  database: DatabaseSync,
  unreadable: UnreadableRows,
  assertUsable: () => void,
  free: () => Promise<void>,
): Approvals {
  const insert = database.prepare('INSERT INTO approvals VALUES (?, ?, ?, ?, 1, ?)');
  const select = database.prepare('SELECT team_id, id, request, version FROM approvals WHERE team_id = ? AND id = ?');
  const update = database.prepare(
    'UPDATE approvals SET is_pending = ?, request = ?, version = version + 1 WHERE team_id = ? AND id = ? AND version = ?',
  );
  const selectPending = database.prepare(
    'SELECT team_id, id, request, version FROM approvals WHERE team_id = ? AND is_pending = 1 ORDER BY created_at',
  );

  function add(request: ApprovalRequest): void {
    assertUsable();
    insert.run(request.teamId, request.id, request.createdAt, isPending(request), JSON.stringify(request));
  }

  function pendingOf(teamId: string): StoredRequest[] {
    return unreadable.read('approvals', selectPending.all(teamId), storedIn);
  }

  return {
    async add(request) {
      await free();
      add(request);
    },
    // Nothing else runs between the check and the write: SQLite has one process, and both are synchronous.
    async addUnlessOpen(request) {
      await free();
      const open = pendingOf(request.teamId).find((other) => isSameOpen(other.request, request));
      if (open === undefined) add(request);
      return open;
    },
    async byId(teamId, id) {
      return unreadable.read('approvals', select.all(teamId, id), storedIn)[0];
    },
    async replace(request, version) {
      await free();
      assertUsable();
      return update.run(isPending(request), JSON.stringify(request), request.teamId, request.id, version).changes > 0;
    },
    async pending(teamId) {
      return pendingOf(teamId).map(({ request }) => request);
    },
  };
}

function storedIn(row: Record<string, unknown>): StoredRequest {
  return { request: JSON.parse(String(row['request'])) as ApprovalRequest, version: Number(row['version']) };
}

function isSameOpen(other: ApprovalRequest, { requesterId, operation, input }: ApprovalRequest): boolean {
  return (
    other.state === 'open' &&
    other.requesterId === requesterId &&
    other.operation === operation &&
    isDeepStrictEqual(other.input, input)
  );
}

function isPending({ state }: ApprovalRequest): number {
  return Number(state !== 'announced');
}
