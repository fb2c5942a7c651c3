import { shortName } from '../../../domain/short-name.ts';
import { day, moment } from '../../../time/date-words.ts';
import { nameOrId } from '../../../domain/name-or-id.ts';
import type { KnownBlock } from '@slack/types';
import type { AssignedQuizResult, AssignedQuizzes } from '../../../features/quizzes/own-quizzes.ts';
import { countOf, say, joinSaid } from '../../../domain/said.ts';
import { listing, type Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { quizResultLine } from './quizzes.ts';

/** Earlier attempts shown with a quiz. */
const earlierAtMost = 5;

/** The reader's own quizzes with their attempts. */
export function ownQuizzesMessage(assigned: AssignedQuizzes, timeZone: string): Message {
  const { quizzes } = assigned;
  const notes = notesAbout(assigned);
  if (quizzes.length === 0) {
    const nothing = say`You have no quizzes at the moment.`;
    return { text: nothing, blocks: [section(nothing), ...notes] };
  }
  const due = quizzes.filter(({ isDue }) => isDue).length;
  const count = say`*${countOf(quizzes.length, 'quiz', 'quizzes')}*`;
  const heading =
    due === 0 ? say`${count} assigned to you, none still to take` : say`${count} assigned to you, ${due} still to take`;
  const list = listing(
    heading,
    quizzes.flatMap((quiz) => assignedQuizLines(quiz, timeZone)),
    say`/quiz list`,
  );
  return { ...list, blocks: [...list.blocks, ...notes] };
}

/** A line for the quiz with the last attempt, and a line for each attempt before it. */
export function assignedQuizLines(quiz: AssignedQuizResult, timeZone: string): string[] {
  const attempts = [quiz, ...quiz.earlier];
  const isClosed = !quiz.isDue && attempts.every(({ status }) => status !== 'submitted');
  const first = isClosed
    ? say`🔒 *${shortName(nameOrId('quiz', quiz.name, quiz.quiz_id), 60)}* · ${quiz.status === 'not_submitted' ? say`closed, started, not submitted` : say`closed, not taken`}`
    : joinSaid([quizResultLine(quiz, timeZone), ...obligationParts(quiz.obligation, timeZone)], ' · ');
  const earlier = quiz.earlier.slice(0, earlierAtMost).map((attempt) => {
    const number = attempt.attempt ?? 0;
    const name = number < 1 ? say`Earlier attempt` : say`Attempt ${number}`;
    return say`↳ ${quizResultLine({ ...attempt, name, date_assigned: null }, timeZone)}`;
  });
  const left = quiz.earlier.length - earlier.length;
  return [
    first,
    ...earlier,
    ...(left > 0 ? [say`↳ …and ${countOf(left, 'earlier attempt', 'earlier attempts')}`] : []),
  ];
}

/** What a campaign asks for. A pass counts until the end of a day. */
function obligationParts(obligation: AssignedQuizResult['obligation'], timeZone: string): string[] {
  if (obligation === undefined) return [];
  const { isAsked, isOverdue, dueAt, validUntil, renewFrom } = obligation;
  const end = validUntil === undefined ? undefined : day(validUntil - 1, timeZone);
  if (end !== undefined && (!isAsked || dueAt === validUntil)) {
    if (isOverdue) return [say`was valid until ${end}`];
    if (isAsked) return [say`valid until ${end}, due again by then`];
    return renewFrom === undefined
      ? [say`valid until ${end}`]
      : [say`valid until ${end}, renew from ${day(renewFrom, timeZone)}`];
  }
  if (dueAt === undefined) return [];
  const when = moment(dueAt, timeZone);
  return isOverdue ? [say`was due ${when}`] : [say`due ${when}`];
}

/** What the list lacks, and when it will be there. */
export function notesAbout({ leftOut, isStillReading }: AssignedQuizzes): KnownBlock[] {
  return [
    ...(leftOut > 0
      ? [context(say`…and ${countOf(leftOut, 'more quiz', 'more quizzes')} through groups. \`/quiz list\` shows them.`)]
      : []),
    ...(isStillReading
      ? [
          context(
            say`The bot is still reading which quizzes the groups have, so some may be missing. Try again in a minute.`,
          ),
        ]
      : []),
  ];
}
