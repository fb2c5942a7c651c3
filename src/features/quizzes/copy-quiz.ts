import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { formStep } from '../../operations/next-step.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { Step } from '../../operations/page.ts';
import { certaintyOf, createAndFind, madeQuiz, quizName, type Certainty } from './new-quiz.ts';
import { renameQuiz } from './rename-quiz.ts';
import { viewStep } from './show-quiz.ts';
import { say } from '../../domain/said.ts';

export const copyQuiz = defineOperation({
  name: 'copy-quiz',
  command: '/quiz copy <quiz> as [name]',
  synonyms: ['duplicate', 'clone'],
  summary: 'Copy a quiz with its questions',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Copy quiz',
  makesNew: true,
  fields: {
    quiz: { kind: 'quiz', label: 'Quiz' },
    name: {
      ...quizName,
      label: 'Name of the copy',
      hint: 'If you leave it empty, the quiz service chooses a name.',
      optional: true,
    },
  },
  action: ({ quiz, name }) =>
    name === undefined ? say`copy ${named(quiz.name)}` : say`copy ${named(quiz.name)} as ${named(name)}`,
  effect: (_, { name }) =>
    name === undefined
      ? say`The copy would have the same questions, and the quiz service would choose its name.`
      : say`The copy would have the same questions.`,
  async run(context, { quiz, name }) {
    const copied = await createAndFind(context, {
      create: () => context.api.quizzes.copy(quiz.quiz_id, { name }, context.call),
      // Where the service chooses the name, only an answer without an id leaves any new quiz to be the copy.
      isAsAsked: (copy) => name === undefined || copy.name === name,
    });
    const message = copiedMessage(quiz, copied.record?.name ?? name, certaintyOf(copied));
    return { kind: 'done', message, ...madeQuiz(copied, nextSteps) };
  },
});

/** Says that a quiz was copied, as far as the service tells. */
export function copiedMessage(quiz: Pick<Quiz, 'name'>, name: string | undefined, certainty: Certainty): string {
  if (certainty === 'found')
    return name === undefined
      ? say`Found a new quiz. The quiz service didn’t confirm that it copied ${named(quiz.name)}, so check that it’s the copy.`
      : say`Found a new quiz called ${named(name)}. The quiz service didn’t confirm that it copied ${named(quiz.name)}, so check that it’s the copy.`;
  const copied =
    name === undefined ? say`Copied ${named(quiz.name)}.` : say`Copied ${named(quiz.name)} as ${named(name)}.`;
  return certainty === 'not listed'
    ? `${copied} ${say`The quiz service didn’t say which quiz in the list is the copy.`}`
    : copied;
}

/** What people often do with a copy. */
export function nextSteps(copy: Pick<Quiz, 'quiz_id'>): Step[] {
  return [viewStep(copy), formStep(say`Rename…`, renameQuiz, { quiz: [copy.quiz_id] })];
}
