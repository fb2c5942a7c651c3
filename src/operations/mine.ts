import { defineOperation } from './operation.ts';

export const myQuizzes = defineOperation({
  name: 'my-quizzes',
  command: '/quiz mine',
  summary: 'What is assigned to you, and what you scored',
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  async run({ api, actor, call }) {
    const { user } = actor;
    return { kind: 'mine', quizzes: user ? (await api.users.get(user.user_id, call)).quizzes : [] };
  },
});
