import type { KnownBlock } from '@slack/types';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { factSection, gradeOf, personName, resultFacts } from './facts.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, md, section, shortName } from './mrkdwn.ts';

/** What a channel hears of a submitted quiz: name and result, no other personal data. */
export function submissionMessage(response: QuizResponse, timeZone: string): Message {
  const person = personName(response);
  const quiz = shortName(response.quiz_name);
  const sign = response.pass ? '✅' : '❌';
  const result = response.pass ? 'Passed' : 'Not passed';
  const blocks: KnownBlock[] = [
    section(response.pass ? md`✅ *${person}* passed *${quiz}*` : md`❌ *${person}* did not pass *${quiz}*`),
    factSection(resultFacts(response)),
  ];
  if (response.date_submitted) blocks.push(context(md`Submitted ${moment(response.date_submitted, timeZone)}`));
  return {
    text: md`${sign} ${person}: ${quiz}, ${response.percentage_score} %, grade ${gradeOf(response)}, ${result.toLowerCase()}`.mrkdwn,
    blocks,
  };
}
