import type { SectionBlock } from '@slack/types';
import { showResults } from '../../operations/results.ts';
import { operationButton } from './buttons.ts';
import { clip, section, type Mrkdwn } from './mrkdwn.ts';
import { shownQuizName } from './shown-name.ts';

const longestLabel = 75;

/** What is said of a quiz, with a button beside it that shows its results to whoever presses it. */
export function quizHeading({ quizId, quizName }: { quizId: string; quizName: string }, text: Mrkdwn): SectionBlock {
  const [button] = operationButton('results', { text: 'Results', doing: 'beside', operation: showResults, raw: { quiz: [quizId] } });
  const accessibility_label = clip(`Results of ${shownQuizName(quizName)}`, longestLabel);
  return { ...section(text), ...(button && { accessory: { ...button, accessibility_label } }) };
}
