import { resultOf } from '../../operations/results/result-of.ts';
import type { Group } from '../../quiz-api/groups.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResult } from '../../quiz-api/users.ts';
import { dateOf } from '../../quiz-api/fields.ts';
import { countOf } from './amounts.ts';
import { resultWords } from './facts.ts';
import { listing, type Message } from './message.ts';
import { day } from './moments.ts';
import { context, md, section, shortName, type Mrkdwn } from './mrkdwn.ts';
import { outcomeIcons, outcomeLabels } from './outcome-words.ts';

const statusWords = {
  open: { icon: '🟢', word: 'Open' },
  in_design: { icon: '🛠️', word: 'In design' },
  closed: { icon: '🔒', word: 'Closed' },
} as const;

/** A status the specification does not name is shown as the service writes it. */
export function statusOf({ status }: Quiz): { icon: string; word: string } {
  return Object.entries(statusWords).find(([known]) => known === status)?.[1] ?? { icon: '⚪', word: shortName(status.replaceAll('_', ' ')) || 'Unknown' };
}

const longestNameInList = 60;

/** A list of quizzes grouped by status. `filter` is the text the person typed to narrow it. */
export function quizListMessage(quizzes: readonly Quiz[], filter: string, timeZone: string): Message {
  if (quizzes.length === 0) {
    const nothing = filter === ''
      ? md`There are no quizzes for you here yet.`
      : md`No quiz has “${shortName(filter)}” in its name or is in that state. \`/quiz list\` shows all.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing)] };
  }
  const byStatus = Map.groupBy(quizzes, (quiz) => statusOf(quiz).word.toLowerCase());
  const known = Object.values(statusWords).map(({ word }) => word.toLowerCase());
  const groups = [...new Set([...known, ...byStatus.keys()])].flatMap((word) => {
    const own = byStatus.get(word);
    return own ? [{ word, quizzes: own }] : [];
  });
  const summary = groups.map((group) => `${group.quizzes.length} ${group.word}`).join(', ');
  const lines = groups.flatMap((group) => group.quizzes).map((quiz) => quizLine(quiz, timeZone));
  return listing(md`*${countOf(quizzes.length, 'quiz', 'quizzes')}*: ${shortName(summary)}`, lines, '/quiz list');
}

/** One quiz with its status and groups. */
export function quizMessage(quiz: Quiz, groups: readonly Group[], timeZone: string): Message {
  const { icon, word } = statusOf(quiz);
  const assigned = groups.length === 0 ? 'no group' : groups.map((group) => shortName(group.group_name, 60)).join(', ');
  return {
    text: md`${shortName(quiz.name)}: ${word.toLowerCase()}`.mrkdwn,
    blocks: [
      section(md`${icon} *${shortName(quiz.name)}*\n${word}${createdWords(quiz, timeZone)}\nAssigned to ${shortName(assigned, 400)}`),
      context(md`Quiz id ${shortName(quiz.quiz_id)}`),
    ],
  };
}

function quizLine(quiz: Quiz, timeZone: string): Mrkdwn {
  const { icon, word } = statusOf(quiz);
  return md`${icon} *${shortName(quiz.name, longestNameInList)}* · ${word.toLowerCase()}${createdWords(quiz, timeZone)}`;
}

function createdWords({ date_created }: Quiz, timeZone: string): Mrkdwn {
  return date_created ? md` · created ${day(date_created, timeZone)}` : md``;
}

const stateWords: Readonly<Record<string, string>> = { not_started: 'not taken yet', not_submitted: 'begun, not submitted' };

/** An assigned quiz and its result in one line. */
export function quizResultLine(quiz: QuizResult, timeZone: string): Mrkdwn {
  const name = shortName(quiz.name, 60);
  const result = resultOf(quiz);
  if (result === undefined) {
    const state = stateWords[quiz.status ?? 'not_started'] ?? 'not submitted';
    return md`⏳ *${name}* · ${state}${quiz.date_assigned ? md` · assigned ${day(dateOf(quiz.date_assigned), timeZone)}` : md``}`;
  }
  const { percentage, grade } = resultWords(result, 30);
  const words = [`${outcomeIcons[result.outcome]} ${outcomeLabels[result.outcome].toLowerCase()}`, ...(percentage ? [percentage] : []), ...(grade ? [`grade ${grade}`] : [])];
  const when = quiz.date_submitted ? md` · ${day(dateOf(quiz.date_submitted), timeZone)}` : md``;
  return md`*${name}* · ${words.join(' · ')}${when}`;
}
