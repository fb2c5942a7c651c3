import type { Account } from '../account.ts';
import type { Answer } from './answer.ts';
import type { Form } from './form.ts';
import { notFound } from '../http/http-error.ts';
import type { PathParameters, Route } from '../http/router.ts';
import { findGroup, type Group } from '../store/groups.ts';
import { findQuiz, type Quiz } from '../store/quizzes.ts';
import { findResponse, type Response } from '../store/responses.ts';
import { findUser, type User } from '../store/users.ts';

interface Call<Parameter extends string> {
  parameters: Record<Parameter, string>;
  form: Form;
  account: Account;
}

type Operation = Route<(call: Call<string>) => Answer | Promise<Answer>>;

/** Defines an operation of the specification's section 4. */
export function operation<Path extends string>(
  method: 'GET' | 'POST' | 'DELETE',
  path: Path,
  run: (call: Call<PathParameters<Path>>) => Answer | Promise<Answer>,
): Operation {
  return { method, path: `/api/v1${path}`, run };
}

// Each of these throws HttpError 404 when the resource does not exist.

export function requireQuiz(account: Account, quizId: string): Quiz {
  return found(findQuiz(account.database, quizId), 'quiz', quizId);
}

export function requireUser(account: Account, userId: string): User {
  return found(findUser(account.database, userId), 'user', userId);
}

export function requireGroup(account: Account, groupId: string): Group {
  return found(findGroup(account.database, groupId), 'group', groupId);
}

/** A response of another quiz counts as missing. */
export function requireResponse(account: Account, quizId: string, responseId: string): Response {
  requireQuiz(account, quizId);
  const response = findResponse(account.database, responseId, account.publicUrl());
  return found(response?.quiz_id === quizId ? response : undefined, 'response', responseId);
}

function found<Thing>(thing: Thing | undefined, kind: string, id: string): Thing {
  if (thing === undefined) throw notFound(`There is no ${kind} ${id}.`);
  return thing;
}
