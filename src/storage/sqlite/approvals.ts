import type { DatabaseSync } from 'node:sqlite';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Approvals } from '../storage.ts';

/**
 * Requests for approval in the bot's own SQLite file.
 * @param assertUsable throws to refuse a write
 */
export function createSqliteApprovals(database: DatabaseSync, assertUsable: () => void): Approvals {
  const insert = database.prepare('INSERT INTO approvals VALUES (?, ?, ?, ?, 1, ?)');
  const select = database.prepare('SELECT request, version FROM approvals WHERE team_id = ? AND id = ?');
  const update = database.prepare(
    'UPDATE approvals SET is_pending = ?, request = ?, version = version + 1 WHERE team_id = ? AND id = ? AND version = ?',
  );
  const selectPending = database.prepare('SELECT request FROM approvals WHERE team_id = ? AND is_pending = 1 ORDER BY created_at');

  return {
    async add(request) {
      assertUsable();
      insert.run(request.teamId, request.id, request.createdAt, isPending(request), JSON.stringify(request));
    },
    async byId(teamId, id) {
      const row = select.get(teamId, id);
      return row && { request: parse(row['request']), version: Number(row['version']) };
    },
    async replace(request, version) {
      assertUsable();
      return update.run(isPending(request), JSON.stringify(request), request.teamId, request.id, version).changes > 0;
    },
    async pending(teamId) {
      return selectPending.all(teamId).map((row) => parse(row['request']));
    },
  };
}

function isPending({ state }: ApprovalRequest): number {
  return Number(state !== 'announced');
}

function parse(text: unknown): ApprovalRequest {
  return JSON.parse(String(text)) as ApprovalRequest;
}
