import type { SectionBlock } from '@slack/types';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { Submission } from '../../domain/queue-entry.ts';
import { duration } from './moments.ts';
import { md, mrkdwnElement, shortName, type Mrkdwn } from './mrkdwn.ts';

/** A label and the text below it. */
export type Fact = readonly [label: string, fact: string | Mrkdwn];

/** Facts side by side; a section takes ten. */
export function factSection(facts: readonly Fact[]): SectionBlock {
  return { type: 'section', fields: facts.slice(0, 10).map(([label, fact]) => mrkdwnElement(md`*${label}*\n${fact}`)) };
}

/** How a submitted attempt went. */
export type AttemptResult = Pick<Submission, 'points' | 'availablePoints' | 'percentage' | 'grade' | 'outcome' | 'attempt' | 'durationSeconds'>;

export function attemptResult(response: QuizResponse): AttemptResult {
  const { points, available_points, percentage_score, grade, outcome, attempt, duration: durationSeconds } = response;
  return { points, availablePoints: available_points, percentage: percentage_score, grade, outcome: outcome ?? 'not graded', attempt, durationSeconds };
}

export function resultFacts(result: AttemptResult): Fact[] {
  return [
    ['Score', `${result.points} of ${result.availablePoints} points`],
    ['Percentage', `${result.percentage} %`],
    ['Grade', gradeOf(result)],
    ['Result', result.outcome === 'passed' ? '✅ Passed' : '❌ Not passed'],
    ['Attempt', String(result.attempt)],
    ['Time taken', duration(result.durationSeconds ?? 0)],
  ];
}

export function gradeOf({ grade }: { grade: string }): string {
  return shortName(grade, 50) || 'none';
}
