import { defineOperation } from '../../operations/operation.ts';
import { say } from '../../domain/said.ts';

export const whoAmI = defineOperation({
  name: 'who-am-i',
  command: '/quiz-admin whoami',
  synonyms: ['me'],
  summary: 'Show who you are in the quiz account, and what you can do',
  title: say`You in the quiz account`,
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  async run({ actor, rights, visibility }) {
    return { kind: 'who', actor, rights: [...rights], seesEveryQuiz: visibility.seesEveryQuiz };
  },
});
