import { findFile, listAnsweredQuestions } from '../store/answers.ts';
import { deleteResponse, pageResponses } from '../store/responses.ts';
import { json, list, okMessage } from './answer.ts';
import { foundQuiz, foundResponse } from './found.ts';
import { operation } from './operation.ts';
import { notFound } from '../http/refusal.ts';

/** Specification, section 4.2. */
export const responseOperations = [
  operation('GET', '/quizzes/:quiz_id/responses', ({ account, parameters }) => {
    const { quiz_id } = foundQuiz(account, parameters.quiz_id);
    return list(pageResponses(account.database, quiz_id, account.publicUrl()));
  }),

  operation('GET', '/quizzes/:quiz_id/responses/:response_id', ({ account, parameters }) =>
    json(foundResponse(account, parameters.quiz_id, parameters.response_id)),
  ),

  operation('DELETE', '/quizzes/:quiz_id/responses/:response_id', ({ account, parameters }) => {
    const { response_id } = foundResponse(account, parameters.quiz_id, parameters.response_id);
    deleteResponse(account.database, response_id);
    return okMessage;
  }),

  operation('GET', '/quizzes/:quiz_id/responses/:response_id/questions', ({ account, parameters }) => {
    const { quiz_id, response_id } = foundResponse(account, parameters.quiz_id, parameters.response_id);
    return json(listAnsweredQuestions(account.database, quiz_id, response_id));
  }),

  operation('GET', '/quizzes/:quiz_id/responses/:response_id/files/:file_id', ({ account, parameters }) => {
    const { response_id } = foundResponse(account, parameters.quiz_id, parameters.response_id);
    const file = findFile(account.database, response_id, parameters.file_id);
    if (!file) throw notFound(`There is no file ${parameters.file_id}.`);
    return { kind: 'file', ...file };
  }),
];
