import {
  gradedIn,
  passRateOf,
  type SubmissionOutcome,
  type OutcomeCounts,
} from '../../../domain/submission-outcome.ts';
import { amount, say } from '../../../domain/said.ts';
import { percent } from './amounts.ts';

export const outcomeIcons = {
  passed: '✅',
  failed: '❌',
  'not graded': '📋',
  unmarked: '🖊️',
} as const satisfies Record<SubmissionOutcome, string>;
export const outcomeLabels = {
  passed: say`Passed`,
  failed: say`Failed`,
  'not graded': say`Not graded`,
  unmarked: say`Waiting to be marked`,
} as const satisfies Record<SubmissionOutcome, string>;

/** The same within a line. */
export const outcomeStates = {
  passed: say`passed`,
  failed: say`failed`,
  'not graded': say`not graded`,
  unmarked: say`waiting to be marked`,
} as const satisfies Record<SubmissionOutcome, string>;

/** What a person did with a quiz, such as `Rosa Almeida passed Fire safety`. */
const sentences: Readonly<Record<SubmissionOutcome, (person: string, quiz: string) => string>> = {
  passed: (person, quiz) => say`${person} passed ${quiz}`,
  failed: (person, quiz) => say`${person} failed ${quiz}`,
  'not graded': (person, quiz) => say`${person} submitted ${quiz}`,
  unmarked: (person, quiz) => say`${person} submitted ${quiz}`,
};

/** Such as `✅ *Rosa Almeida* passed *Fire safety*`. */
export function outcomeHeading(outcome: SubmissionOutcome, person: string, quiz: string): string {
  return say`${outcomeIcons[outcome]} ${sentences[outcome](say`*${person}*`, say`*${quiz}*`)}`;
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
  const share = graded === submitted ? percent(rate) : say`${percent(rate)} of ${amount(graded)} graded`;
  return [say`${amount(passed)} passed (${share})`, ...(ungraded === '' ? [] : [ungraded])].join(', ');
}

/** @param isAll where all submissions are of one kind, their number is known already */
function ungradedWords(notGraded: number, unmarked: number, isAll: boolean): string {
  if (isAll && notGraded === 0 && unmarked > 0) return outcomeStates.unmarked;
  if (isAll && unmarked === 0 && notGraded > 0) return outcomeStates['not graded'];
  return [
    ...(notGraded > 0 ? [say`${amount(notGraded)} not graded`] : []),
    ...(unmarked > 0 ? [say`${amount(unmarked)} waiting to be marked`] : []),
  ].join(', ');
}
