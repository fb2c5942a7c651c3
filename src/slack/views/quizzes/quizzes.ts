import { day } from '../../../time/date-words.ts';
import { nameOrId } from '../../../domain/name-or-id.ts';
import { listQuizzes } from '../../../features/quizzes/list-quizzes.ts';
import { formatQuizFilter, type QuizFilter } from '../../../features/quizzes/quiz-filter.ts';
import { listedAtMost, type OperationResult, type QuizUse } from '../../../operations/operation-result.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import { resultOf } from '../../../features/results/result-of.ts';
import type { Quiz } from '../../../quiz-api/quizzes.ts';
import type { QuizResult } from '../../../quiz-api/users.ts';
import { dateOf } from '../../../quiz-api/fields.ts';
import { amount, countOf, say, joinSaid } from '../../../domain/said.ts';
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
import { context, section, shortName } from '../blocks/mrkdwn.ts';
import { outcomeIcons, outcomeStates } from '../blocks/outcome-words.ts';

/** In words of its own, and within a line. */
interface StatusWords {
  icon: string;
  word: string;
  inLine: string;
  counted: (quizzes: number) => string;
}

const statusWords: Readonly<Record<string, StatusWords>> = {
  // A button says “Open”.
  open: { icon: '🟢', word: say`Open now`, inLine: say`open`, counted: (quizzes) => say`${quizzes} open` },
  in_design: {
    icon: '🛠️',
    word: say`In design`,
    inLine: say`in design`,
    counted: (quizzes) => say`${quizzes} in design`,
  },
  closed: { icon: '🔒', word: say`Closed`, inLine: say`closed`, counted: (quizzes) => say`${quizzes} closed` },
};
const unknownStatus: StatusWords = {
  icon: '⚪',
  word: say`Unknown`,
  inLine: say`unknown`,
  counted: (quizzes) => say`${quizzes} unknown`,
};

/** A status the specification does not name is shown as the service writes it. */
export function statusOf({ status }: Quiz): StatusWords {
  if (Object.hasOwn(statusWords, status)) return statusWords[status]!;
  const word = shortName(status.replaceAll('_', ' '));
  if (word === '') return unknownStatus;
  const inLine = word.toLowerCase();
  return { ...unknownStatus, word, inLine, counted: (quizzes) => `${quizzes} ${inLine}` };
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
        ? say`There are no quizzes for you yet.`
        : say`No quiz fits “${shortName(typed)}”. \`/quiz list\` shows all of them.`;
    return { text: nothing, blocks: [section(nothing), ...below] };
  }
  const byStatus = Map.groupBy(quizzes, (quiz) => statusOf(quiz).inLine);
  const known = Object.values(statusWords).map(({ inLine }) => inLine);
  const groups = [...new Set([...known, ...byStatus.keys()])].flatMap((inLine) => {
    const own = byStatus.get(inLine);
    return own?.[0] ? [{ status: statusOf(own[0]), quizzes: own }] : [];
  });
  const summary = groups.map(({ status, quizzes: { length } }) => status.counted(length)).join(', ');
  const stepsFor = stepsBeside('quiz', 'list');
  const items = groups
    .flatMap((group) => group.quizzes)
    .slice(0, listedAtMost)
    .map((quiz): ListItem => ({ line: quizLine(quiz, timeZone), actions: stepsFor(quiz) }));
  return actionList(say`*${countOf(quizzes.length, 'quiz', 'quizzes')}*: ${shortName(summary)}`, items, {
    offered,
    narrow: say`/quiz list`,
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

function quizLine(quiz: Quiz, timeZone: string): string {
  const { icon, inLine } = statusOf(quiz);
  return say`${icon} *${shortName(quiz.name, longestNameInList)}* · ${inLine}${createdWords(quiz, timeZone)}`;
}

function createdWords({ date_created }: Quiz, timeZone: string): string {
  return date_created ? say` · ${say`created ${day(date_created, timeZone)}`}` : say``;
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
  const when = quiz.date_submitted ? say` · ${day(dateOf(quiz.date_submitted), timeZone)}` : say``;
  return say`*${name}* · ${words.join(' · ')}${when}`;
}
