import { defineOperation } from '../../operations/operation.ts';
import { readPage } from '../../operations/text-input.ts';
import { findAttempt, quizField, responseField } from './attempt.ts';
import { attemptPage } from './attempt-page.ts';
import { withoutPersonalData } from './personal-data.ts';

export const showAttempt = defineOperation({
  name: 'show-attempt',
  command: '/quiz attempt <quiz> of <response>',
  synonyms: ['answers', 'answer', 'response'],
  summary: 'Show someone’s attempt, with each question, their answer and the right one',
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'Show',
  fields: {
    quiz: quizField,
    response: responseField,
    page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
  },
  async run(context, { quiz, response: typed, page }) {
    const response = await findAttempt(context, quiz, typed);
    const questions = await context.api.responses.questions(quiz.quiz_id, response.response_id, context.call);
    const shown = context.visibility.addressesIn(quiz) ? response : withoutPersonalData(response);
    return {
      kind: 'page',
      ...attemptPage({ quiz, response: shown, questions, page: readPage(page) }),
    };
  },
});
