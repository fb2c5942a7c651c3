import type { ThreadCounts } from '../../domain/announcement.ts';
import { percent } from './amounts.ts';
import type { Message } from './message.ts';
import { context, md } from './mrkdwn.ts';
import { passedWords, quizHeading } from './quiz-summary.ts';
import { shownQuizName } from './shown-name.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The message whose thread holds the submissions of a quiz on a day. */
export function threadMessage({ quizId, quizName, day, submitted, passed, percentagesTotal }: ThreadCounts, timeZone: string): Message {
  const name = shownQuizName(quizName);
  const shownDay = dayFormat.format(new Date(`${day}T00:00:00Z`));
  const mean = percent(percentagesTotal / Math.max(1, submitted));
  const counts = md`${submitted.toLocaleString('en')} submitted · ${passedWords({ submitted, passed })} · mean ${mean}`;
  return {
    text: md`🧵 ${name}, ${shownDay}: ${counts}`.mrkdwn,
    blocks: [quizHeading({ quizId, quizName }, md`🧵 *${name}* · ${shownDay}\n${counts}`), context(md`The submissions of this day (${timeZone}) are in the thread.`)],
  };
}
