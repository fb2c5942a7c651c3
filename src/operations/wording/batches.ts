import type { BatchPlan, BatchRow } from '../../domain/batch.ts';
import { named, namedList } from '../../domain/sentence.ts';
import { capitalized } from './words.ts';

/** What people read about many changes that run in the background. Sentences of `domain/sentence.ts`. */
export const batchWords = {
  effect(plan: BatchPlan): string {
    const changes = plan.rows.filter(({ kind }) => kind !== 'none').length;
    const staff = plan.privileged ?? plan.rows.filter(makesStaff).map(({ name }) => name);
    const rest = staff.length === 0 ? '' : ` ${plan.operation === 'import-users' ? 'Trainers, administrators and people with rights among them' : 'Trainers and administrators among them'}: ${namedList(staff, 30)}.`;
    return `${changes === 1 ? '1 change' : `${changes.toLocaleString('en')} changes`} would be made, one after the other.${rest}`;
  },
  started: ({ action }: Pick<BatchPlan, 'action'>) => `Started: ${action}. A direct message from the bot shows the progress.`,
  startedBefore: 'This was started already, or its preview is too old. Make a new one.',
  otherPlan: 'This isn’t the preview of many changes.',
  noRights: 'You lack a right that these changes need. An administrator of the quiz account can give it to you.',
  suspendGroup: (count: number, group: string) => `suspend ${people(count)} of the group ${named(group)}`,
  reinstateGroup: (count: number, group: string) => `reinstate ${people(count)} of the group ${named(group)}`,
  emptyGroup: (count: number, group: string) => `remove ${people(count)} from the group ${named(group)}`,
  ownSuspension: 'You can’t suspend yourself.',
  notManaged: 'You don’t manage this user.',
  undo: (action: string) => `undo: ${action}`,
  paused: (action: string) => `Paused: ${action}.`,
  resumed: (action: string) => `Resumed: ${action}.`,
  cancelled: (action: string) => `Cancelled: ${action}. What is done stays done.`,
  over: (action: string) => `${capitalized(action)}: this is over already.`,
  resultSent: 'The result is in your direct messages with the bot, as a CSV file.',
  noResult: 'The list of changes is too old, so there’s no result any more.',
  nothingToUndo: 'Nothing of this can be undone.',
};

export function people(count: number): string {
  return count === 1 ? '1 person' : `${count.toLocaleString('en')} people`;
}

/** Whether the row gives someone more than a respondent has. */
function makesStaff(row: BatchRow): boolean {
  if (row.kind !== 'create' && row.kind !== 'update') return false;
  const changes: readonly string[] = row.kind === 'update' ? row.changes : ['userType', 'flags'];
  return (changes.includes('userType') && row.user.userType !== 'respondent') || (changes.includes('flags') && row.user.flags.length > 0);
}
