import type { Log } from '../../observability/log.ts';
import { InvalidInputError, UnclearInputError } from '../../operations/errors.ts';
import type { UnclearValue } from '../../operations/fields/field-kind.ts';
import type { Operation } from '../../operations/operation.ts';
import { failedWith, failedFor, QuizApiError } from '../../quiz-api/errors.ts';
import { say } from '../../domain/said.ts';
import { PlatformError } from '../../domain/errors.ts';
import { StoreAwayError, StoreFullError } from '../../storage/storage.ts';
import { UsersBusyError } from '../rights/user-protection.ts';

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

export function createRunOperation(deps: {
  log: Log;
  now: () => number;
  /** Counts what the platform did not do for a person. */
  countRefused: (error: unknown) => void;
}): RunOperation {
  const { log, now, countRefused } = deps;

  return async (operation, correlationId, work) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnclearInputError) return { field: error.field, ...error.unclear };
      if (error instanceof InvalidInputError) return { kind: 'invalid', field: error.field, message: error.message };
      const { message, isOurs } = explainFailure(error, correlationId, now());
      log[isOurs ? 'error' : 'warn']({ error, correlationId, operation: operation.name }, 'operation failed');
      countRefused(error);
      const field =
        failedFor(error, 'bad request') && error.serviceMessage
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
  return failedWith(error, 'mayBeDone') && error.method !== 'GET';
}

/** The field that the service’s message names, as `user_name` or “user name”. Of several, the longest name. */
function fieldNamedIn(message: string, operation: Operation): string | undefined {
  const words = message.toLowerCase();
  const names = Object.keys(operation.fields).toSorted((a, b) => b.length - a.length);
  return names.find((name) => words.includes(name) || words.includes(name.replaceAll('_', ' ')));
}

/**
 * Says what went wrong and what the person can do, as a sentence of `domain/sentence.ts`.
 *
 * @returns `isOurs` for faults of the bot or its setup, which the log shows as errors
 */
export function explainFailure(
  error: unknown,
  correlationId: string,
  nowMs: number,
): { message: string; isOurs: boolean } {
  const ifItLasts = say`If it keeps failing, give your administrator the reference ${correlationId}.`;
  const forSetup = say`Ask your administrator to check it (reference ${correlationId}).`;
  // As a cause, too: the request budget is in the store.
  const store = error instanceof Error && error.cause instanceof StoreAwayError ? error.cause : error;
  if (store instanceof StoreFullError) {
    return {
      isOurs: true,
      message: `${say`The bot can’t write to its own database, so nothing can change right now. Its memory may be full.`} ${forSetup}`,
    };
  }
  if (store instanceof StoreAwayError) {
    return {
      isOurs: true,
      message: `${say`The bot can’t reach its own database right now. Try again in a minute.`} ${ifItLasts}`,
    };
  }
  if (error instanceof QuizApiError) {
    const { says, ends, isOurs = false } = error.facts;
    const sentence = typeof says === 'string' ? says : says(error, correlationId);
    const endings = {
      'if it lasts': ifItLasts,
      'for setup': forSetup,
      when: tryAgainAt(error.availableAt?.getTime() ?? nowMs, nowMs),
    };
    return { isOurs, message: ends === undefined ? sentence : `${sentence} ${endings[ends]}` };
  }
  if (codeOf(error) === 'ERR_SQLITE_ERROR') {
    return {
      isOurs: true,
      message: `${say`The bot can’t write to its own database, so nothing can change right now. Its disk may be full.`} ${forSetup}`,
    };
  }
  if (error instanceof UsersBusyError)
    return { isOurs: false, message: say`Other people are changing users right now. Try again in a minute.` };
  if (error instanceof PlatformError && error.explanation !== undefined)
    return explainPlatformError(error, error.explanation, { ifItLasts, forSetup });
  return {
    isOurs: true,
    message: say`Something went wrong in the bot. Try again, and if it keeps failing, give your administrator the reference ${correlationId}.`,
  };
}

/** Explains errors of the chat platform: those that pass by themselves, and those that need somebody to change a setting. */
function explainPlatformError(
  { kind, retryAfterMs }: PlatformError,
  explanation: string,
  { ifItLasts, forSetup }: { ifItLasts: string; forSetup: string },
): { message: string; isOurs: boolean } {
  switch (kind) {
    case 'rate_limited':
      return {
        isOurs: false,
        message: `${explanation} ${tryAgainIn(Math.ceil((retryAfterMs ?? 0) / 1000) || 60)} ${ifItLasts}`,
      };
    case 'unclear':
      return { isOurs: false, message: `${explanation} ${say`Try again in a minute.`} ${ifItLasts}` };
    case 'closed':
    case 'forbidden':
      return { isOurs: true, message: `${explanation} ${ifItLasts}` };
    default:
      return { isOurs: true, message: `${explanation} ${forSetup}` };
  }
}

function codeOf(error: unknown): unknown {
  return Object(error).code;
}

function tryAgainAt(atMs: number, nowMs: number): string {
  return tryAgainIn(Math.max(1, Math.ceil((atMs - nowMs) / 1000)));
}

function tryAgainIn(seconds: number): string {
  if (seconds === 1) return say`Try again in a second.`;
  return seconds < 90 ? say`Try again in ${seconds} seconds.` : say`Try again in ${Math.ceil(seconds / 60)} minutes.`;
}
