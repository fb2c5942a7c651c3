import { BeyondGroupsError, OutsideGroupsError } from '../../quiz-api/errors.ts';
import { beyondGroups, type BeyondGroups } from './reach.ts';

const refused = {
  quiz: { operation: 'quizzes.get', method: 'GET', path: '/v1/quizzes/{quiz_id}' },
  response: { operation: 'responses.get', method: 'GET', path: '/v1/quizzes/{quiz_id}/responses/{response_id}' },
  user: { operation: 'users.get', method: 'GET', path: '/v1/users/{user_id}' },
  group: { operation: 'groups.list', method: 'GET', path: '/v1/groups' },
} as const;

/** The error for what does not belong to the bot. It has no ID: the log has it, too. */
export function outside(what: keyof typeof refused): OutsideGroupsError {
  return new OutsideGroupsError(refused[what]);
}

/** @throws {BeyondGroupsError} for a change that reaches too far */
export function refuseBeyond(beyond: BeyondGroups | undefined, what: keyof typeof refused): void {
  if (beyond !== undefined) throw new BeyondGroupsError(refused[what], beyondGroups[beyond]);
}
