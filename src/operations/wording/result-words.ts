import { knownResult, roundedPercentage, type Result } from '../../domain/result.ts';
import { amount, say, writtenNumber, shortName } from '../../domain/said.ts';
import { gradedIn, passRateOf, type OutcomeCounts, type SubmissionOutcome } from '../../domain/submission-outcome.ts';
import type { Fact } from '../page.ts';

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
export const outcomeSentences: Readonly<Record<SubmissionOutcome, (person: string, quiz: string) => string>> = {
  passed: (person, quiz) => say`${person} passed ${quiz}`,
  failed: (person, quiz) => say`${person} failed ${quiz}`,
  'not graded': (person, quiz) => say`${person} submitted ${quiz}`,
  unmarked: (person, quiz) => say`${person} submitted ${quiz}`,
};

/** Such as `✅ *Rosa Almeida* passed *Fire safety*`. */
export function outcomeHeading(outcome: SubmissionOutcome, person: string, quiz: string): string {
  return say`${outcomeIcons[outcome]} ${outcomeSentences[outcome](say`*${person}*`, say`*${quiz}*`)}`;
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

const gradeLimit = 50;

/** A result in words. What the service does not say is missing. */
interface ResultWords {
  /** Such as `9 of 10`. */
  points?: string;
  percentage?: string;
  grade?: string;
  attempt?: string;
  duration?: string;
}

export function resultWords(result: Result, longestGrade = gradeLimit): ResultWords {
  const { points, availablePoints, percentage, grade, attempt, durationSeconds } = knownResult(result);
  const shownGrade = shortName(grade, longestGrade);
  return {
    ...(points !== null && {
      points: availablePoints === null ? writtenNumber(String(points)) : say`${points} of ${availablePoints}`,
    }),
    ...(percentage !== null && { percentage: percent(percentage) }),
    ...(shownGrade !== '' && { grade: shownGrade }),
    ...(attempt !== null && { attempt: writtenNumber(String(attempt)) }),
    ...(durationSeconds !== null && { duration: duration(durationSeconds) }),
  };
}

/** How a submitted attempt went. */
export function resultFacts(result: Result): Fact[] {
  const words = resultWords(result);
  const facts: [string, string | undefined][] = [
    [say`Score`, words.points && say`${words.points} points`],
    [say`Percentage`, words.percentage],
    [say`Grade`, words.grade],
    [say`Result`, `${outcomeIcons[result.outcome]} ${outcomeLabels[result.outcome]}`],
    [say`Attempt`, words.attempt],
    [say`Time taken`, words.duration],
  ];
  return facts.flatMap(([label, fact]): Fact[] => (fact ? [[label, fact]] : []));
}

/** Created once: creating a format takes a hundred times as long as using it. */
const format = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Such as `71.4%`. */
export function percent(value: number): string {
  return writtenNumber(`${format.format(roundedPercentage(value))}%`);
}

/** With at most one decimal. */
export function rounded(value: number): string {
  return writtenNumber(format.format(roundedPercentage(value)));
}

const placeFormat = new Intl.NumberFormat('en');
const ordinalRules = new Intl.PluralRules('en', { type: 'ordinal' });
const ordinalEndings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** Such as `2nd`. */
export function ordinal(place: number): string {
  return writtenNumber(`${placeFormat.format(place)}${ordinalEndings[ordinalRules.select(place)] ?? 'th'}`);
}

/** `3725` seconds as "1 h 2 min", `65` as "1 min 5 s". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, left] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const parts = [
    ...(hours > 0 ? [say`${hours} h`] : []),
    ...(minutes > 0 ? [say`${minutes} min`] : []),
    ...(left > 0 && hours === 0 ? [say`${left} s`] : []),
  ];
  return parts.length === 0 ? say`${0} s` : parts.join(' ');
}

const barLength = 20;

/** A bar of text. @param share from 0 to 1. Only the whole fills the bar, and any part of it shows. */
export function progressBar(share: number): string {
  const filled = share > 0 ? Math.max(1, Math.floor(share * barLength)) : 0;
  return say`\`${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}\``;
}
