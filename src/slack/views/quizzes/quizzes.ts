import { nameOrId } from '../../../domain/name-or-id.ts';
import { listQuizzes } from '../../../features/quizzes/list-quizzes.ts';
import { formatQuizFilter, type QuizFilter } from '../../../features/quizzes/quiz-filter.ts';
import { listedAtMost, type OperationResult, type QuizUse } from '../../../operations/operation-result.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import { resultOf } from '../../../features/results/result-of.ts';
import type { Quiz } from '../../../quiz-api/quizzes.ts';
import type { QuizResult } from '../../../quiz-api/users.ts';
import { dateOf } from '../../../quiz-api/fields.ts';
import { countOf } from '../../../domain/said.ts';
import { linkButton } from '../blocks/buttons.ts';
import { factSection, resultWords, type Fact } from '../blocks/facts.ts';
import {
  actionButtons,
  actionList,
  buttonRow,
  filterRow,
  type ListFacts,
  type ListItem,
} from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { day } from '../blocks/moments.ts';
import { clipMrkdwn, context, joinMrkdwn, md, section, shortName, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { outcomeIcons, outcomeLabels } from '../blocks/outcome-words.ts';

const statusWords = {
  open: { icon: '🟢', word: 'Open' },
  in_design: { icon: '🛠️', word: 'In design' },
  closed: { icon: '🔒', word: 'Closed' },
} as const;

/** A status the specification does not name is shown as the service writes it. */
export function statusOf({ status }: Quiz): { icon: string; word: string } {
  return (
    Object.entries(statusWords).find(([known]) => known === status)?.[1] ?? {
      icon: '⚪',
      word: shortName(status.replaceAll('_', ' ')) || 'Unknown',
    }
  );
}

const longestNameInList = 60;

/** A list of quizzes grouped by status, with what the reader may do with each. */
export function quizListMessage(
  quizzes: readonly Quiz[],
  filter: QuizFilter,
  offered: ReadonlySet<string>,
  timeZone: string,
  { age = [] }: ListFacts = {},
): Message {
  const typed = formatQuizFilter(filter);
  const below = [...age, ...filterRow(listQuizzes, typed, quizzes.length)];
  if (quizzes.length === 0) {
    const nothing =
      typed === ''
        ? md`There are no quizzes for you yet.`
        : md`No quiz fits “${shortName(typed)}”. \`/quiz list\` shows all of them.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing), ...below] };
  }
  const byStatus = Map.groupBy(quizzes, (quiz) => statusOf(quiz).word.toLowerCase());
  const known = Object.values(statusWords).map(({ word }) => word.toLowerCase());
  const groups = [...new Set([...known, ...byStatus.keys()])].flatMap((word) => {
    const own = byStatus.get(word);
    return own ? [{ word, quizzes: own }] : [];
  });
  const summary = groups.map((group) => `${group.quizzes.length} ${group.word}`).join(', ');
  const stepsFor = stepsBeside('quiz', 'list');
  const items = groups
    .flatMap((group) => group.quizzes)
    .slice(0, listedAtMost)
    .map((quiz): ListItem => ({ line: quizLine(quiz, timeZone), actions: stepsFor(quiz) }));
  return actionList(md`*${countOf(quizzes.length, 'quiz', 'quizzes')}*: ${shortName(summary)}`, items, {
    offered,
    narrow: md`/quiz list`,
    count: quizzes.length,
    below,
  });
}

/** One quiz: its status, who has it and who took it, and what the reader may do with it. */
export function quizMessage(
  { quiz, groups, takeLink, use }: Extract<OperationResult, { kind: 'quiz' }>,
  offered: ReadonlySet<string>,
  timeZone: string,
): Message {
  const { icon, word } = statusOf(quiz);
  const names = joinMrkdwn(
    groups.map((group) => md`${shortName(group.group_name, 60)}`),
    ', ',
  );
  const facts: Fact[] = [
    ['Groups', groups.length === 0 ? 'None' : clipMrkdwn(names, 400)],
    ...(use ? useFacts(use) : []),
  ];
  return {
    text: md`${shortName(quiz.name)}: ${word.toLowerCase()}`.mrkdwn,
    blocks: [
      section(md`${icon} *${shortName(quiz.name)}*\n${word}${createdWords(quiz, timeZone)}`),
      factSection(facts),
      context(md`ID ${quiz.quiz_id}`),
      ...buttonRow([
        ...linkButton('take', 'Take quiz', takeLink ?? null),
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
      ? `: ${direct.toLocaleString('en')} directly, ${throughGroups.toLocaleString('en')} through groups`
      : throughGroups > 0
        ? ', through groups'
        : '';
  const attempts = taken.attempts > taken.people ? `, ${countOf(taken.attempts, 'attempt', 'attempts')}` : '';
  return [
    ['Assigned to', total === 0 ? 'Nobody' : `${countOf(total, 'person', 'people')}${ways}`],
    ['Submitted by', taken.people === 0 ? 'Nobody yet' : `${countOf(taken.people, 'person', 'people')}${attempts}`],
    ...(questions === undefined ? [] : [['Questions', `${questions}, in the latest attempt`] satisfies Fact]),
  ];
}

function quizLine(quiz: Quiz, timeZone: string): Mrkdwn {
  const { icon, word } = statusOf(quiz);
  return md`${icon} *${shortName(quiz.name, longestNameInList)}* · ${word.toLowerCase()}${createdWords(quiz, timeZone)}`;
}

function createdWords({ date_created }: Quiz, timeZone: string): Mrkdwn {
  return date_created ? md` · created ${day(date_created, timeZone)}` : md``;
}

const stateWords: Readonly<Record<string, string>> = {
  not_started: 'not taken yet',
  not_submitted: 'started, not submitted',
};

/** An assigned quiz and its result in one line. */
export function quizResultLine(quiz: QuizResult, timeZone: string): Mrkdwn {
  const name = shortName(nameOrId('quiz', quiz.name, quiz.quiz_id), 60);
  const result = resultOf(quiz);
  if (result === undefined) {
    const state = stateWords[quiz.status ?? 'not_started'] ?? 'not submitted';
    return md`⏳ *${name}* · ${state}${quiz.date_assigned ? md` · assigned ${day(dateOf(quiz.date_assigned), timeZone)}` : md``}`;
  }
  const { percentage, grade } = resultWords(result, 30);
  const words = [
    `${outcomeIcons[result.outcome]} ${outcomeLabels[result.outcome].toLowerCase()}`,
    ...(percentage ? [percentage] : []),
    ...(grade ? [`grade ${grade}`] : []),
  ];
  const when = quiz.date_submitted ? md` · ${day(dateOf(quiz.date_submitted), timeZone)}` : md``;
  return md`*${name}* · ${words.join(' · ')}${when}`;
}
