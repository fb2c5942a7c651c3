import { json, list, okMessage } from '../face.ts';
import { assigning, operation, requireGroup, requireQuiz, requireResponse } from './operation.ts';
import { formatDate } from '../database.ts';
import { notFound } from '../http.ts';
import { findFile, listAnsweredQuestions } from '../store/questions.ts';
import {
  listGroupsOfQuiz,
  addQuiz,
  copyQuiz,
  deleteQuiz,
  listQuizzes,
  type Quiz,
  updateQuiz,
} from '../store/quizzes.ts';
import { deleteResponse, pageResponses } from '../store/responses.ts';

/** Specification, section 4.1. */
export const quizOperations = [
  operation('GET', '/quizzes', ({ account }) => json(listQuizzes(account.database))),

  operation('GET', '/quizzes/:quiz_id', ({ account, parameters }) => json(requireQuiz(account, parameters.quiz_id))),

  operation('POST', '/quizzes', ({ account, form }) => {
    const quiz = newQuiz(account.newId(), form.required('name'), account.now());
    addQuiz(account.database, quiz);
    return json({ quiz_id: quiz.quiz_id });
  }),

  operation('POST', '/quizzes/:quiz_id', ({ account, parameters, form }) => {
    const { quiz_id } = requireQuiz(account, parameters.quiz_id);
    const name = form.optionalFilled('name');
    const status = form.optionalChoice('status', ['open', 'closed']);
    updateQuiz(account.database, quiz_id, { name, status });
    return okMessage;
  }),

  operation('DELETE', '/quizzes/:quiz_id', ({ account, parameters }) => {
    deleteQuiz(account.database, requireQuiz(account, parameters.quiz_id).quiz_id);
    return okMessage;
  }),

  operation('POST', '/quizzes/:quiz_id/copy', ({ account, parameters, form }) => {
    const source = requireQuiz(account, parameters.quiz_id);
    const name = form.optionalFilled('name') ?? `Copy of ${source.name}`;
    const copy = newQuiz(account.newId(), name, account.now());
    copyQuiz(account.database, source.quiz_id, copy, account.newId);
    return json({ quiz_id: copy.quiz_id });
  }),

  operation('GET', '/quizzes/:quiz_id/groups', ({ account, parameters }) => {
    const { quiz_id } = requireQuiz(account, parameters.quiz_id);
    return json(listGroupsOfQuiz(account.database, quiz_id));
  }),

  ...assigning('/quizzes/:quiz_id/groups', 'group_quizzes', ({ account, parameters, form }) => ({
    quiz_id: requireQuiz(account, parameters.quiz_id).quiz_id,
    group_id: requireGroup(account, form.required('group_id')).group_id,
  })),
];

function newQuiz(quizId: string, name: string, nowMs: number): Quiz {
  return { quiz_id: quizId, name, status: 'in_design', date_created: formatDate(nowMs) };
}

/** Specification, section 4.2. */
export const responseOperations = [
  operation('GET', '/quizzes/:quiz_id/responses', ({ account, parameters }) => {
    const { quiz_id } = requireQuiz(account, parameters.quiz_id);
    return list(pageResponses(account.database, quiz_id, account.publicUrl()));
  }),

  operation('GET', '/quizzes/:quiz_id/responses/:response_id', ({ account, parameters }) =>
    json(requireResponse(account, parameters.quiz_id, parameters.response_id)),
  ),

  operation('DELETE', '/quizzes/:quiz_id/responses/:response_id', ({ account, parameters }) => {
    const { response_id } = requireResponse(account, parameters.quiz_id, parameters.response_id);
    deleteResponse(account.database, response_id);
    return okMessage;
  }),

  operation('GET', '/quizzes/:quiz_id/responses/:response_id/questions', ({ account, parameters }) => {
    const { quiz_id, response_id } = requireResponse(account, parameters.quiz_id, parameters.response_id);
    return json(listAnsweredQuestions(account.database, quiz_id, response_id));
  }),

  operation('GET', '/quizzes/:quiz_id/responses/:response_id/files/:file_id', ({ account, parameters }) => {
    const { response_id } = requireResponse(account, parameters.quiz_id, parameters.response_id);
    const file = findFile(account.database, response_id, parameters.file_id);
    if (!file) throw notFound(`There is no file ${parameters.file_id}.`);
    return { kind: 'file', ...file };
  }),
];
