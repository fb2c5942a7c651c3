import type { KnownBlock } from '@slack/types';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { Message } from './message.ts';
import { duration, moment } from './moments.ts';
import { context, md, mrkdwnElement, section, shortName, type Mrkdwn } from './mrkdwn.ts';

/** What a channel hears of a submitted quiz: name and result, no other personal data. */
export function submissionMessage(response: QuizResponse, timeZone: string): Message {
  const person = respondentName(response);
  const quiz = shortName(response.quiz_name);
  const sign = response.pass ? '✅' : '❌';
  const result = response.pass ? 'Passed' : 'Not passed';
  const grade = shortName(response.grade, 50) || 'none';
  const facts: [string, string | Mrkdwn][] = [
    ['Score', `${response.points} of ${response.available_points} points`],
    ['Percentage', `${response.percentage_score} %`],
    ['Grade', grade],
    ['Result', `${sign} ${result}`],
    ['Attempt', String(response.attempt)],
    ['Time taken', duration(response.duration)],
  ];
  const blocks: KnownBlock[] = [
    section(response.pass ? md`✅ *${person}* passed *${quiz}*` : md`❌ *${person}* did not pass *${quiz}*`),
    { type: 'section', fields: facts.map(([label, fact]) => mrkdwnElement(md`*${label}*\n${fact}`)) },
  ];
  if (response.date_submitted) blocks.push(context(md`Submitted ${moment(response.date_submitted, timeZone)}`));
  return {
    text: md`${sign} ${person}: ${quiz}, ${response.percentage_score} %, grade ${grade}, ${result.toLowerCase()}`.mrkdwn,
    blocks,
  };
}

function respondentName(response: QuizResponse): string {
  return shortName(`${response.first_name} ${response.last_name}`) || 'Somebody without a name';
}
