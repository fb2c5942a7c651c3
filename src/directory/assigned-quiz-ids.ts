import { setImmediate as nextTurn } from 'node:timers/promises';
import type { User } from '../quiz-api/users.ts';
import type { NamedList } from './named-list.ts';
import type { QuizGroups } from './quiz-groups.ts';

const agesAfterMs = 15 * 60_000;
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
