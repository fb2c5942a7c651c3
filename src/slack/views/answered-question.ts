import type { Question } from '../../quiz-api/responses.ts';
import { joinMrkdwn, md, shortText, type Mrkdwn } from './mrkdwn.ts';

/** Longest parts of a question, escaped; together they fit in a section. */
const longestText = 400;
const longestTyped = 1_500;
const longestChoice = 400;
const longestFiles = 300;

/** A question with what was chosen or typed, and what would have been right where points were lost. */
export function answeredQuestion(question: Question, number: number): Mrkdwn {
  const { text, points_scored, points_available, files } = question;
  const heading = md`${signOf(question)} *${number}. ${shortText(text, longestText) || '(no text)'}*`;
  const points = points_available === 0 ? md`` : md` · ${points_scored} of ${points_available}`;
  const right = rightAnswers(question);
  const lines = [
    md`${heading}${points}`,
    ...answerLine(question),
    ...(right ? [md`↳ Right: ${shortText(right, longestChoice)}`] : []),
    ...(files.length > 0 ? [md`↳ 📎 ${shortText(files.map(({ name }) => name).join(', '), longestFiles)}`] : []),
  ];
  return joinMrkdwn([...lines, md``], '\n');
}

/** Essays and uploads may score nothing by themselves. */
function signOf({ points_scored, points_available }: Question): string {
  if (points_available === 0) return '📝';
  if (points_scored >= points_available) return '✅';
  return points_scored > 0 ? '🟡' : '❌';
}

/** What was typed stands in each option of its question. */
function answerLine({ options, files }: Question): Mrkdwn[] {
  const typed = [...new Set(options.map(({ answer }) => answer).filter((answer) => answer !== ''))];
  if (typed.length > 0) return [md`↳ Answered: ${shortText(typed.join('; '), longestTyped)}`];
  const chosen = options.filter(({ selected }) => selected).map(({ text }) => text);
  if (chosen.length > 0) return [md`↳ Chose: ${shortText(chosen.join('; '), longestChoice)}`];
  return files.length > 0 ? [] : [md`↳ No answer`];
}

function rightAnswers({ options, points_scored, points_available }: Question): string {
  if (points_scored >= points_available) return '';
  return options.filter(({ correct }) => correct).map(({ text }) => text).join('; ');
}
