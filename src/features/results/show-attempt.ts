import { defineOperation } from '../../operations/operation.ts';
import { findAttempt } from './attempt.ts';
import { withoutPersonalData } from './personal-data.ts';
import { quizField, responseField } from './attempt-fields.ts';

export const showAttempt = defineOperation({
  name: 'show-attempt',
  command: '/quiz attempt <quiz> of <response>',
  synonyms: ['answers', 'answer', 'response'],
  summary: 'Show someone’s attempt, with each question, their answer and the right one',
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'Show',
  fields: { quiz: quizField, response: responseField },
  async run(context, { quiz, response: typed }) {
    const response = await findAttempt(context, quiz, typed);
    const questions = await context.api.responses.questions(quiz.quiz_id, response.response_id, context.call);
    return {
      kind: 'attempt',
      quiz,
      response: context.visibility.addressesIn(quiz) ? response : withoutPersonalData(response),
      questions,
      canDelete: context.rights.has('administrator'),
    };
  },
});
