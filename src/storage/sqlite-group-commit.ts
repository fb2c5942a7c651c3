import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './sqlite-transaction.ts';

/** What is written together with whatever else is written in the same turn of the event loop. */
export interface GroupCommit {
  /** Does all of `work` or nothing of it. Resolves when it is on the disk; rejects when it is not. */
  write<Answer>(work: () => Answer): Promise<Answer>;
  /** Writes at once what was not written yet. */
  flush(): void;
}

interface Piece {
  work: () => unknown;
  resolve: (answer: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Waiting for the disk is what a write costs, and it costs the same for one piece of work as for a hundred:
 * those of one turn of the event loop share a transaction. A piece that fails fails alone; a transaction that fails
 * fails all of its pieces.
 */
export function createGroupCommit(database: DatabaseSync): GroupCommit {
  const savepoint = database.prepare('SAVEPOINT piece');
  const release = database.prepare('RELEASE piece');
  const rollBack = database.prepare('ROLLBACK TO piece');
  let pieces: Piece[] = [];

  /** @returns what settles the piece's promise, once the transaction has succeeded */
  function doPiece({ work, resolve, reject }: Piece): () => void {
    savepoint.run();
    try {
      const answer = work() as never;
      release.run();
      return () => resolve(answer);
    } catch (error) {
      // The whole transaction is gone where, for one, the disk is full.
      if (!database.isTransaction) throw error;
      rollBack.run();
      release.run();
      return () => reject(error);
    }
  }

  function flush(): void {
    const group = pieces;
    pieces = [];
    if (group.length === 0) return;
    try {
      const settlements = inTransaction(database, () => group.map(doPiece));
      for (const settle of settlements) settle();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return {
    flush,
    write: (work) =>
      new Promise((resolve, reject) => {
        pieces.push({ work, resolve, reject });
        if (pieces.length === 1) setImmediate(flush);
      }),
  };
}
