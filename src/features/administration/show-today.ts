import { say } from '../../domain/said.ts';
import type { OperationContext } from '../../operations/context.ts';
import { defineOperation, type Operation } from '../../operations/operation.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { todayPage } from './pages/today.ts';
import { todayFacts } from './today-facts.ts';
import { todayFrom } from './today.ts';

/** Also the answer to `/quiz` alone. */
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
  fields: {},
  run: async (context) => today(context, false),
});

/** The answer to a message that the bot does not understand. */
export const answerWithToday: Operation = {
  ...showToday,
  run: async (context) => today(context, true),
};

async function today(context: OperationContext, isReply: boolean): Promise<OperationResult> {
  const { directory, visibility, call } = context;
  const [facts, quizzes] = await Promise.all([todayFacts(context), directory.quizzes.get(call)]);
  const example = quizzes.find((quiz) => quiz.status === 'open' && visibility.quiz(quiz))?.name;
  return { kind: 'page', ...todayPage({ today: todayFrom(facts), example, isReply }, context.offered()) };
}
