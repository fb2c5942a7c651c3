import type { Log } from '../../observability/log.ts';
import { InvalidInputError, UnclearInputError } from '../../operations/errors.ts';
import type { UnclearValue } from '../../operations/fields/field-kind.ts';
import type { Operation } from '../../operations/operation.ts';
import { BadRequestError, QuizApiError, mayBeDone } from '../../quiz-api/errors.ts';
import { explainFailure } from './explain-failure.ts';
import { say } from '../../domain/said.ts';

/** Why nothing came of an operation, as a sentence of `domain/sentence.ts`. */
export type Failure =
  /** The input of this field was wrong. `isUnderstood`: all of it made sense, and does not go with what the account has. */
  | { kind: 'invalid'; field: string; message: string; isUnderstood?: true }
  /** The input of this field fits several things, which the person can choose from. */
  | ({ field: string } & UnclearValue)
  | { kind: 'failed'; message: string };

/** Runs work of an operation and explains its error to the person; the log gets the error itself. Never rejects. */
export type RunOperation = <Result>(
  operation: Operation,
  correlationId: string,
  work: () => Promise<Result>,
) => Promise<Result | Failure>;

export function createRunOperation({ log, now }: { log: Log; now: () => number }): RunOperation {
  return async (operation, correlationId, work) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnclearInputError) return { field: error.field, ...error.unclear };
      if (error instanceof InvalidInputError) return { kind: 'invalid', field: error.field, message: error.message };
      const { message, isOurs } = explainFailure(error, correlationId, now());
      log[isOurs ? 'error' : 'warn']({ error, correlationId, operation: operation.name }, 'operation failed');
      const field =
        error instanceof BadRequestError && error.serviceMessage
          ? fieldNamedIn(error.serviceMessage, operation)
          : undefined;
      if (field !== undefined) return { kind: 'invalid', field, message };
      const caution =
        operation.makesNew && isUnclear(error)
          ? ` ${say`It may have worked all the same, so check the list before you try again.`}`
          : '';
      return { kind: 'failed', message: message + caution };
    }
  };
}

/** Whether the service got a change and did not say what came of it. */
function isUnclear(error: unknown): boolean {
  return mayBeDone(error) && error instanceof QuizApiError && error.method !== 'GET';
}

/** The field that the service’s message names, as `user_name` or “user name”. Of several, the longest name. */
function fieldNamedIn(message: string, operation: Operation): string | undefined {
  const words = message.toLowerCase();
  const names = Object.keys(operation.fields).toSorted((a, b) => b.length - a.length);
  return names.find((name) => words.includes(name) || words.includes(name.replaceAll('_', ' ')));
}
