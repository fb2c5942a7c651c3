import type { SectionBlock } from '@slack/types';
import { say, writtenNumber } from '../../../domain/said.ts';
import { knownResult, type Result } from '../../../domain/result.ts';
import { percent } from './amounts.ts';
import { duration } from './moments.ts';
import { mrkdwnElement, shortName } from './mrkdwn.ts';
import { outcomeIcons, outcomeLabels } from './outcome-words.ts';

/** A label and the text below it. */
export type Fact = readonly [label: string, fact: string];

/** Facts side by side; a section takes ten. */
export function factSection(facts: readonly Fact[]): SectionBlock {
  return {
    type: 'section',
    fields: facts.slice(0, 10).map(([label, fact]) => mrkdwnElement(say`*${label}*\n${fact}`)),
  };
}

const gradeLimit = 50;

/** A result in words. What the service does not say is missing. */
export interface ResultWords {
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
