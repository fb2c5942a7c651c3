import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import type { SectionBlock } from '@slack/types';
import { showResults } from '../../../features/results/show-results.ts';
import { operationButton } from '../blocks/buttons.ts';
import { section } from '../blocks/mrkdwn.ts';
import { amount, say, joinSaid } from '../../../domain/said.ts';

const quizzesInNotification = 5;

/** The first quizzes with their counts, for a notification: `Fire safety (12), Forklift (3), and 4 more`. */
export function firstQuizzes(quizzes: readonly { quizName: string; submitted: number }[]): string {
  const first = quizzes
    .slice(0, quizzesInNotification)
    .map(({ quizName, submitted }) => say`${shownQuizName(quizName)} (${amount(submitted)})`);
  const left = quizzes.length - first.length;
  return left > 0 ? say`${joinSaid(first, ', ')}, and ${left} more` : joinSaid(first, ', ');
}

/** A text about a quiz with a **Results** button. The button shows the results to the person who presses it, if they may see them. */
export function quizHeading({ quizId, quizName }: { quizId: string; quizName: string }, text: string): SectionBlock {
  const [button] = operationButton('results', {
    text: say`Results`,
    doing: 'beside',
    operation: showResults,
    raw: { quiz: [quizId] },
  });
  const accessibility_label = say`Results of ${shownQuizName(quizName)}`;
  return { ...section(text), ...(button && { accessory: { ...button, accessibility_label } }) };
}
