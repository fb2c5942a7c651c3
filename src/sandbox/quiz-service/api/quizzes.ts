import { formatDate } from '../dates.ts';
import { assignQuizToGroup, listGroupsOfQuiz, unassignQuizFromGroup } from '../store/assignments.ts';
import { addQuiz, copyQuiz, deleteQuiz, listQuizzes, type Quiz, updateQuiz } from '../store/quizzes.ts';
import { json, okMessage } from './answer.ts';
import { foundGroup, foundQuiz } from './found.ts';
import { operation } from './operation.ts';

/** Specification, section 4.1. */
export const quizOperations = [
  operation('GET', '/quizzes', ({ account }) => json(listQuizzes(account.database))),

  operation('GET', '/quizzes/:quiz_id', ({ account, parameters }) => json(foundQuiz(account, parameters.quiz_id))),

  operation('POST', '/quizzes', ({ account, form }) => {
    const quiz = newQuiz(account.newId(), form.required('name'), account.now());
    addQuiz(account.database, quiz);
    return json({ quiz_id: quiz.quiz_id });
  }),

  operation('POST', '/quizzes/:quiz_id', ({ account, parameters, form }) => {
    const { quiz_id } = foundQuiz(account, parameters.quiz_id);
    const name = form.optionalFilled('name');
    const status = form.optionalChoice('status', ['open', 'closed']);
    updateQuiz(account.database, quiz_id, { name, status });
    return okMessage;
  }),

  operation('DELETE', '/quizzes/:quiz_id', ({ account, parameters }) => {
    deleteQuiz(account.database, foundQuiz(account, parameters.quiz_id).quiz_id);
    return okMessage;
  }),

  operation('POST', '/quizzes/:quiz_id/copy', ({ account, parameters, form }) => {
    const source = foundQuiz(account, parameters.quiz_id);
    const name = form.optionalFilled('name') ?? `Copy of ${source.name}`;
    const copy = newQuiz(account.newId(), name, account.now());
    copyQuiz(account.database, source.quiz_id, copy, account.newId);
    return json({ quiz_id: copy.quiz_id });
  }),

  operation('GET', '/quizzes/:quiz_id/groups', ({ account, parameters }) => {
    const { quiz_id } = foundQuiz(account, parameters.quiz_id);
    return json(listGroupsOfQuiz(account.database, quiz_id));
  }),

  operation('POST', '/quizzes/:quiz_id/groups', ({ account, parameters, form }) => {
    const { quiz_id } = foundQuiz(account, parameters.quiz_id);
    const { group_id } = foundGroup(account, form.required('group_id'));
    assignQuizToGroup(account.database, quiz_id, group_id);
    return okMessage;
  }),

  operation('DELETE', '/quizzes/:quiz_id/groups', ({ account, parameters, form }) => {
    const { quiz_id } = foundQuiz(account, parameters.quiz_id);
    const { group_id } = foundGroup(account, form.required('group_id'));
    unassignQuizFromGroup(account.database, quiz_id, group_id);
    return okMessage;
  }),
];

function newQuiz(quizId: string, name: string, nowMs: number): Quiz {
  return { quiz_id: quizId, name, status: 'in_design', date_created: formatDate(nowMs) };
}
