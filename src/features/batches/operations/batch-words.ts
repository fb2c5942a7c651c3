import { countOf, say, amount, named } from '../../../domain/said.ts';
import type { BatchRow, BatchProgress } from '../../../domain/batch.ts';

/** What else people read about many changes. Sentences of `domain/said.ts`. */
export const batchWords = {
  needsApproval: say`This needs approval now, so it wasn’t done. Do it on its own to request approval.`,
  changedUser: say`They have changed since this was approved, so it wasn’t done.`,
  approverLost: say`The person who approved this can’t decide on it any more, so it wasn’t done.`,
  unknownUser: say`The user was created, but the quiz service didn’t say which one it is, so groups and quizzes are missing.`,
  cutShort: say`Cancelled before everything in this row was done.`,
  approvalExpired: say`The approval of these changes has expired. Resume them to request it again.`,
  suspendGroup: (count: number, group: string) => ({
    action: say`suspend ${people(count)} of the group ${named(group)}`,
    done: say`suspended ${people(count)} of the group ${named(group)}`,
  }),
  reinstateGroup: (count: number, group: string) => ({
    action: say`reinstate ${people(count)} of the group ${named(group)}`,
    done: say`reinstated ${people(count)} of the group ${named(group)}`,
  }),
  emptyGroup: (count: number, group: string) => ({
    action: say`remove ${people(count)} from the group ${named(group)}`,
    done: say`removed ${people(count)} from the group ${named(group)}`,
  }),
  fillGroup: (count: number, group: string) => ({
    action: say`add ${people(count)} to the group ${named(group)}`,
    done: say`added ${people(count)} to the group ${named(group)}`,
  }),
  withoutUser: say`They have no user in the quiz account.`,
  ownSuspension: say`You can’t suspend yourself.`,
  undo: (action: string) => ({
    action: say`undo the change to ${action}`,
    done: say`undid the change to ${action}`,
  }),
  over: (action: string) => say`The change to ${action} is over already. Nothing changed.`,
  resultSent: say`The result is in your direct messages with the bot, as an Excel file.`,
  noResult: say`The list of changes is too old, so there’s no result any more.`,
  resultHasAddresses: say`This result has e-mail addresses. The person who started the import can get it, and administrators who manage users.`,
  nothingToUndo: say`There’s nothing here that the bot can undo.`,
};

export function people(count: number): string {
  return countOf(count, 'person', 'people');
}

/** What a row does to its person, in words that follow their name and a colon. Without addresses. */
export function rowChange(row: BatchRow): string {
  if (row.kind === 'change') return row.words;
  const { kind, error } = row.outcome;
  if (kind === 'same') return say`stays as they are`;
  return error === undefined ? say`left out` : say`left out: ${error}`;
}

/**
 * How far many changes are, the same in the message about them and on the record: “10 of 11 created · 5 rows have errors”. They
 * add up to what the title of the message says.
 */
export function progressCounts({ batch: { state }, total, done, failed, skipped, imported }: BatchProgress): string[] {
  if (imported) {
    const { created, updated, errors } = imported;
    return [
      ...(created.total > 0 || updated.total === 0
        ? [say`${amount(created.done)} of ${amount(created.total)} created`]
        : []),
      ...(updated.total > 0 ? [say`${amount(updated.done)} of ${amount(updated.total)} updated`] : []),
      ...(errors > 0 ? [errors === 1 ? say`1 row has an error` : say`${amount(errors)} rows have errors`] : []),
    ];
  }
  const left = state === 'cancelled' ? 0 : total - done - failed - skipped;
  return [
    say`${amount(done)} of ${amount(total)} done`,
    ...(left > 0 ? [say`${amount(left)} left`] : []),
    ...(failed > 0 ? [say`${amount(failed)} failed`] : []),
    ...(skipped > 0 ? [say`${amount(skipped)} left out`] : []),
  ];
}
