import { searchQuizzes } from '../directory/quiz-search.ts';
import type { Quiz, QuizStatus } from '../quiz-api/quizzes.ts';
import { defineOperation, type World } from './operation.ts';

export const listQuizzes = defineOperation({
  name: 'list-quizzes',
  command: '/quiz list <filter>',
  summary: 'List the quizzes, or those with a word in their name, or open, closed, in design',
  access: 'read',
  right: 'known',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'Part of a name, or a state', maxLength: 150, optional: true } },
  async run({ directory, sees, call }, { filter = '' }) {
    const quizzes = (await directory.quizzes.fresh(call)).filter(sees);
    return { kind: 'quizzes', filter, quizzes: narrow(quizzes, filter) };
  },
});

export const showQuiz = defineOperation({
  name: 'show-quiz',
  command: '/quiz show <quiz>',
  summary: 'Show one quiz',
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' } },
  async run({ api, call }, { quiz }) {
    return { kind: 'quiz', quiz: await api.quizzes.get(quiz.quiz_id, call) };
  },
});

export const openQuiz = defineOperation({
  name: 'open-quiz',
  command: '/quiz open <quiz>',
  summary: 'Open a quiz, so that it can be taken',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Open it',
  fields: { quiz: { kind: 'quiz', label: 'Quiz', status: ['in_design', 'closed'] } },
  async run(world, { quiz }) {
    await setStatus(world, quiz, 'open');
    return { kind: 'done', sentence: `“${quiz.name}” is open: it can be taken now.` };
  },
});

export const closeQuiz = defineOperation({
  name: 'close-quiz',
  command: '/quiz close <quiz>',
  summary: 'Close a quiz, so that nobody can take it',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Close it',
  fields: { quiz: { kind: 'quiz', label: 'Quiz', hint: 'Nobody can take it until it is opened again.', status: ['open', 'in_design'] } },
  async run(world, { quiz }) {
    await setStatus(world, quiz, 'closed');
    return { kind: 'done', sentence: `“${quiz.name}” is closed: nobody can take it until it is opened again.` };
  },
});

async function setStatus({ api, directory, call }: World, quiz: Quiz, status: 'open' | 'closed'): Promise<void> {
  await api.quizzes.update(quiz.quiz_id, { status }, call);
  directory.quizzes.change((quizzes) =>
    quizzes.map((known) => (known.quiz_id === quiz.quiz_id ? { ...known, status } : known)),
  );
}

function narrow(quizzes: Quiz[], filter: string): Quiz[] {
  const status = filter.trim().toLowerCase().replaceAll(/[\s-]+/g, '_');
  if (isStatus(status)) return quizzes.filter((quiz) => quiz.status === status);
  return searchQuizzes(quizzes, filter);
}

function isStatus(word: string): word is QuizStatus {
  return word === 'open' || word === 'closed' || word === 'in_design';
}
