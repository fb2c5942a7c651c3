import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/** What is written together with whatever else is written in the same turn of the event loop. */
export interface GroupCommit {
  /** Does all of `work` or nothing of it; where another piece fails, once more. Resolves when it is on the disk; rejects when it is not. */
  write<Answer>(work: () => Answer): Promise<Answer>;
  /** Writes at once what was not written yet. */
  flush(): void;
}

interface Piece {
  work: () => unknown;
  resolve: (answer: never) => void;
  reject: (error: unknown) => void;
}

type Settle = () => void;

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

  function doAlone(piece: Piece): Settle {
    savepoint.run();
    try {
      const settle = doPiece(piece);
      release.run();
      return settle;
    } catch (error) {
      // The whole transaction is gone where, for one, the disk is full.
      if (!database.isTransaction) throw error;
      rollBack.run();
      release.run();
      return () => piece.reject(error);
    }
  }

  /** @returns what settles the promises of the group, now that its transaction has succeeded or failed */
  function commit(group: readonly Piece[]): Settle[] {
    let hasPieceFailed = false;
    try {
      return inTransaction(database, () => {
        try {
          return group.map(doPiece);
        } catch (error) {
          hasPieceFailed = true;
          throw error;
        }
      });
    } catch (error) {
      return hasPieceFailed && group.length > 1 ? commitPieceByPiece(group) : rejectAll(group, error);
    }
  }

  /** Savepoints are two statements more for each piece: they are set only where a piece is known to fail. */
  function commitPieceByPiece(group: readonly Piece[]): Settle[] {
    try {
      return inTransaction(database, () => group.map(doAlone));
    } catch (error) {
      return rejectAll(group, error);
    }
  }

  function flush(): void {
    const group = pieces;
    pieces = [];
    if (group.length === 0) return;
    for (const settle of commit(group)) settle();
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

function doPiece({ work, resolve }: Piece): Settle {
  const answer = work() as never;
  return () => resolve(answer);
}

function rejectAll(group: readonly Piece[], error: unknown): Settle[] {
  return group.map(({ reject }) => () => reject(error));
}
