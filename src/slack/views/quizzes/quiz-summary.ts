import type { SectionBlock } from '@slack/types';
import { showResults } from '../../../features/results/show-results.ts';
import { operationButton } from '../blocks/buttons.ts';
import { joinMrkdwn, md, section, spoken, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { shownQuizName } from '../blocks/shown-name.ts';
import { amount, say } from '../../../domain/said.ts';

const quizzesInNotification = 5;

/** The first quizzes with their counts, for a notification: `Fire safety (12), Forklift (3), and 4 more`. */
export function firstQuizzes(quizzes: readonly { quizName: string; submitted: number }[]): Mrkdwn {
  const first = quizzes
    .slice(0, quizzesInNotification)
    .map(({ quizName, submitted }) => md`${shownQuizName(quizName)} (${amount(submitted)})`);
  const left = quizzes.length - first.length;
  return left > 0 ? md`${joinMrkdwn(first, ', ')}, and ${left} more` : joinMrkdwn(first, ', ');
}

const longestLabel = 75;

/** A text about a quiz with a **Results** button. The button shows the results to the person who presses it, if they may see them. */
export function quizHeading({ quizId, quizName }: { quizId: string; quizName: string }, text: Mrkdwn): SectionBlock {
  const [button] = operationButton('results', {
    text: say`Results`,
    doing: 'beside',
    operation: showResults,
    raw: { quiz: [quizId] },
  });
  const accessibility_label = spoken(say`Results of ${shownQuizName(quizName)}`, longestLabel);
  return { ...section(text), ...(button && { accessory: { ...button, accessibility_label } }) };
}
