import { say, writtenNumber } from '../../domain/said.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { roundedPercentage } from '../../domain/result.ts';
import { named, namedPerson } from '../../domain/sentence.ts';
import { respondentName } from '../../domain/short-name.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { defineOperation } from '../../operations/operation.ts';
import { moment } from '../../time/date-words.ts';
import { findAttempt, quizField, responseField } from './attempt.ts';
import { isConfirmed } from '../../operations/change-each.ts';
import { unconfirmed } from '../../operations/wording/words.ts';

export const deleteResponse = defineOperation({
  name: 'delete-response',
  command: '/quiz delete-response <quiz> of <response>',
  summary: 'Delete someone’s attempt with its answers and files for good',
  access: 'destructive',
  right: 'administrator',
  submit: 'Delete attempt',
  fields: {
    quiz: quizField,
    response: {
      ...responseField,
      hint: 'The person’s name if they have only one attempt, or the attempt’s ID. You can’t undo this.',
    },
  },
  action: ({ quiz }) => say`delete an attempt at ${named(quiz.name)}`,
  async effect(context, { quiz, response: typed }) {
    const response = await findAttempt(context, quiz, typed, { mustBeOnly: true });
    return deletionInWords(quiz, response);
  },
  async run(context, { quiz, response: typed }) {
    const response = await findAttempt(context, quiz, typed, { mustBeOnly: true });
    const {
      api: { responses },
      call,
    } = context;
    const isGone = async () =>
      (await responses.list(quiz.quiz_id, call)).every(({ response_id }) => response_id !== response.response_id);
    const isSure = await isConfirmed(responses.delete(quiz.quiz_id, response.response_id, call), isGone);
    for (const campaign of await context.campaigns.all())
      if (campaign.quiz.id === quiz.quiz_id && campaign.endedAt === null)
        await context.campaigns.put(campaign.id, { kind: 'deleted', responseId: response.response_id });
    const message = deletedMessage(quiz, response);
    return { kind: 'done', message: isSure ? message : `${message} ${unconfirmed}` };
  },
});

/** What would be deleted, in the conditional. */
export function deletionInWords(quiz: Pick<Quiz, 'name'>, response: QuizResponse): string {
  const { percentage_score: percentage, date_submitted: submitted } = response;
  const at = submitted === null ? say`not submitted` : moment(submitted);
  const facts = percentage === null ? at : `${at}, ${writtenNumber(`${roundedPercentage(percentage)}%`)}`;
  return say`${attemptInWords(quiz, response)} (${facts}) would be deleted for good, with its answers and files.`;
}

export function deletedMessage(quiz: Pick<Quiz, 'name'>, response: QuizResponse): string {
  return say`Deleted ${attemptInWords(quiz, response)}.`;
}

/** “⁨Rosa⁩’s attempt 2 at ⁨Fire safety⁩”, without the number where the service gives none. */
function attemptInWords({ name }: Pick<Quiz, 'name'>, response: QuizResponse): string {
  const [userId, own] = [response.user_id, respondentName(response)];
  const person = userId ? namedPerson({ userId, name: own }) : named(own);
  return response.attempt
    ? say`${person}’s attempt ${response.attempt} at ${named(name)}`
    : say`${person}’s attempt at ${named(name)}`;
}
