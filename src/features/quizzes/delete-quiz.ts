import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';

export const deleteQuiz = defineOperation({
  name: 'delete-quiz',
  command: '/quiz delete <quiz>',
  summary: 'Delete a quiz and all its responses for good',
  access: 'destructive',
  right: 'edit_quizzes',
  submit: 'Delete quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz', hint: 'This also deletes all its responses. You can’t undo it.' } },
  action: ({ quiz }) => `delete ${named(quiz.name)}`,
  effect: async ({ api, call }, { quiz }) =>
    deletionInWords(quiz, (await api.responses.list(quiz.quiz_id, call)).length),
  done: deleted,
  async run({ api, directory, call }, input) {
    await api.quizzes.delete(input.quiz.quiz_id, call);
    directory.quizzes.remove(input.quiz);
    return deleted(input);
  },
});

/** What would be deleted, in the conditional. */
export function deletionInWords({ name }: Pick<Quiz, 'name'>, responses: number): string {
  const start = `${named(name)} would be deleted for good`;
  if (responses === 0) return `${start}. It has no responses.`;
  return `${start}, with its ${responses === 1 ? 'only response' : `${responses.toLocaleString('en')} responses`}.`;
}

function deleted({ quiz }: { quiz: Quiz }): DoneResult {
  return { kind: 'done', message: `Deleted ${named(quiz.name)} and all its responses.` };
}
