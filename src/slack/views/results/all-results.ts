import { shortName } from '../../../domain/short-name.ts';
import type { KnownBlock } from '@slack/types';
import { allResults } from '../../../features/results/all-results.ts';
import { formatFilter } from '../../../features/results/filter.ts';
import { showResults } from '../../../features/results/show-results.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { amount, countOf, say } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import { fitsSlack, mostThat, type Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';
import { attemptLine } from './attempts-table.ts';

type AllResults = Extract<OperationResult, { kind: 'all-results' }>;

/** The attempts at all quizzes that fit a filter, quiz by quiz: as many lines as a message takes. */
export function allResultsMessage(results: AllResults, timeZone: string): Message {
  const { found, only } = results;
  const attempts = found.reduce((sum, { count }) => sum + count, 0);
  const which = only === '' ? '' : say`, only ${only}`;
  const heading =
    attempts === 0
      ? say`📊 *Results of all quizzes*${which}: no attempt fits.`
      : say`📊 *Results of all quizzes*${which}: ${countOf(attempts, 'attempt', 'attempts')} at ${countOf(found.length, 'quiz', 'quizzes')}`;
  const linesWith = (most: number): string[] =>
    found.flatMap(({ quiz, count, newest }) => {
      const lines = newest.slice(0, most).map((attempt) => attemptLine(attempt, timeZone));
      const left = count - lines.length;
      return [
        say`*${shortName(quiz.name)}* · ${amount(count)}`,
        ...lines,
        ...(left > 0 && lines.length > 0 ? [say`…and ${amount(left)} more`] : []),
      ];
    });
  const build = (most: number): Message => ({
    text: heading,
    blocks: [section(heading), ...sections(linesWith(most)), ...below(results)],
  });
  return build(mostThat(Math.max(0, ...found.map(({ newest }) => newest.length)), (most) => fitsSlack(build(most))));
}

function below(results: AllResults): KnownBlock[] {
  const { found, read, left, nextFrom } = results;
  const raw = inputOf(results);
  const [only, ...others] = found;
  const elements = [
    ...(only !== undefined && others.length === 0
      ? operationButton('results', {
          text: say`Results`,
          doing: 'beside',
          operation: showResults,
          raw: { ...raw, quiz: [only.quiz.quiz_id] },
        })
      : []),
    ...(left > 0
      ? operationButton('next', {
          text: say`Go on →`,
          doing: 'beside',
          operation: allResults,
          raw: { ...raw, from: [String(nextFrom)] },
        })
      : []),
  ];
  const looked =
    left > 0
      ? say`Looked at ${countOf(read, 'quiz', 'quizzes')}, the newest first. ${amount(left)} ${left === 1 ? 'is' : 'are'} left, which takes a moment more.`
      : say`Looked at ${countOf(read, 'quiz', 'quizzes')}.`;
  return [context(looked), ...buttonRow(elements)];
}

function inputOf({ filter, user, group }: AllResults): TextInput {
  const typed = formatFilter(filter);
  return {
    ...(typed && { filter: [typed] }),
    ...(user && { user: [user.user_id] }),
    ...(group && { group: [group.group_id] }),
  };
}
