import type { KnownBlock } from '@slack/types';
import type { Submission } from '../../domain/queue-entry.ts';
import { factSection, gradeOf, resultFacts } from './facts.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, joinMrkdwn, md, section } from './mrkdwn.ts';
import { shownName, shownQuizName } from './shown-name.ts';

/** A submitted quiz: name (or initials) and result, without other personal data. */
export function submissionMessage(submission: Submission, { timeZone, showsNames }: { timeZone: string; showsNames: boolean }): Message {
  const { passed, percentage, isBackfilled } = submission;
  const person = shownName(submission.name, showsNames);
  const quiz = shownQuizName(submission.quizName);
  const late = isBackfilled ? 'late, ' : '';
  return {
    text: md`${passed ? '✅' : '❌'} ${person}: ${quiz}, ${percentage} %, grade ${gradeOf(submission)}, ${late}${passed ? 'passed' : 'not passed'}`.mrkdwn,
    blocks: [
      section(passed ? md`✅ *${person}* passed *${quiz}*` : md`❌ *${person}* did not pass *${quiz}*`),
      factSection(resultFacts(submission)),
      ...when(submission, timeZone),
    ],
  };
}

function when({ submittedAt, isBackfilled }: Submission, timeZone: string): KnownBlock[] {
  const parts = [
    ...(isBackfilled ? [md`⏰ Late: the quiz service’s webhook for it never came.`] : []),
    ...(submittedAt === null ? [] : [md`Submitted ${moment(new Date(submittedAt), timeZone)}`]),
  ];
  return parts.length === 0 ? [] : [context(joinMrkdwn(parts, ' '))];
}
