import type { QuizResult } from '../../quiz-api/users.ts';
import { dateOf } from '../../quiz-api/utc-date.ts';
import { countOf, listing } from './listing.ts';
import type { Message } from './message.ts';
import { day } from './moments.ts';
import { md, section, shortName, type Mrkdwn } from './mrkdwn.ts';

/** What is assigned to the person who asks, and what they scored. */
export function ownQuizzesMessage(quizzes: readonly QuizResult[], timeZone: string): Message {
  if (quizzes.length === 0) {
    const nothing = md`Nothing is assigned to you.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing)] };
  }
  const open = quizzes.filter((quiz) => quiz.status !== 'submitted').length;
  const heading = md`*${countOf(quizzes.length, 'quiz', 'quizzes')}* assigned to you, ${open} still to submit`;
  return listing(heading, quizzes.map((quiz) => quizResultLine(quiz, timeZone)), '/quiz list');
}

/** An assigned quiz and how it went. */
export function quizResultLine(quiz: QuizResult, timeZone: string): Mrkdwn {
  const name = shortName(quiz.name, 60);
  if (quiz.status !== 'submitted') {
    const state = quiz.status === 'not_submitted' ? 'begun, not submitted' : 'not taken yet';
    return md`⏳ *${name}* · ${state}${quiz.date_assigned ? md` · assigned ${day(dateOf(quiz.date_assigned), timeZone)}` : md``}`;
  }
  const result = quiz.pass ? '✅ passed' : '❌ not passed';
  const when = quiz.date_submitted ? md` · ${day(dateOf(quiz.date_submitted), timeZone)}` : md``;
  return md`*${name}* · ${result} · ${quiz.percentage_score ?? 0} % · grade ${shortName(quiz.grade, 30) || 'none'}${when}`;
}
