import type { Quiz } from '../quiz-api/quizzes.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';
import type { OperationContext } from './context.ts';
import type { TextField } from './fields/text.ts';
import { createAndRead, type Created } from './new-record.ts';
import { defineOperation } from './operation.ts';
import { unseenQuestionsWarning } from './wording/warnings.ts';

const quizName = { kind: 'text', label: 'Name', maxLength: 250 } as const satisfies TextField;

export const createQuiz = defineOperation({
  name: 'create-quiz',
  command: '/quiz create <name>',
  summary: 'Create a quiz, to be designed in the quiz service',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Create',
  makesNew: true,
  fields: { name: quizName },
  effect: (_, { name }) => `A quiz called “${name}” is created, in design.`,
  async run(context, { name }) {
    const { record, isCertain } = await createAndFind(context, {
      create: () => context.api.quizzes.create({ name }, context.call),
      isAsAsked: (quiz) => quiz.name === name,
    });
    if (isCertain) return { kind: 'done', message: `“${name}” is created. It is in design until it is opened.${record ? '' : notListed}` };
    return { kind: 'done', message: `A new quiz called “${name}” is in the list. The quiz service did not confirm that it created it.` };
  },
});

export const renameQuiz = defineOperation({
  name: 'rename-quiz',
  command: '/quiz rename <quiz> to <name>',
  summary: 'Give a quiz another name',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Rename',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, name: { ...quizName, label: 'New name' } },
  effect: (_, { quiz, name }) => `“${quiz.name}” is called “${name}”.`,
  isDone: ({ quiz, name }) => quiz.name === name,
  async run(context, { quiz, name }) {
    await context.api.quizzes.update(quiz.quiz_id, { name }, context.call);
    context.directory.quizzes.put({ ...quiz, name });
    return { kind: 'done', message: `“${quiz.name}” is called “${name}” now.` };
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
  effect: (_, { quiz }) => `“${quiz.name}” can be taken.`,
  isDone: ({ quiz }) => quiz.status === 'open',
  async warn({ api, call }, { quiz }, { isForm }) {
    if (!isForm || quiz.status !== 'in_design') return undefined;
    return (await api.responses.list(quiz.quiz_id, call)).length === 0 ? unseenQuestionsWarning(quiz) : undefined;
  },
  async run(context, { quiz }) {
    await setStatus(context, quiz, 'open');
    return { kind: 'done', message: `“${quiz.name}” is open: it can be taken now.` };
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
  effect: (_, { quiz }) => `Nobody can take “${quiz.name}” until it is opened again.`,
  isDone: ({ quiz }) => quiz.status === 'closed',
  async run(context, { quiz }) {
    await setStatus(context, quiz, 'closed');
    return { kind: 'done', message: `“${quiz.name}” is closed: nobody can take it until it is opened again.` };
  },
});

export const copyQuiz = defineOperation({
  name: 'copy-quiz',
  command: '/quiz copy <quiz> as [name]',
  summary: 'Copy a quiz with its questions',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Copy',
  makesNew: true,
  fields: {
    quiz: { kind: 'quiz', label: 'Quiz' },
    name: { ...quizName, label: 'Name of the copy', hint: 'Left out, the quiz service chooses one.', optional: true },
  },
  effect: (_, { quiz, name }) => `“${quiz.name}” is copied with its questions${name === undefined ? '' : ` as “${name}”`}.`,
  async run(context, { quiz, name }) {
    const { record, isCertain } = await createAndFind(context, {
      create: () => context.api.quizzes.copy(quiz.quiz_id, { name }, context.call),
      // Where the service chooses the name, only an answer without an id leaves any new quiz to be the copy.
      isAsAsked: (copy) => name === undefined || copy.name === name,
    });
    const copyName = record?.name ?? name;
    if (!isCertain) return { kind: 'done', message: `A new quiz called “${copyName ?? ''}” is in the list. The quiz service did not confirm that it is the copy of “${quiz.name}”.` };
    return { kind: 'done', message: `“${quiz.name}” is copied${copyName === undefined ? '' : ` as “${copyName}”`}.${record ? '' : notListed}` };
  },
});

export const deleteQuiz = defineOperation({
  name: 'delete-quiz',
  command: '/quiz delete <quiz>',
  summary: 'Delete a quiz with all its responses, for good',
  access: 'destructive',
  right: 'edit_quizzes',
  submit: 'Delete it',
  fields: { quiz: { kind: 'quiz', label: 'Quiz', hint: 'Its responses go with it. This cannot be undone.' } },
  async effect({ api, call }, { quiz }) {
    const responses = (await api.responses.list(quiz.quiz_id, call)).length;
    const lost = responses === 0 ? 'It has no responses.' : responses === 1 ? 'Its one response goes with it.' : `Its ${responses} responses go with it.`;
    return `“${quiz.name}” is deleted for good. ${lost}`;
  },
  async run({ api, directory, call }, { quiz }) {
    await api.quizzes.delete(quiz.quiz_id, call);
    directory.quizzes.remove(quiz);
    return { kind: 'done', message: `“${quiz.name}” is deleted.` };
  },
});

export const myQuizzes = defineOperation({
  name: 'my-quizzes',
  command: '/quiz mine',
  summary: 'What is assigned to you and your groups, and what you scored',
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  async run(context) {
    const { api, actor, call } = context;
    const user = actor.user && (await api.users.get(actor.user.user_id, call));
    return { kind: 'mine', assigned: user ? await assignedQuizzesOf(user, context) : { quizzes: [], leftOut: 0, isStillReading: false } };
  },
});

async function setStatus(context: OperationContext, quiz: Quiz, status: 'open' | 'closed'): Promise<void> {
  await context.api.quizzes.update(quiz.quiz_id, { status }, context.call);
  context.directory.quizzes.put({ ...quiz, status });
}

const notListed = ' The quiz service did not say which quiz in the list it is.';

/**
 * Creates a quiz and reads it into the directory. Names are not unique: where the service tells no id, the quiz is the only
 * one that is as asked and was not there before.
 */
async function createAndFind({ api, directory, call }: OperationContext, steps: { create: () => Promise<string | null>; isAsAsked: (quiz: Quiz) => boolean }): Promise<Created<Quiz>> {
  const before = new Set((await directory.quizzes.get(call)).map(({ quiz_id }) => quiz_id));
  const created = await createAndRead<Quiz>({
    create: steps.create,
    read: (quizId) => api.quizzes.get(quizId, call),
    async find() {
      const candidates = (await api.quizzes.list(call)).filter((quiz) => !before.has(quiz.quiz_id) && steps.isAsAsked(quiz));
      return candidates.length === 1 ? candidates[0] : undefined;
    },
    isOurs: () => true,
  });
  if (created.record) directory.quizzes.put(created.record);
  return created;
}
