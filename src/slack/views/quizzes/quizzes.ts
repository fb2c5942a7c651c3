import { shortName } from '../../../domain/short-name.ts';
import { type Fact } from '../../../operations/page.ts';
import { resultWords, outcomeIcons, outcomeStates } from '../../../operations/wording/result-words.ts';
import { day } from '../../../time/date-words.ts';
import { nameOrId } from '../../../domain/name-or-id.ts';
import { createdWords, statusOf } from '../../../features/quizzes/pages.ts';
import type { OperationResult, QuizUse } from '../../../operations/operation-result.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import { resultOf } from '../../../features/results/result-of.ts';
import type { QuizResult } from '../../../quiz-api/users.ts';
import { dateOf } from '../../../quiz-api/fields.ts';
import { amount, countOf, say, joinSaid } from '../../../domain/said.ts';
import { linkButton } from '../blocks/buttons.ts';
import { factSection } from '../blocks/facts.ts';
import { actionButtons, buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';

/** One quiz: its status, who has it and who took it, and what the reader may do with it. */
export function quizMessage(
  { quiz, groups, takeLink, use }: Extract<OperationResult, { kind: 'quiz' }>,
  offered: ReadonlySet<string>,
  timeZone: string,
): Message {
  const { icon, word, inLine } = statusOf(quiz);
  const names = joinSaid(
    groups.map((group) => say`${shortName(group.group_name, 60)}`),
    ', ',
  );
  const facts: Fact[] = [[say`Groups`, groups.length === 0 ? say`None` : names], ...(use ? useFacts(use) : [])];
  return {
    text: say`${shortName(quiz.name)}: ${inLine}`,
    blocks: [
      section(say`${icon} *${shortName(quiz.name)}*\n${word}${createdWords(quiz, timeZone)}`),
      factSection(facts),
      context(say`ID ${quiz.quiz_id}`),
      ...buttonRow([
        ...linkButton('take', say`Take quiz`, takeLink ?? null),
        ...actionButtons(quiz.name, stepsBeside('quiz', 'page')(quiz), offered),
      ]),
    ],
  };
}

function useFacts({ questions, people, taken }: QuizUse): Fact[] {
  const { direct, throughGroups } = people;
  const total = direct + throughGroups;
  const ways =
    direct > 0 && throughGroups > 0
      ? `: ${say`${amount(direct)} directly, ${amount(throughGroups)} through groups`}`
      : throughGroups > 0
        ? `, ${say`through groups`}`
        : '';
  const attempts = taken.attempts > taken.people ? `, ${countOf(taken.attempts, 'attempt', 'attempts')}` : '';
  return [
    [say`Assigned to`, total === 0 ? say`Nobody` : `${countOf(total, 'person', 'people')}${ways}`],
    [
      say`Submitted by`,
      taken.people === 0 ? say`Nobody yet` : `${countOf(taken.people, 'person', 'people')}${attempts}`,
    ],
    ...(questions === undefined ? [] : [[say`Questions`, say`${questions}, in the latest attempt`] satisfies Fact]),
  ];
}

const stateWords: Readonly<Record<string, string>> = {
  not_started: say`not taken yet`,
  not_submitted: say`started, not submitted`,
};

/** An assigned quiz and its result in one line. */
export function quizResultLine(quiz: QuizResult, timeZone: string): string {
  const name = shortName(nameOrId('quiz', quiz.name, quiz.quiz_id), 60);
  const result = resultOf(quiz);
  if (result === undefined) {
    const state = stateWords[quiz.status ?? 'not_started'] ?? say`not submitted`;
    const assigned = quiz.date_assigned ? [say`assigned ${day(dateOf(quiz.date_assigned), timeZone)}`] : [];
    return joinSaid([say`⏳ *${name}*`, say`${state}`, ...assigned], ' · ');
  }
  const { percentage, grade } = resultWords(result, 30);
  const words = [
    `${outcomeIcons[result.outcome]} ${outcomeStates[result.outcome]}`,
    ...(percentage ? [percentage] : []),
    ...(grade ? [say`grade ${grade}`] : []),
  ];
  const when = quiz.date_submitted ? say` · ${day(dateOf(quiz.date_submitted), timeZone)}` : '';
  return say`*${name}* · ${words.join(' · ')}${when}`;
}
