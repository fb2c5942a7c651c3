import { defineOperation } from '../../operations/operation.ts';
import { todayFacts, todayUses } from './today-facts.ts';
import { todayFrom } from './today.ts';
import { say } from '../../domain/said.ts';

/** Also the answer to `/quiz` alone, and to a message that the bot does not understand. */
export const showToday = defineOperation({
  name: 'show-today',
  command: '/quiz today',
  synonyms: ['todo', 'inbox'],
  summary: 'Show what needs you now: quizzes to take, campaigns, requests for approval',
  title: say`Today`,
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'Show',
  uses: todayUses,
  fields: {},
  async run(context) {
    const { directory, visibility, call } = context;
    const [facts, quizzes] = await Promise.all([todayFacts(context), directory.quizzes.get(call)]);
    const example = quizzes.find((quiz) => quiz.status === 'open' && visibility.quiz(quiz))?.name;
    return { kind: 'today', today: todayFrom(facts), example };
  },
});
