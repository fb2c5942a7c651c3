import type { Account } from '../account.ts';
import { type Answer, okMessage } from '../face.ts';
import { badRequest, notFound, type PathParameters, type Route, unprocessable } from '../http.ts';
import { assign, type Assignments, findGroup, type Group, unassign, findQuiz, type Quiz } from '../store/quizzes.ts';
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

/** Defines the two operations that assign something and take the assignment back. */
export function assigning<Path extends string, Table extends keyof Assignments>(
  path: Path,
  table: Table,
  read: (call: Call<PathParameters<Path>>) => Assignments[Table],
): Operation[] {
  const changing = (method: 'POST' | 'DELETE', change: typeof assign) =>
    operation(method, path, (call) => {
      change(call.account.database, table, read(call));
      return okMessage;
    });
  return [changing('POST', assign), changing('DELETE', unassign)];
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

const formType = 'application/x-www-form-urlencoded';

/** A form-encoded body. Ignores unknown parameters. The first of repeated parameters counts. */
export class Form {
  readonly #parameters: URLSearchParams;

  constructor(parameters: URLSearchParams) {
    this.#parameters = parameters;
  }

  optional(name: string): string | undefined {
    return this.#parameters.get(name) ?? undefined;
  }

  /** @throws HttpError 422 when the parameter is missing or blank */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined || value.trim() === '') throw unprocessable(`The parameter ${name} is required.`);
    return value;
  }

  /** Like `required`, but accepts blanks. */
  requiredAsTyped(name: string): string {
    return this.optional(name) || this.required(name);
  }

  /** Like `required`, but the parameter may be absent. */
  optionalFilled(name: string): string | undefined {
    return this.optional(name) === undefined ? undefined : this.required(name);
  }

  /** @throws HttpError 422 when the value is none of the choices */
  optionalChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.optional(name);
    if (value === undefined) return undefined;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw unprocessable(`The parameter ${name} must be one of ${choices.join(', ')}.`);
    return choice;
  }

  /** @throws HttpError 422 when the value is neither true nor false */
  optionalFlag(name: string): boolean | undefined {
    const choice = this.optionalChoice(name, ['true', 'false']);
    return choice === undefined ? undefined : choice === 'true';
  }
}

/** @throws HttpError 400 when the body has another content type */
export function parseForm(body: Buffer, contentType: string | undefined): Form {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (body.length > 0 && type !== formType) throw badRequest(`The body must be ${formType}.`);
  return new Form(new URLSearchParams(body.toString('utf8')));
}
