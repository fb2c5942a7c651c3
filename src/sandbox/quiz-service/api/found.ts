import type { Account } from '../account.ts';
import { findGroup, type Group } from '../store/groups.ts';
import { findQuiz, type Quiz } from '../store/quizzes.ts';
import { findResponse, type Response } from '../store/responses.ts';
import { findUser, type User } from '../store/users.ts';
import { notFound } from '../http/refusal.ts';

// What a call names, in its path or in its body, is there or the answer is 404.

export function foundQuiz(account: Account, quizId: string): Quiz {
  return found(findQuiz(account.database, quizId), 'quiz', quizId);
}

export function foundUser(account: Account, userId: string): User {
  return found(findUser(account.database, userId), 'user', userId);
}

export function foundGroup(account: Account, groupId: string): Group {
  return found(findGroup(account.database, groupId), 'group', groupId);
}

/** A response of another quiz than the named one is not there either. */
export function foundResponse(account: Account, quizId: string, responseId: string): Response {
  foundQuiz(account, quizId);
  const response = findResponse(account.database, responseId, account.publicUrl());
  return found(response?.quiz_id === quizId ? response : undefined, 'response', responseId);
}

function found<Thing>(thing: Thing | undefined, kind: string, id: string): Thing {
  if (thing === undefined) throw notFound(`There is no ${kind} ${id}.`);
  return thing;
}
