import type { SectionBlock } from '@slack/types';
import { respondentName } from '../../operations/results/respondent.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { duration } from './moments.ts';
import { md, mrkdwnElement, shortName, type Mrkdwn } from './mrkdwn.ts';

/** A label and what stands under it. */
export type Fact = readonly [label: string, fact: string | Mrkdwn];

/** Facts side by side; Slack takes ten. */
export function factSection(facts: readonly Fact[]): SectionBlock {
  return { type: 'section', fields: facts.slice(0, 10).map(([label, fact]) => mrkdwnElement(md`*${label}*\n${fact}`)) };
}

/** How a submitted attempt went. */
export function resultFacts(response: QuizResponse): Fact[] {
  return [
    ['Score', `${response.points} of ${response.available_points} points`],
    ['Percentage', `${response.percentage_score} %`],
    ['Grade', gradeOf(response)],
    ['Result', response.pass ? '✅ Passed' : '❌ Not passed'],
    ['Attempt', String(response.attempt)],
    ['Time taken', duration(response.duration)],
  ];
}

export function gradeOf({ grade }: QuizResponse): string {
  return shortName(grade, 50) || 'none';
}

/** The person’s name, on one line; never empty. */
export function personName(response: QuizResponse, most?: number): string {
  return shortName(respondentName(response), most) || '(no name)';
}
