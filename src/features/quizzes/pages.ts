import { countOf, say } from '../../domain/said.ts';
import { shortName } from '../../domain/short-name.ts';
import { filterStep } from '../../operations/next-step.ts';
import { listedAtMost } from '../../operations/operation-result.ts';
import type { Page } from '../../operations/page.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { day } from '../../time/date-words.ts';
import { formatQuizFilter, type QuizFilter } from './quiz-filter.ts';

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

/** A list of quizzes grouped by status, with what the reader may do with each. */
export function quizzesPage(
  quizzes: readonly Quiz[],
  { filter, readAt, timeZone }: { filter: QuizFilter; readAt?: number | undefined; timeZone: string },
): Page {
  const typed = formatQuizFilter(filter);
  const steps = filterStep({ name: 'list-quizzes' }, typed, quizzes.length);
  if (quizzes.length === 0)
    return {
      heading:
        typed === ''
          ? say`There are no quizzes for you yet.`
          : say`No quiz fits “${shortName(typed)}”. \`/quiz list\` shows all of them.`,
      steps,
      readAt,
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
            line: quizLine(quiz, timeZone),
            about: { kind: 'quiz', of: quiz, name: quiz.name, in: 'list' },
          })),
        count: quizzes.length,
        narrow: say`/quiz list`,
      },
    ],
    steps,
    readAt,
  };
}

function quizLine(quiz: Quiz, timeZone: string): string {
  const { icon, inLine } = statusOf(quiz);
  return say`${icon} *${shortName(quiz.name, 60)}* · ${inLine}${createdWords(quiz, timeZone)}`;
}

export function createdWords({ date_created }: Quiz, timeZone: string): string {
  return date_created ? say` · ${say`created ${day(date_created, timeZone)}`}` : '';
}
