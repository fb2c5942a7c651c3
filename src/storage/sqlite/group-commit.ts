import type { DatabaseSync } from 'node:sqlite';

interface Piece {
  work: () => unknown;
  resolve: (answer: never) => void;
  reject: (error: unknown) => void;
}

type Settle = () => void;

export type GroupCommit = ReturnType<typeof createGroupCommit>;

/**
 * A write costs the wait for the disk, which is the same for one piece of work as for a hundred. So the pieces of
 * one turn of the event loop share a transaction. A piece that fails fails alone; a transaction that fails fails
 * all of its pieces.
 *
 * @param options.assertUsable throws to fail a whole group before its transaction
 * @param options.onRollBack called after anything of a transaction was undone
 */
export function createGroupCommit(
  database: DatabaseSync,
  { assertUsable = () => {}, onRollBack = () => {} }: { assertUsable?: () => void; onRollBack?: () => void } = {},
) {
  const savepoint = database.prepare('SAVEPOINT piece');
  const release = database.prepare('RELEASE piece');
  const rollBack = database.prepare('ROLLBACK TO piece');
  let pieces: Piece[] = [];
  let held: Promise<unknown> | undefined;
  let commits = 0;

  function doAlone(piece: Piece): Settle {
    savepoint.run();
    try {
      const settle = doPiece(piece);
      release.run();
      return settle;
    } catch (error) {
      // A full disk, for example, has ended the whole transaction.
      if (!database.isTransaction) throw error;
      rollBack.run();
      release.run();
      onRollBack();
      return () => piece.reject(error);
    }
  }

  function transact(work: () => Settle[]): Settle[] {
    const settles = inTransaction(database, work);
    commits += 1;
    return settles;
  }

  /** @returns what settles the promises of the group, now that its transaction has succeeded or failed */
  function commit(group: readonly Piece[]): Settle[] {
    let hasPieceFailed = false;
    try {
      assertUsable();
      return transact(() => {
        try {
          return group.map(doPiece);
        } catch (error) {
          hasPieceFailed = true;
          throw error;
        }
      });
    } catch (error) {
      onRollBack();
      return hasPieceFailed && group.length > 1 ? commitPieceByPiece(group) : rejectAll(group, error);
    }
  }

  /** Savepoints cost two statements for each piece, so they are used only where a piece is known to fail. */
  function commitPieceByPiece(group: readonly Piece[]): Settle[] {
    try {
      return transact(() => group.map(doAlone));
    } catch (error) {
      onRollBack();
      return rejectAll(group, error);
    }
  }

  function flush(): void {
    const group = pieces;
    pieces = [];
    if (group.length === 0) return;
    for (const settle of commit(group)) settle();
  }

  function flushUnlessHeld(): void {
    if (held === undefined) flush();
  }

  return {
    /** How many transactions have succeeded. */
    commits: () => commits,
    /** Writes what waits, at once. */
    flush,
    /** Does all of `work` or nothing of it; once more where another piece of the transaction fails. Resolves when it is on the disk. */
    write: <Answer>(work: () => Answer) =>
      new Promise<Answer>((resolve, reject) => {
        pieces.push({ work, resolve, reject });
        if (pieces.length === 1) setImmediate(flushUnlessHeld);
      }),
    /** Has all writes wait until `work` has ended. */
    async hold<Answer>(work: () => Promise<Answer>): Promise<Answer> {
      flush();
      const working = work();
      held = working.catch(() => {});
      try {
        return await working;
      } finally {
        held = undefined;
        flush();
      }
    },
  };
}

function doPiece({ work, resolve }: Piece): Settle {
  const answer = work() as never;
  return () => resolve(answer);
}

function rejectAll(group: readonly Piece[], error: unknown): Settle[] {
  return group.map(
    ({ reject }) =>
      () =>
        reject(error),
  );
}

/** Does all of `work` or nothing of it. When it returns, the changes are on the disk. */
export function inTransaction<Answer>(database: DatabaseSync, work: () => Answer): Answer {
  database.exec('BEGIN IMMEDIATE');
  try {
    const answer = work();
    database.exec('COMMIT');
    return answer;
  } catch (error) {
    // A full disk, for example, has ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
