import type { DatabaseSync } from 'node:sqlite';
import { emptyChain, nextLink, type ChainHead, type ChainLink } from './audit-chain.ts';
import type { AuditTrail } from './storage.ts';

export const auditTables = `
  CREATE TABLE IF NOT EXISTS audit (
    team_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (team_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS audit_heads (
    team_id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`;

/** The audit trail in the bot's own SQLite file. The head is kept apart, so that a missing end shows. */
export function createSqliteAudit(database: DatabaseSync): AuditTrail {
  const selectHead = database.prepare('SELECT position, hash FROM audit_heads WHERE team_id = ?');
  const insert = database.prepare('INSERT INTO audit VALUES (?, ?, ?, ?)');
  const setHead = database.prepare('INSERT OR REPLACE INTO audit_heads VALUES (?, ?, ?)');
  const selectLatest = database.prepare('SELECT position, text, hash FROM audit WHERE team_id = ? AND position < ? ORDER BY position DESC LIMIT ?');
  const selectSince = database.prepare('SELECT position, text, hash FROM audit WHERE team_id = ? AND position > ? ORDER BY position LIMIT ?');
  const headOf = (teamId: string) => (selectHead.get(teamId) as unknown as ChainHead | undefined) ?? emptyChain;

  return {
    async append(teamId, entry) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const link = nextLink(headOf(teamId), JSON.stringify(entry));
        insert.run(teamId, link.position, link.text, link.hash);
        setHead.run(teamId, link.position, link.hash);
        database.exec('COMMIT');
        return link;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    async latest(teamId, limit, before = Number.MAX_SAFE_INTEGER) {
      return selectLatest.all(teamId, before, limit) as unknown as ChainLink[];
    },
    async since(teamId, after, limit) {
      return selectSince.all(teamId, after, limit) as unknown as ChainLink[];
    },
    async head(teamId) {
      return headOf(teamId);
    },
  };
}
