import { minuteMs } from '../domain/durations.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Quiz, Group, User } from '../quiz-api/records.ts';
import { createNamedList, type NamedList } from './named-list.ts';
import { fullName, ownName } from './names.ts';
import { createQuizGroups, type QuizGroups } from './quiz-groups.ts';
import { whoseAttemptAmong } from './whose-attempt.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type { NamedList } from './named-list.ts';

/** The account's quizzes, users and groups, cached so that pickers and rights do not wait for the service. */
export type Directory = ReturnType<typeof createDirectory>;

export function createDirectory(deps: {
  api: QuizApi;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
}) {
  const { api, now, onBackgroundError } = deps;
  const usual = { now, onBackgroundError };
  const quizzes = createNamedList<Quiz>({
    ...usual,
    load: (call, known) => api.quizzes.list(call, known),
    agesAfterMs: minuteMs,
    id: (quiz) => quiz.quiz_id,
    names: (quiz) => [quiz.name],
  });
  const users = createNamedList<User>({
    ...usual,
    load: (call, known) => api.users.list(call, known),
    agesAfterMs: 5 * minuteMs,
    agesInBackgroundAfterMs: 15 * minuteMs,
    id: (user) => user.user_id,
    names: (user) => [ownName(user)],
    privateNames: (user) => [fullName(user), user.user_name, user.email_address],
  });
  const groups = createNamedList<Group>({
    ...usual,
    load: (call, known) => api.groups.list(call, known),
    agesAfterMs: 5 * minuteMs,
    id: (group) => group.group_id,
    names: (group) => [group.group_name],
  });
  const quizGroups = createQuizGroups(deps);
  return {
    quizzes,
    users,
    groups,
    quizGroups,
    assignedQuizIds: createAssignedQuizIds({ users, quizGroups, now }),
    /** By the users at hand. */
    whoseAttempt: async () => whoseAttemptAmong(await users.get({ priority: 'background' })),
    /** Loads the three lists with background priority. */
    async load() {
      await Promise.all([users, quizzes, groups].map((list) => list.refresh({ priority: 'background' })));
    },
  };
}

const agesAfterMs = 15 * minuteMs;
const usersInSlice = 10_000;

/** Finds the quizzes that are assigned to active users, or to groups as far as it is known. The answer is up to 15 minutes old. */
export function createAssignedQuizIds(deps: {
  users: Pick<NamedList<User>, 'get'>;
  quizGroups: Pick<QuizGroups, 'assigned'>;
  now: () => number;
}): () => Promise<ReadonlySet<string>> {
  const { users, quizGroups, now } = deps;
  let known: { ids: ReadonlySet<string>; at: number } | undefined;

  return async () => {
    if (known && now() - known.at < agesAfterMs) return known.ids;
    const ids = new Set(quizGroups.assigned());
    for (const [index, { suspended, quizzes }] of (await users.get({ priority: 'background' })).entries()) {
      if (index % usersInSlice === usersInSlice - 1) await nextTurn();
      if (!suspended) for (const { quiz_id } of quizzes) ids.add(quiz_id);
    }
    known = { ids, at: now() };
    return ids;
  };
}
