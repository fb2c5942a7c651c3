import type { DatabaseSync } from 'node:sqlite';
import { emptyChain, nextLink, type ChainHead, type ChainLink } from '../../domain/audit-chain.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SealedTrail } from '../storage.ts';

/** The audit trail in the bot's own SQLite file. The head is kept apart, so that a missing end shows. */
export function createSqliteAudit(database: DatabaseSync, { write }: Pick<GroupCommit, 'write'>): SealedTrail {
  const selectHead = database.prepare('SELECT position, hash FROM audit_heads WHERE team_id = ?');
  const insert = database.prepare('INSERT INTO audit VALUES (?, ?, ?, ?)');
  const setHead = database.prepare('INSERT OR REPLACE INTO audit_heads VALUES (?, ?, ?)');
  const selectLatest = database.prepare(
    'SELECT position, text, hash FROM audit WHERE team_id = ? AND position < ? ORDER BY position DESC LIMIT ?',
  );
  const selectSince = database.prepare(
    'SELECT position, text, hash FROM audit WHERE team_id = ? AND position > ? ORDER BY position LIMIT ?',
  );
  const headOf = (teamId: string) => (selectHead.get(teamId) as unknown as ChainHead | undefined) ?? emptyChain;

  return {
    append: (teamId, entry) =>
      write(() => {
        const link = nextLink(headOf(teamId), JSON.stringify(entry));
        insert.run(teamId, link.position, link.text, link.hash);
        setHead.run(teamId, link.position, link.hash);
        return link;
      }),
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
