import type { Quiz } from '../quiz-api/quizzes.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';
import type { OperationContext } from './context.ts';
import type { TextField } from './fields/text.ts';
import { createAndRead, type Created } from './new-record.ts';
import { nextSteps } from './next-steps.ts';
import { defineOperation } from './operation.ts';
import type { DoneResult } from './operation-result.ts';
import { actions } from './wording/actions.ts';
import { noChanges, outcomes } from './wording/outcomes.ts';
import { proposals } from './wording/proposals.ts';
import { unseenQuestionsWarning } from './wording/warnings.ts';

const quizName = { kind: 'text', label: 'Name', maxLength: 250 } as const satisfies TextField;

export const createQuiz = defineOperation({
  name: 'create-quiz',
  command: '/quiz create <name>',
  summary: 'Create a quiz, ready to be designed in the quiz service',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Create quiz',
  makesNew: true,
  fields: { name: quizName },
  action: actions['create-quiz'],
  effect: proposals['create-quiz'],
  async run(context, { name }) {
    const { record, isCertain } = await createAndFind(context, {
      create: () => context.api.quizzes.create({ name }, context.call),
      isAsAsked: (quiz) => quiz.name === name,
    });
    const certainty = certaintyOf(record, isCertain);
    return {
      kind: 'done',
      message: outcomes['create-quiz']({ name }, certainty),
      ...(record && { next: nextSteps['create-quiz']({ quiz: record }) }),
    };
  },
});

const renamed = (input: { quiz: Quiz; name: string }): DoneResult => ({
  kind: 'done',
  message: outcomes['rename-quiz'](input),
  next: nextSteps['rename-quiz'](input),
});

export const renameQuiz = defineOperation({
  name: 'rename-quiz',
  command: '/quiz rename <quiz> to <name>',
  summary: 'Rename a quiz',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Rename quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, name: { ...quizName, label: 'New name' } },
  action: actions['rename-quiz'],
  effect: (_, input) => proposals['rename-quiz'](input),
  isDone: ({ quiz, name }) => quiz.name === name,
  done: renamed,
  noChange: noChanges['rename-quiz'],
  async run(context, input) {
    const { quiz, name } = input;
    await context.api.quizzes.update(quiz.quiz_id, { name }, context.call);
    context.directory.quizzes.put({ ...quiz, name });
    return renamed(input);
  },
});

const opened = (input: { quiz: Quiz }): DoneResult => ({
  kind: 'done',
  message: outcomes['open-quiz'](input),
  next: nextSteps['open-quiz'](input),
});

export const openQuiz = defineOperation({
  name: 'open-quiz',
  command: '/quiz open <quiz>',
  summary: 'Open a quiz, so that people can take it',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Open quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz', status: ['in_design', 'closed'] } },
  action: actions['open-quiz'],
  effect: proposals['open-quiz'],
  isDone: ({ quiz }) => quiz.status === 'open',
  async warn({ api, call }, { quiz }, { isForm }) {
    if (!isForm || quiz.status !== 'in_design') return undefined;
    return (await api.responses.list(quiz.quiz_id, call)).length === 0 ? unseenQuestionsWarning(quiz) : undefined;
  },
  done: opened,
  noChange: noChanges['open-quiz'],
  async run(context, input) {
    await setStatus(context, input.quiz, 'open');
    return opened(input);
  },
});

const closed = (input: { quiz: Quiz }): DoneResult => ({
  kind: 'done',
  message: outcomes['close-quiz'](input),
  next: nextSteps['close-quiz'](input),
});

export const closeQuiz = defineOperation({
  name: 'close-quiz',
  command: '/quiz close <quiz>',
  summary: 'Close a quiz, so that nobody can take it',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Close quiz',
  fields: {
    quiz: {
      kind: 'quiz',
      label: 'Quiz',
      hint: 'Nobody can take it until you open it again.',
      status: ['open', 'in_design'],
    },
  },
  action: actions['close-quiz'],
  effect: proposals['close-quiz'],
  isDone: ({ quiz }) => quiz.status === 'closed',
  done: closed,
  noChange: noChanges['close-quiz'],
  async run(context, input) {
    await setStatus(context, input.quiz, 'closed');
    return closed(input);
  },
});

export const copyQuiz = defineOperation({
  name: 'copy-quiz',
  command: '/quiz copy <quiz> as [name]',
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
  action: actions['copy-quiz'],
  effect: (_, input) => proposals['copy-quiz'](input),
  async run(context, { quiz, name }) {
    const { record, isCertain } = await createAndFind(context, {
      create: () => context.api.quizzes.copy(quiz.quiz_id, { name }, context.call),
      // Where the service chooses the name, only an answer without an id leaves any new quiz to be the copy.
      isAsAsked: (copy) => name === undefined || copy.name === name,
    });
    const message = outcomes['copy-quiz']({ quiz, name: record?.name ?? name }, certaintyOf(record, isCertain));
    return { kind: 'done', message, ...(record && { next: nextSteps['copy-quiz']({ copy: record }) }) };
  },
});

const deleted = (input: { quiz: Quiz }): DoneResult => ({ kind: 'done', message: outcomes['delete-quiz'](input) });

export const deleteQuiz = defineOperation({
  name: 'delete-quiz',
  command: '/quiz delete <quiz>',
  summary: 'Delete a quiz and all its responses for good',
  access: 'destructive',
  right: 'edit_quizzes',
  submit: 'Delete quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz', hint: 'This also deletes all its responses. You can’t undo it.' } },
  action: actions['delete-quiz'],
  effect: async ({ api, call }, { quiz }) =>
    proposals['delete-quiz']({ quiz, responses: (await api.responses.list(quiz.quiz_id, call)).length }),
  done: deleted,
  async run({ api, directory, call }, input) {
    await api.quizzes.delete(input.quiz.quiz_id, call);
    directory.quizzes.remove(input.quiz);
    return deleted(input);
  },
});

export const myQuizzes = defineOperation({
  name: 'my-quizzes',
  command: '/quiz mine',
  summary: 'Show your quizzes and your results',
  access: 'read',
  right: 'known',
  submit: 'Show',
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

async function setStatus(context: OperationContext, quiz: Quiz, status: 'open' | 'closed'): Promise<void> {
  await context.api.quizzes.update(quiz.quiz_id, { status }, context.call);
  context.directory.quizzes.put({ ...quiz, status });
}

function certaintyOf(record: Quiz | undefined, isCertain: boolean) {
  if (!isCertain) return 'found';
  return record ? 'certain' : 'not listed';
}

/**
 * Creates a quiz and reads it into the directory. Names are not unique: where the service tells no id, the quiz is the only
 * one that is as asked and was not there before.
 */
async function createAndFind(
  { api, directory, call }: OperationContext,
  steps: { create: () => Promise<string | null>; isAsAsked: (quiz: Quiz) => boolean },
): Promise<Created<Quiz>> {
  const before = new Set((await directory.quizzes.get(call)).map(({ quiz_id }) => quiz_id));
  const created = await createAndRead<Quiz>({
    create: steps.create,
    read: (quizId) => api.quizzes.get(quizId, call),
    async find() {
      const candidates = (await api.quizzes.list(call)).filter(
        (quiz) => !before.has(quiz.quiz_id) && steps.isAsAsked(quiz),
      );
      return candidates.length === 1 ? candidates[0] : undefined;
    },
    isOurs: () => true,
  });
  if (created.record) directory.quizzes.put(created.record);
  return created;
}
