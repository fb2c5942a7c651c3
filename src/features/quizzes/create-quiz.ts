import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { formStep, runStep } from '../../operations/next-step.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { Step } from '../../operations/page.ts';
import { assignQuiz } from './assign-and-unassign.ts';
import { certaintyOf, createAndFind, madeQuiz, quizName, type Certainty } from './new-quiz.ts';
import { openQuiz } from './open-and-close.ts';
import { say } from '../../domain/said.ts';

export const createQuiz = defineOperation({
  name: 'create-quiz',
  command: '/quiz create <name>',
  synonyms: ['new'],
  summary: 'Create a quiz, ready to be designed in the quiz service',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Create quiz',
  makesNew: true,
  fields: { name: quizName },
  action: ({ name }) => say`create the quiz ${named(name)}`,
  effect: () => say`It would be in design until someone opens it.`,
  async run(context, { name }) {
    const created = await createAndFind(context, {
      create: () => context.api.quizzes.create({ name }, context.call),
      isAsAsked: (quiz) => quiz.name === name,
    });
    return { kind: 'done', message: createdMessage(name, certaintyOf(created)), ...madeQuiz(created, nextSteps) };
  },
});

/** Says that a quiz was created, as far as the service tells. */
export function createdMessage(name: string, certainty: Certainty): string {
  if (certainty === 'found')
    return say`Found a new quiz called ${named(name)}. The quiz service didn’t confirm that it created one, so check that it’s yours.`;
  const created = say`Created ${named(name)}. It’s in design until you open it.`;
  return certainty === 'not listed'
    ? `${created} ${say`The quiz service didn’t say which quiz in the list it is.`}`
    : created;
}

/** What people often do with a new quiz. */
export function nextSteps({ quiz_id }: Pick<Quiz, 'quiz_id'>): Step[] {
  const input = { quiz: [quiz_id] };
  return [runStep(say`Open quiz`, openQuiz, input), formStep(say`Assign…`, assignQuiz, input)];
}
