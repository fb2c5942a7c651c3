import { namedUser, recordName } from '../../directory/names.ts';
import { say } from '../../domain/said.ts';
import { named } from '../../domain/sentence.ts';
import type { OperationContext, Right } from '../../operations/context.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { aType } from '../../operations/wording/words.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';

/** How long people can take back what they made, in milliseconds. */
const takenBackForMs = 10 * 60_000;

const linksAtOnce = 100;

/** What the operations have in common: a button alone runs them, for who made the thing, while nothing depends on it. */
const ofTakingBack = <Needed extends Right>(right: Needed) =>
  ({
    access: 'write',
    right,
    submit: 'Undo',
    isTyped: false,
    forPeopleOnly: true,
    rules: [{ name: 'taking back a quiz or user that the person has just made' }],
  }) as const;

export const takeBackQuiz = defineOperation({
  ...ofTakingBack('edit_quizzes'),
  name: 'take-back-quiz',
  title: say`Undo`,
  command: '/quiz take-back <quiz>',
  summary: 'Take back a quiz that you have just made',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' } },
  action: ({ quiz }) => say`take back ${named(quiz.name)}`,
  effect: (_, { quiz }) => say`${named(quiz.name)} would be deleted for good. It has no responses.`,
  done: ({ quiz }) => takenBack(named(quiz.name)),
  async run(context, { quiz }) {
    const { api, directory, call } = context;
    await mustBeTheirs(context, 'quiz', quiz.quiz_id);
    const [responses, groups, users] = await Promise.all([
      api.responses.list(quiz.quiz_id, call),
      api.quizzes.groups(quiz.quiz_id, call),
      directory.users.fresh(call),
    ]);
    const isAssigned = users.some(({ quizzes }) => quizzes.some(({ quiz_id }) => quiz_id === quiz.quiz_id));
    if (responses.length > 0 || groups.length > 0 || isAssigned) throw inUse('quiz', quiz.name);
    await api.quizzes.delete(quiz.quiz_id, call);
    directory.quizzes.remove(quiz);
    return takenBack(named(quiz.name));
  },
});

export const takeBackUser = defineOperation({
  ...ofTakingBack('manage_users'),
  name: 'take-back-user',
  title: say`Undo`,
  command: '/quiz-user take-back <user>',
  summary: 'Take back a user whom you have just created',
  fields: { user: { kind: 'user', label: 'User' } },
  onUser: ({ user }) => ({ user, to: 'deleted' }),
  takesTurn: true,
  action: ({ user }) => say`take back ${namedUser(user, recordName)}`,
  effect: (_, { user }) => say`${namedUser(user, recordName)}, ${aType(user.user_type)}, would be deleted for good.`,
  done: ({ user }) => takenBack(namedUser(user)),
  async run(context, { user }) {
    const { api, directory, call } = context;
    const made = await mustBeTheirs(context, 'user', user.user_id);
    const { user_type, quizzes, trainerquizzes, groups } = await api.users.get(user.user_id, call);
    // Administrators answer for others: they are deleted with approval only.
    const others = groups.filter(({ group_id }) => !made.some(({ kind, id }) => kind === 'group' && id === group_id));
    if (user_type === 'administrator' || quizzes.length + trainerquizzes.length + others.length > 0)
      throw inUse('user', namedUser(user));
    await api.users.delete(user.user_id, call);
    directory.users.remove(user);
    return takenBack(namedUser(user));
  },
});

function takenBack(name: string): DoneResult {
  return { kind: 'done', message: say`Took back ${name}.` };
}

function inUse(field: 'quiz' | 'user', name: string): InvalidInputError {
  return new InvalidInputError(field, say`${name} is in use already, so it can’t be taken back any more.`);
}

/**
 * What else was named when it was made, such as groups.
 * @throws {InvalidInputError} unless the record says that the person made it within the last ten minutes
 */
async function mustBeTheirs(
  { records, actor, now }: OperationContext,
  kind: 'quiz' | 'user',
  id: string,
): Promise<readonly { kind: string; id: string }[]> {
  const since = now() - takenBackForMs;
  for (let before: number | undefined; ;) {
    const links = await records.latestLinks(linksAtOnce, before);
    const made = links.find(
      ({ entry }) =>
        entry.at >= since &&
        entry.action === 'done' &&
        entry.by === actor.personId &&
        makers.has(entry.operation) &&
        entry.targets?.some((target) => target.kind === kind && target.id === id),
    );
    if (made) return made.entry.targets ?? [];
    const last = links.at(-1);
    if (last === undefined || last.entry.at < since)
      throw new InvalidInputError(kind, say`Only who made it can take it back, for ten minutes.`);
    before = last.position;
  }
}

const makers: ReadonlySet<string> = new Set(['create-quiz', 'copy-quiz', 'create-user']);
