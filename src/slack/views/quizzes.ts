import type { KnownBlock } from '@slack/types';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { Message } from './message.ts';
import { day } from './moments.ts';
import { context, md, section, sections, shortName, type Mrkdwn } from './mrkdwn.ts';

export const statusWords = {
  open: { sign: '🟢', word: 'Open' },
  in_design: { sign: '🛠️', word: 'In design' },
  closed: { sign: '🔒', word: 'Closed' },
} as const;

/** Quizzes shown before the list says how to narrow it. */
const shownAtMost = 100;
const longestNameInList = 60;

/** The quizzes of a list, grouped by status. `filter` is what the person narrowed it by. */
export function quizListMessage(quizzes: readonly Quiz[], filter: string, timeZone: string): Message {
  if (quizzes.length === 0) {
    const nothing = filter === ''
      ? md`There are no quizzes for you here yet.`
      : md`No quiz has “${shortName(filter)}” in its name or is in that state. \`/quiz list\` shows all.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing)] };
  }
  const groups = Object.entries(statusWords).map(([status, { word }]) => ({
    word: word.toLowerCase(),
    quizzes: quizzes.filter((quiz) => quiz.status === status),
  }));
  const summary = groups
    .filter((group) => group.quizzes.length > 0)
    .map((group) => `${group.quizzes.length} ${group.word}`)
    .join(', ');
  const heading = md`*${countOf(quizzes.length)}*: ${summary}`;
  const shown = groups.flatMap((group) => group.quizzes).slice(0, shownAtMost);
  const blocks: KnownBlock[] = [section(heading), ...sections(shown.map((quiz) => quizLine(quiz, timeZone)))];
  const left = quizzes.length - shown.length;
  if (left > 0) blocks.push(context(md`…and ${left} more. \`/quiz list part of a name\` narrows the list.`));
  return { text: heading.mrkdwn, blocks };
}

/** One quiz, with what the service knows of it. */
export function quizMessage(quiz: Quiz, timeZone: string): Message {
  const { sign, word } = statusWords[quiz.status];
  const line = md`${sign} *${shortName(quiz.name)}*\n${word}${created(quiz, timeZone)}`;
  return {
    text: md`${shortName(quiz.name)}: ${word.toLowerCase()}`.mrkdwn,
    blocks: [section(line), context(md`Quiz id ${shortName(quiz.quiz_id)}`)],
  };
}

function quizLine(quiz: Quiz, timeZone: string): Mrkdwn {
  const { sign, word } = statusWords[quiz.status];
  return md`${sign} *${shortName(quiz.name, longestNameInList)}* · ${word.toLowerCase()}${created(quiz, timeZone)}`;
}

function created(quiz: Quiz, timeZone: string): Mrkdwn {
  return quiz.date_created ? md` · created ${day(quiz.date_created, timeZone)}` : md``;
}

function countOf(count: number): string {
  return count === 1 ? '1 quiz' : `${count} quizzes`;
}
