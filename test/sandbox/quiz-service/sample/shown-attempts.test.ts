import { expect, test } from 'vitest';
import * as z from 'zod';
import { asSent } from '../../../support/as-sent.ts';
import { questionSchema, type Question } from '../../../../src/quiz-api/responses.ts';
import { sampleQuizzes } from '../../../../src/sandbox/quiz-service/sample/quizzes.ts';
import { questionTypes } from '../../../../src/sandbox/quiz-service/taking/scoring.ts';
import { answeredQuestion } from '../../../../src/features/results/attempt-page.ts';
import { get, startTestService } from '../support/service.ts';

/** Every question of the sample's submitted attempts, as the bot reads it. */
async function answeredSamples(): Promise<Question[]> {
  const service = await startTestService({ quizzes: sampleQuizzes });
  const found: Question[] = [];
  const quizzes: { quiz_id: string }[] = await get(service, '/quizzes');
  for (const { quiz_id } of quizzes) {
    const path = `/quizzes/${quiz_id}/responses`;
    const responses: { response_id: string; status: string }[] = await get(service, path);
    for (const { response_id } of responses.filter(({ status }) => status === 'submitted'))
      found.push(...z.array(questionSchema).parse(await get(service, `${path}/${response_id}/questions`)));
  }
  return found;
}

const linesOf = (question: Question) => asSent(answeredQuestion(question, 1), 'markup').split('\n');
const isTyped = ({ type }: Question) => type === 'free_text' || type === 'essay';

test('every type of question has sample attempts, which show what was chosen, typed or uploaded', async () => {
  const byType = Map.groupBy(await answeredSamples(), ({ type }) => type);
  expect([...byType.keys()].toSorted()).toEqual([...questionTypes].toSorted());
  for (const [type, questions] of byType) {
    const answers = questions.map((question) => {
      const { options, files } = question;
      const chosen = isTyped(question) ? [] : options.filter(({ selected }) => selected).map(({ text }) => text);
      const typed = [...new Set(options.map(({ answer }) => answer))].filter((answer) => answer !== '');
      const shown = linesOf(question).filter((line) => /^↳ (?!Right)/.test(line));
      const plain = shown.map((line) => line.replaceAll(/[\u2066-\u2069]| \(-?\d+ points?\)/g, ''));
      expect(plain).toEqual([
        ...(chosen.length > 0 ? [`↳ Chose: ${chosen.join('; ')}`] : []),
        ...typed.map((answer) => `↳ Answered: ${answer}`),
        ...files.map(({ name }) => `↳ 📎 ${name}`),
        ...(chosen.length + typed.length + files.length === 0 ? ['↳ No answer'] : []),
      ]);
      return chosen.length + typed.length + files.length;
    });
    expect(`${type} ${answers.some((count) => count > 0)}`).toBe(`${type} true`);
  }
});
