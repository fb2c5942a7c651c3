import { nameOrId } from '../../domain/record-names.ts';
import { shortName, amount, countOf, joinSaid, say } from '../../domain/said.ts';
import { filterStep, listedAtMost, type Fact, type Page } from '../../operations/page.ts';
import { outcomeIcons, outcomeStates, resultWords } from '../../operations/wording/result-words.ts';
import { dateOf } from '../../quiz-api/fields.ts';
import type { Quiz, QuizStatus, Group, QuizResult } from '../../quiz-api/records.ts';
import { day, moment } from '../../time/date-words.ts';
import { resultOf } from '../results/respondents.ts';
import type { AssignedQuizResult, AssignedQuizzes } from './own-quizzes.ts';

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

/** Which quizzes a list shows. What is undefined narrows nothing. */
export interface QuizFilter {
  status?: QuizStatus | undefined;
  /** Words of the name. */
  name?: string | undefined;
}

/** A list of quizzes grouped by status, with what the reader may do with each. */
export function quizzesPage(
  quizzes: readonly Quiz[],
  { filter, age }: { filter: QuizFilter; age?: string | undefined },
): Page {
  const { name = '' } = filter;
  const steps = filterStep({ name: 'list-quizzes' }, { name, status: filter.status }, quizzes.length);
  const words = [filter.status && statusWords[filter.status]!.inLine, name].filter((part) => part).join(' ');
  if (quizzes.length === 0)
    return {
      heading:
        words === ''
          ? say`There are no quizzes for you yet.`
          : say`No quiz fits “${shortName(words)}”. \`/quiz list\` shows all of them.`,
      steps,
      notes: [age],
    };
  const byStatus = Map.groupBy(quizzes, (quiz) => statusOf(quiz).inLine);
  const known = Object.values(statusWords).map(({ inLine }) => inLine);
  const groups = [...new Set([...known, ...byStatus.keys()])].flatMap((inLine) => {
    const own = byStatus.get(inLine);
    return own?.[0] ? [{ status: statusOf(own[0]), quizzes: own }] : [];
  });
  const summary = groups.map(({ status, quizzes: { length } }) => status.counted(length)).join(', ');
  return {
    heading: say`*${countOf(quizzes.length, 'quiz', 'quizzes')}*: ${shortName(summary)}`,
    parts: [
      {
        items: groups
          .flatMap((group) => group.quizzes)
          .slice(0, listedAtMost)
          .map((quiz) => ({
            line: quizLine(quiz),
            about: { kind: 'quiz', of: quiz, name: quiz.name, in: 'list' },
          })),
        count: quizzes.length,
        narrow: say`/quiz list`,
      },
    ],
    steps,
    notes: [age],
  };
}

function quizLine(quiz: Quiz): string {
  const { icon, inLine } = statusOf(quiz);
  return say`${icon} *${shortName(quiz.name, 60)}* · ${inLine}${createdWords(quiz)}`;
}

function createdWords({ date_created }: Quiz): string {
  return date_created ? say` · ${say`created ${day(date_created)}`}` : '';
}

/** What is known of the use of a quiz. `takeLink`: the address where it can be taken. `use`: undefined for people who may not see results. */
interface ShownQuiz {
  quiz: Quiz;
  groups: readonly Group[];
  takeLink: string | undefined;
  use: QuizUse | undefined;
}

/** Who has a quiz, and who took it. */
export interface QuizUse {
  /** In the attempt that was submitted last; the service tells the questions of a quiz only with an attempt. */
  questions: number | undefined;
  /** People who have the quiz. Those who have it directly and through a group count as direct. */
  people: { direct: number; throughGroups: number };
  /** Submitted attempts, and the people who made them. */
  taken: { people: number; attempts: number };
}

/** One quiz: its status, who has it and who took it, and what the reader may do with it. */
export function quizPage({ quiz, groups, takeLink, use }: ShownQuiz): Page {
  const { icon, word, inLine } = statusOf(quiz);
  const names = joinSaid(
    groups.map((group) => say`${shortName(group.group_name, 60)}`),
    ', ',
  );
  return {
    heading: say`${icon} *${shortName(quiz.name)}*\n${word}${createdWords(quiz)}`,
    notification: say`${shortName(quiz.name)}: ${inLine}`,
    parts: [{ facts: [[say`Groups`, groups.length === 0 ? say`None` : names], ...(use ? useFacts(use) : [])] }],
    notes: [say`ID ${quiz.quiz_id}`],
    steps: [{ label: say`Take quiz`, url: takeLink }],
    about: { kind: 'quiz', of: quiz, name: quiz.name, in: 'page' },
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
function quizResultLine(quiz: QuizResult): string {
  const name = shortName(nameOrId('quiz', quiz.name, quiz.quiz_id), 60);
  const result = resultOf(quiz);
  if (result === undefined) {
    const state = stateWords[quiz.status ?? 'not_started'] ?? say`not submitted`;
    const assigned = quiz.date_assigned ? [say`assigned ${day(dateOf(quiz.date_assigned))}`] : [];
    return joinSaid([say`⏳ *${name}*`, say`${state}`, ...assigned], ' · ');
  }
  const { percentage, grade } = resultWords(result, 30);
  const words = [
    `${outcomeIcons[result.outcome]} ${outcomeStates[result.outcome]}`,
    ...(percentage ? [percentage] : []),
    ...(grade ? [say`grade ${grade}`] : []),
  ];
  const when = quiz.date_submitted ? say` · ${day(dateOf(quiz.date_submitted))}` : '';
  return say`*${name}* · ${words.join(' · ')}${when}`;
}

/** Earlier attempts shown with a quiz. */
const earlierAtMost = 5;

/** The reader’s own quizzes with their attempts. */
export function ownQuizzesPage(assigned: AssignedQuizzes): Page {
  const { quizzes } = assigned;
  const notes = notesAbout(assigned);
  if (quizzes.length === 0) return { heading: say`You have no quizzes at the moment.`, notes };
  const due = quizzes.filter(({ isDue }) => isDue).length;
  const count = say`*${countOf(quizzes.length, 'quiz', 'quizzes')}*`;
  return {
    heading:
      due === 0
        ? say`${count} assigned to you, none still to take`
        : say`${count} assigned to you, ${due} still to take`,
    parts: [{ lines: quizzes.flatMap(assignedQuizLines), narrow: say`/quiz list` }],
    notes,
  };
}

/** A line for the quiz with the last attempt, and a line for each attempt before it. */
export function assignedQuizLines(quiz: AssignedQuizResult): string[] {
  const attempts = [quiz, ...quiz.earlier];
  const isClosed = !quiz.isDue && attempts.every(({ status }) => status !== 'submitted');
  const first = isClosed
    ? say`🔒 *${shortName(nameOrId('quiz', quiz.name, quiz.quiz_id), 60)}* · ${quiz.status === 'not_submitted' ? say`closed, started, not submitted` : say`closed, not taken`}`
    : joinSaid([quizResultLine(quiz), ...obligationParts(quiz.obligation)], ' · ');
  const earlier = quiz.earlier.slice(0, earlierAtMost).map((attempt) => {
    const number = attempt.attempt ?? 0;
    const name = number < 1 ? say`Earlier attempt` : say`Attempt ${number}`;
    return say`↳ ${quizResultLine({ ...attempt, name, date_assigned: null })}`;
  });
  const left = quiz.earlier.length - earlier.length;
  return [
    first,
    ...earlier,
    ...(left > 0 ? [say`↳ …and ${countOf(left, 'earlier attempt', 'earlier attempts')}`] : []),
  ];
}

/** What a campaign asks for. A pass counts until the end of a day. */
function obligationParts(obligation: AssignedQuizResult['obligation']): string[] {
  if (obligation === undefined) return [];
  const { isAsked, isOverdue, dueAt, validUntil, renewFrom } = obligation;
  const end = validUntil === undefined ? undefined : day(validUntil - 1);
  if (end !== undefined && (!isAsked || dueAt === validUntil)) {
    if (isOverdue) return [say`was valid until ${end}`];
    if (isAsked) return [say`valid until ${end}, due again by then`];
    return renewFrom === undefined
      ? [say`valid until ${end}`]
      : [say`valid until ${end}, renew from ${day(renewFrom)}`];
  }
  if (dueAt === undefined) return [];
  const when = moment(dueAt);
  return isOverdue ? [say`was due ${when}`] : [say`due ${when}`];
}

/** What the list lacks, and when it will be there. */
export function notesAbout({ leftOut, isStillReading }: AssignedQuizzes): string[] {
  return [
    ...(leftOut > 0
      ? [say`…and ${countOf(leftOut, 'more quiz', 'more quizzes')} through groups. \`/quiz list\` shows them.`]
      : []),
    ...(isStillReading
      ? [say`The bot is still reading which quizzes the groups have, so some may be missing. Try again in a minute.`]
      : []),
  ];
}
