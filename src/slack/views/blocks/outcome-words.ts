import {
  gradedIn,
  passRateOf,
  type SubmissionOutcome,
  type OutcomeCounts,
} from '../../../domain/submission-outcome.ts';
import { say } from '../../../domain/said.ts';
import { percent } from './amounts.ts';
import { md, type Mrkdwn } from './mrkdwn.ts';

export const outcomeIcons = {
  passed: '✅',
  failed: '❌',
  'not graded': '📋',
  unmarked: '🖊️',
} as const satisfies Record<SubmissionOutcome, string>;
export const outcomeLabels = {
  passed: 'Passed',
  failed: 'Failed',
  'not graded': 'Not graded',
  unmarked: 'Waiting to be marked',
} as const satisfies Record<SubmissionOutcome, string>;

/** The same within a line. */
export const outcomeStates = {
  passed: say`passed`,
  failed: say`failed`,
  'not graded': say`not graded`,
  unmarked: say`waiting to be marked`,
} as const satisfies Record<SubmissionOutcome, string>;

export const outcomeVerbs = {
  passed: 'passed',
  failed: 'failed',
  'not graded': 'submitted',
  unmarked: 'submitted',
} as const satisfies Record<SubmissionOutcome, string>;

/** Such as `✅ *Rosa Almeida* passed *Fire safety*`. The names are not escaped yet. */
export function outcomeHeading(outcome: SubmissionOutcome, person: string, quiz: string): Mrkdwn {
  return md`${outcomeIcons[outcome]} *${person}* ${outcomeVerbs[outcome]} *${quiz}*`;
}

/**
 * Such as `12 passed (60%)`, or `8 passed (80% of 10 graded), 2 waiting to be marked`. Says nothing of passing where
 * nothing is graded. Empty for no submissions.
 */
export function passedWords(counts: OutcomeCounts): string {
  const { submitted, passed, unmarked } = counts;
  const graded = gradedIn(counts);
  const rate = passRateOf(counts);
  const ungraded = ungradedWords(submitted - graded - unmarked, unmarked, rate === undefined);
  if (rate === undefined) return ungraded;
  const share = graded === submitted ? percent(rate) : `${percent(rate)} of ${graded.toLocaleString('en')} graded`;
  return [`${passed.toLocaleString('en')} passed (${share})`, ...(ungraded === '' ? [] : [ungraded])].join(', ');
}

/** @param isAll where all submissions are of one kind, their number is known already */
function ungradedWords(notGraded: number, unmarked: number, isAll: boolean): string {
  if (isAll && notGraded === 0 && unmarked > 0) return 'waiting to be marked';
  if (isAll && unmarked === 0 && notGraded > 0) return 'not graded';
  return [
    ...(notGraded > 0 ? [`${notGraded.toLocaleString('en')} not graded`] : []),
    ...(unmarked > 0 ? [`${unmarked.toLocaleString('en')} waiting to be marked`] : []),
  ].join(', ');
}
