import { defineOperation } from '../../operations/operation.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';

export const myQuizzes = defineOperation({
  name: 'my-quizzes',
  command: '/quiz mine',
  synonyms: ['me', 'my'],
  summary: 'Show your quizzes and your results',
  title: 'Your quizzes',
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'Show',
  uses: ['takeLink'],
  fields: {},
  async run(context) {
    const { api, actor, call } = context;
    const user = actor.user && (await api.users.get(actor.user.user_id, call));
    return {
      kind: 'mine',
      assigned: user
        ? await assignedQuizzesOf(user, context, context.takeLink)
        : { quizzes: [], leftOut: 0, isStillReading: false },
    };
  },
});
