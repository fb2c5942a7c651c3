import type { BatchRow } from '../../../domain/batch.ts';
import { named } from '../../../domain/sentence.ts';

/** What else people read about many changes. Sentences of `domain/sentence.ts`. */
export const batchWords = {
  needsApproval: 'This needs approval now, so it wasn’t done. Do it on its own to request approval.',
  changedUser: 'They have changed since this was approved, so it wasn’t done.',
  approverLost: 'The person who approved this can’t decide on it any more, so it wasn’t done.',
  unknownUser:
    'The user was created, but the quiz service didn’t say which one it is, so groups and quizzes are missing.',
  cutShort: 'Cancelled before everything in this row was done.',
  approvalExpired: 'The approval of these changes has expired. Resume them to request it again.',
  suspendGroup: (count: number, group: string) => `suspend ${people(count)} of the group ${named(group)}`,
  reinstateGroup: (count: number, group: string) => `reinstate ${people(count)} of the group ${named(group)}`,
  emptyGroup: (count: number, group: string) => `remove ${people(count)} from the group ${named(group)}`,
  fillGroup: (count: number, group: string) => `add ${people(count)} to the group ${named(group)}`,
  withoutUser: 'They have no user in the quiz account.',
  ownSuspension: 'You can’t suspend yourself.',
  notManaged: 'You don’t manage them.',
  undo: (action: string) => `undo the change to ${action}`,
  over: (action: string) => `The change to ${action} is over already. Nothing changed.`,
  resultSent: 'The result is in your direct messages with the bot, as a CSV file.',
  noResult: 'The list of changes is too old, so there’s no result any more.',
  resultHasAddresses:
    'This result has e-mail addresses. The person who started the import can get it, and administrators who manage users.',
  changedSince: (changes: readonly string[]) =>
    `Since this preview was made: ${changes.map((change) => plainEnd(change)).join('; ')}. Start anyway?`,
  nothingToUndo: 'There’s nothing here that the bot can undo.',
};

/** A sentence without its period. */
function plainEnd(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

export function people(count: number): string {
  return count === 1 ? '1 person' : `${count.toLocaleString('en')} people`;
}

/** What a row does to its person, in words that follow their name and a colon. Without addresses. */
export function rowChange(row: BatchRow): string {
  if (row.kind === 'change') return row.words;
  const { kind, error } = row.outcome;
  return kind === 'same' ? 'stays as they are' : `left out${error === undefined ? '' : `: ${error}`}`;
}
