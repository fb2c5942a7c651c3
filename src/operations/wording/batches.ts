import type { BatchProgress, BatchRow } from '../../domain/batch.ts';
import type { Plan } from '../../domain/plan.ts';
import { named, namedList } from '../../domain/sentence.ts';

interface RunInput {
  plan: Plan;
}

interface BatchInput {
  batch: Pick<BatchProgress, 'batch'>;
}

const actionOf = ({ plan: { content } }: RunInput): string => ('action' in content ? content.action : 'start the changes');

/** What requests about many changes ask for, as `actions`. */
export const batchActions = {
  'run-batch': actionOf,
  'pause-batch': ({ batch: { batch } }: BatchInput) => `pause the change to ${batch.action}`,
  'resume-batch': ({ batch: { batch } }: BatchInput) => `resume the change to ${batch.action}`,
  'cancel-batch': ({ batch: { batch } }: BatchInput) => `cancel the change to ${batch.action}`,
};

/** What would happen, as `proposals`. */
export const batchProposals = {
  'run-batch': ({ plan: { content } }: RunInput) => {
    if (content.kind !== 'batch') return 'Its changes would be made one after the other.';
    const count = content.rows.filter(({ kind }) => kind !== 'none').length;
    const staff = content.privileged ?? content.rows.filter(makesStaff).map(({ name }) => name);
    const among = staff.length === 0 ? '' : ` Trainers and administrators among them: ${namedList(staff, 30)}.`;
    return `${count === 1 ? 'Its change would be made' : `Its ${count.toLocaleString('en')} changes would be made one after the other`}.${among}`;
  },
  'pause-batch': () => 'No more of its changes would be made until someone resumes it.',
  'resume-batch': () => 'The changes that are left would be made.',
  'cancel-batch': () => 'The changes that are left would never be made.',
};

/** What was done, as `outcomes`. */
export const batchOutcomes = {
  'run-batch': ({ plan }: RunInput) => startedBatch(actionOf({ plan })),
  'pause-batch': ({ batch: { batch } }: BatchInput) => `Paused the change to ${batch.action}.`,
  'resume-batch': ({ batch: { batch } }: BatchInput) => `Resumed the change to ${batch.action}.`,
  'cancel-batch': ({ batch: { batch } }: BatchInput) => `Cancelled the change to ${batch.action}. What is done stays done.`,
};

export function startedBatch(action: string): string {
  return `Started to ${action}. A direct message from the bot shows the progress.`;
}

/** What else people read about many changes. Sentences of `domain/sentence.ts`. */
export const batchWords = {
  startedBefore: 'This was started already, or its preview is too old. Make a new one.',
  otherPlan: 'This isn’t the preview of many changes.',
  noRights: 'You lack a right that these changes need. An administrator of the quiz account can give it to you.',
  suspendGroup: (count: number, group: string) => `suspend ${people(count)} of the group ${named(group)}`,
  reinstateGroup: (count: number, group: string) => `reinstate ${people(count)} of the group ${named(group)}`,
  emptyGroup: (count: number, group: string) => `remove ${people(count)} from the group ${named(group)}`,
  ownSuspension: 'You can’t suspend yourself.',
  notManaged: 'You don’t manage them.',
  undo: (action: string) => `undo the change to ${action}`,
  over: (action: string) => `The change to ${action} was over already. Nothing changed.`,
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
