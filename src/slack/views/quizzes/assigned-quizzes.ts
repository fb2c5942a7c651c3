import { nameOrId } from '../../../domain/name-or-id.ts';
import type { KnownBlock } from '@slack/types';
import type { AssignedQuizResult, AssignedQuizzes } from '../../../features/quizzes/own-quizzes.ts';
import { countOf } from '../../../domain/said.ts';
import { listing, type Message } from '../blocks/message.ts';
import { day, moment } from '../blocks/moments.ts';
import { context, md, section, shortName, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { quizResultLine } from './quizzes.ts';

/** Earlier attempts shown with a quiz. */
const earlierAtMost = 5;

/** The reader's own quizzes with their attempts. */
export function ownQuizzesMessage(assigned: AssignedQuizzes, timeZone: string): Message {
  const { quizzes } = assigned;
  const notes = notesAbout(assigned);
  if (quizzes.length === 0) {
    const nothing = md`You have no quizzes at the moment.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing), ...notes] };
  }
  const due = quizzes.filter(({ isDue }) => isDue).length;
  const heading = md`*${countOf(quizzes.length, 'quiz', 'quizzes')}* assigned to you, ${due === 0 ? 'none' : due} still to take`;
  const list = listing(
    heading,
    quizzes.flatMap((quiz) => assignedQuizLines(quiz, timeZone)),
    md`/quiz list`,
  );
  return { ...list, blocks: [...list.blocks, ...notes] };
}

/** A line for the quiz with the last attempt, and a line for each attempt before it. */
export function assignedQuizLines(quiz: AssignedQuizResult, timeZone: string): Mrkdwn[] {
  const attempts = [quiz, ...quiz.earlier];
  const isClosed = !quiz.isDue && attempts.every(({ status }) => status !== 'submitted');
  const first = isClosed
    ? md`🔒 *${shortName(nameOrId('quiz', quiz.name, quiz.quiz_id), 60)}* · closed, ${quiz.status === 'not_submitted' ? 'started, not submitted' : 'not taken'}`
    : md`${quizResultLine(quiz, timeZone)}${obligationPart(quiz.obligation, timeZone)}`;
  const earlier = quiz.earlier
    .slice(0, earlierAtMost)
    .map(
      (attempt) =>
        md`↳ ${quizResultLine({ ...attempt, name: (attempt.attempt ?? 0) < 1 ? 'Earlier attempt' : `Attempt ${attempt.attempt}`, date_assigned: null }, timeZone)}`,
    );
  const left = quiz.earlier.length - earlier.length;
  return [first, ...earlier, ...(left > 0 ? [md`↳ …and ${countOf(left, 'earlier attempt', 'earlier attempts')}`] : [])];
}

/** What a campaign asks for. A pass counts until the end of a day. */
function obligationPart(obligation: AssignedQuizResult['obligation'], timeZone: string): Mrkdwn {
  if (obligation === undefined) return md``;
  const { isAsked, isOverdue, dueAt, validUntil, renewFrom } = obligation;
  const end = validUntil === undefined ? undefined : day(new Date(validUntil - 1), timeZone);
  if (end !== undefined && (!isAsked || dueAt === validUntil)) {
    if (isOverdue) return md` · was valid until ${end}`;
    if (isAsked) return md` · valid until ${end}, due again by then`;
    return renewFrom === undefined
      ? md` · valid until ${end}`
      : md` · valid until ${end}, renew from ${day(new Date(renewFrom), timeZone)}`;
  }
  return dueAt === undefined ? md`` : md` · ${isOverdue ? 'was due' : 'due'} ${moment(new Date(dueAt), timeZone)}`;
}

/** What the list lacks, and when it will be there. */
export function notesAbout({ leftOut, isStillReading }: AssignedQuizzes): KnownBlock[] {
  return [
    ...(leftOut > 0
      ? [context(md`…and ${countOf(leftOut, 'more quiz', 'more quizzes')} through groups. \`/quiz list\` shows them.`)]
      : []),
    ...(isStillReading
      ? [
          context(
            md`The bot is still reading which quizzes the groups have, so some may be missing. Try again in a minute.`,
          ),
        ]
      : []),
  ];
}
