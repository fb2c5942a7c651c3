import type { BatchProgress, BatchRow } from '../../domain/batch.ts';
import type { Plan } from '../../domain/plan.ts';
import { named, namedList, phraseList } from '../../domain/sentence.ts';
import { needsApproval } from '../import/needs-approval.ts';
import { aType, rightsInWords } from './words.ts';

interface RunInput {
  plan: Plan;
}

interface BatchInput {
  batch: Pick<BatchProgress, 'batch'>;
}

const actionOf = ({ plan: { content } }: RunInput): string =>
  'action' in content ? content.action : 'start the changes';

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
    if (content.kind !== 'batch') return 'The bot would make its changes, one after the other.';
    const count = content.rows.filter(({ kind }) => kind !== 'none').length;
    const about = [
      ...amongThem(content.rows.filter(needsApproval).length, rightsGiven),
      ...amongThem(content.rows.some(needsApproval) ? 0 : (content.privileged?.length ?? 0), ofStaff),
    ];
    return `The bot would make ${count === 1 ? 'one change' : `${count.toLocaleString('en')} changes, one after the other`}.${about.map((sentence) => ` ${sentence}`).join('')}`;
  },
  'pause-batch': () => 'It would make no more changes until someone resumes it.',
  'resume-batch': () => 'The bot would make the changes that are left.',
  'cancel-batch': () => 'The bot would never make the changes that are left.',
};

const rightsGiven = (count: string, isOne: boolean) =>
  `${count} of them ${isOne ? 'gives someone rights or changes' : 'give someone rights or change'} an existing user.`;
const ofStaff = (count: string, isOne: boolean) =>
  `${count} of the people ${isOne ? 'is a trainer or administrator' : 'are trainers or administrators'}.`;

function amongThem(count: number, sentence: (count: string, isOne: boolean) => string): string[] {
  return count === 0 ? [] : [sentence(count.toLocaleString('en'), count === 1)];
}

/** What was done, as `outcomes`. */
export const batchOutcomes = {
  'run-batch': ({ plan }: RunInput) => startedBatch(actionOf({ plan })),
  'pause-batch': ({ batch: { batch } }: BatchInput) => `Paused the change to ${batch.action}.`,
  'resume-batch': ({ batch: { batch } }: BatchInput) => `Resumed the change to ${batch.action}.`,
  'cancel-batch': ({ batch: { batch } }: BatchInput) =>
    `Cancelled the change to ${batch.action}. What is done stays done.`,
};

export function startedBatch(action: string): string {
  return `Started to ${action}. A direct message from the bot shows the progress.`;
}

/** What else people read about many changes. Sentences of `domain/sentence.ts`. */
export const batchWords = {
  startedBefore: 'This was started already. Your direct messages with the bot show how far it is.',
  otherPlan: 'This isn’t the preview of many changes.',
  noRights:
    'You don’t have all the rights that these changes need. An administrator of the quiz account can give them to you.',
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
  switch (row.kind) {
    case 'create': {
      const { userType, flags, groups, quizzes } = row.user;
      const rights = flags.length > 0 ? ` who can ${rightsInWords(flags)}` : '';
      return [`new ${userType}${rights}`, ...joinedThings(groups, quizzes)].join(', ');
    }
    case 'update': {
      const { userType, flags, groups, quizzes } = row.user;
      const has = (field: (typeof row.changes)[number]) => row.changes.includes(field);
      const fields = (['firstName', 'lastName', 'userName', 'emailAddress'] as const)
        .filter(has)
        .map((field) => fieldWords[field]);
      return [
        ...(fields.length > 0 ? [`changes ${phraseList(fields)}`] : []),
        ...(has('userType') ? [`becomes ${aType(userType)}`] : []),
        ...(has('flags') ? [`can ${rightsInWords(flags)}`] : []),
        ...joinedThings(groups, quizzes),
      ].join(', ');
    }
    case 'suspend':
      return 'suspended';
    case 'reinstate':
      return 'reinstated';
    case 'assign':
      return 'gets the quiz';
    case 'unassign':
      return 'loses the quiz';
    case 'join-group':
      return 'joins the group';
    case 'leave-group':
      return 'leaves the group';
    case 'none':
      return row.outcome.kind === 'same'
        ? 'stays as they are'
        : `left out${row.outcome.error === undefined ? '' : `: ${row.outcome.error}`}`;
  }
}

function joinedThings(groups: readonly { name: string }[], quizzes: readonly { name: string }[]): string[] {
  return [
    ...(groups.length > 0
      ? [
          `joins ${namedList(
            groups.map(({ name }) => name),
            5,
          )}`,
        ]
      : []),
    ...(quizzes.length > 0
      ? [
          `gets ${namedList(
            quizzes.map(({ name }) => name),
            5,
          )}`,
        ]
      : []),
  ];
}

/** What an update changes, as people call it. */
export const fieldWords = {
  firstName: 'the first name',
  lastName: 'the last name',
  userName: 'the user name',
  emailAddress: 'the e-mail address',
} as const;
