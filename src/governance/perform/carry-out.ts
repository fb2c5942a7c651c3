import type { OperationContext } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import type { DoneResult, OperationResult } from '../../operations/page.ts';
import { unconfirmed } from '../../operations/wording/words.ts';
import { isUnclear, sendsAtMost } from '../../operations/change-each.ts';
import { failedFor, failedWith, isNotFound, type QuizApiError } from '../../quiz-api/errors.ts';
import { refetch, targetsOf, type OperationInput } from './meaning.ts';
import { InvalidInputError, UnclearInputError, type UnclearValue } from '../../operations/text-input.ts';
import { say, inEnglish } from '../../domain/said.ts';
import type { Log } from '../../observability/log.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { resultOnRecord, type RecordOperation } from '../audit/record.ts';
import { explainFailure } from './failures.ts';

/** What is made: an operation with its input, as the person or the approver may make it now. */
export interface Judged {
  operation: Operation;
  input: OperationInput;
  context: OperationContext;
}

/** Stores that users are to be told about a quiz. `by`: the person of the platform who assigned it. */
export type PutAssigned = (teamId: string, by: string, assigned: NonNullable<DoneResult['assigned']>) => Promise<void>;

/**
 * Makes a change that was admitted: nothing else runs an operation. Users who got a quiz are told.
 *
 * @param by the person who ran or requested it; undefined for a row, whose batch tells them
 * @throws the error of the run, unless the change turns out to be made
 */
export type CarryOut = (judged: Judged, by?: { teamId: string; personId: string }) => Promise<OperationResult>;

export function createCarryOut({ putAssigned, log }: { putAssigned: PutAssigned; log: Log }): CarryOut {
  return async (judged, by) => {
    const result = await runAndLook(judged);
    // The change is made, whether or not they can be told.
    if (by && result.kind === 'done' && result.assigned?.users.length)
      await putAssigned(by.teamId, by.personId, result.assigned).catch((error: unknown) => {
        log.error({ error, quiz: result.assigned?.quizId }, 'users who got a quiz could not be told');
      });
    return result;
  };
}

/**
 * Runs an operation, unless things already are as it would make them. Where the quiz service gives no clear answer, its
 * targets are read again: a change that has been made is not reported as failed, and sent again only where it has not.
 */
async function runAndLook(judged: Judged): Promise<OperationResult> {
  const { operation, context, input } = judged;
  const unchanged = await noChange(judged);
  if (unchanged) return unchanged;
  const isLookedUp = operation.access === 'write' && operation.isDone !== undefined;
  const running = isLookedUp ? { ...context, call: { ...context.call, isLookedUp } } : context;
  // Operations with rows look up each of them, and batches send a row again in its own time.
  const isSentAgain = isLookedUp && !operation.makesNew && !operation.rows && !context.isOneOfMany;
  let firstError: unknown;
  for (let sends = 1; ; sends += 1) {
    try {
      return await operation.run(running, input);
    } catch (error) {
      firstError ??= error;
      // What was sent before says more than that it had no turn.
      if (operation.access === 'read' || !isUnclear(error, sends))
        throw failedWith(error, 'hadNoTurn') ? firstError : error;
      const looked = await lookUp(judged).then(
        (made) => ({ made }),
        () => undefined,
      );
      if (looked?.made) return looked.made;
      if (!looked || !isSentAgain || !failedWith(error, 'passesSoon') || sends === sendsAtMost) throw firstError;
    }
  }
}

/**
 * The result of a change whose answer was lost; undefined where it was not made.
 * @throws QuizApiError where the service cannot be asked
 */
export async function lookUp(judged: Judged): Promise<DoneResult | undefined> {
  const { operation, context, input } = judged;
  if (operation.findMade) return operation.findMade(context, input);
  if (!(await isMade(judged))) return undefined;
  const result: DoneResult = operation.done?.(input) ?? { kind: 'done', message: say`The change was made.` };
  return { ...result, message: `${result.message} ${unconfirmed}` };
}

/**
 * The result of an operation that would change nothing; undefined for others. The directory can be minutes old, so the
 * service is asked before a person reads that nothing changed. Where the directory knows of a difference, it costs nothing.
 * The groups of a quiz are the only thing that the directory may not know yet.
 */
export async function noChange(judged: Judged): Promise<DoneResult | undefined> {
  const { operation, context, input } = judged;
  if (!operation.noChange || operation.isDone?.(input, context.directory) === false) return undefined;
  const now = await readNow(judged);
  if ('gone' in now || !operation.isDone?.(now.input, context.directory)) return undefined;
  // There is nothing to undo: it would take away what was there before.
  const next = operation.done?.(now.input).next?.filter(({ label }) => inEnglish(label) !== 'Undo');
  return { kind: 'done', message: operation.noChange(now.input), isNoChange: true, ...(next && { next }) };
}

async function isMade(judged: Judged): Promise<boolean> {
  const { operation, context } = judged;
  try {
    const now = await readNow(judged);
    return 'gone' in now
      ? operation.access === 'destructive'
      : (operation.isDone?.(now.input, context.directory) ?? false);
  } catch (error) {
    // Services also answer with a page where something is gone: the lists tell.
    if (operation.access !== 'destructive') throw error;
    return isGoneFromLists(judged);
  }
}

async function readNow({ operation, context, input }: Judged): ReturnType<typeof refetch> {
  return operation.reread ? { input: await operation.reread(context, input) } : refetch(operation, input, context);
}

async function isGoneFromLists({ operation, context: { directory, call }, input }: Judged): Promise<boolean> {
  const [target, ...others] = targetsOf(operation, input);
  if (target === undefined || others.length > 0 || !(target.kind === 'user' || target.kind === 'quiz')) return false;
  const list = target.kind === 'user' ? directory.users : directory.quizzes;
  await list.refresh(call);
  return (await list.names(call)).byId(target.id) === undefined;
}

export type RunResult =
  | { kind: 'done'; result: OperationResult | undefined }
  | { kind: 'failed'; message: string }
  /** Nothing was sent: the change would have had to wait for its turn, and what was checked would have aged. */
  | { kind: 'late'; error: QuizApiError };

/**
 * Runs what was approved, and records what came of it, unless it comes late. Never rejects.
 *
 * @param request as it was before this run; `startedAt` means that a crash cut an earlier run short
 */
export type RunApproved = (request: ApprovalRequest, judged: Judged, by: string) => Promise<RunResult>;

export function createRunApproved(deps: {
  runOperation: RunOperation;
  carryOut: CarryOut;
  record: RecordOperation;
  metrics: Metrics;
  newCorrelationId: () => string;
}): RunApproved {
  return async (request, judged, by) => {
    const { operation, input, context } = judged;
    const correlationId = deps.newCorrelationId();
    const ran = await deps.runOperation(operation, correlationId, async () => runAgain());
    if (ran.kind === 'late') return ran;
    const result: RunResult =
      ran.kind === 'done'
        ? ran
        : {
            kind: 'failed',
            message:
              ran.kind === 'unclear'
                ? say`What was approved now matches several things, so nothing was changed. Request it again.`
                : ran.message,
          };
    deps.metrics.operations.inc({ operation: operation.name, outcome: result.kind });
    await deps.record(
      { teamId: request.teamId, by, through: 'approval', request: request.id, correlationId },
      { operation, input },
      result.kind === 'done'
        ? { action: 'done', ...resultOnRecord(result.result) }
        : { action: 'failed', message: result.message },
    );
    return result;

    /** A deletion that reached the service before a crash finds nothing to delete: it is done. */
    async function runAgain(): Promise<Extract<RunResult, { kind: 'done' | 'late' }>> {
      try {
        const requester = { teamId: request.teamId, personId: request.requesterId };
        return { kind: 'done', result: await deps.carryOut(judged, requester) };
      } catch (error) {
        if (isNotFound(error) && operation.access === 'destructive' && request.startedAt !== undefined)
          return { kind: 'done', result: undefined };
        const { turns } = context.call;
        if (failedWith(error, 'hadNoTurn') && turns && turns.waitLeftMs !== Infinity) return { kind: 'late', error };
        throw error;
      }
    }
  };
}

/** Why nothing came of an operation, as a sentence of `domain/said.ts`. */
export type Failure =
  /** The input of this field was wrong. `isUnderstood`: all of it made sense, and does not go with what the account has. */
  | { kind: 'invalid'; field: string; message: string; isUnderstood?: true }
  /** The input of this field fits several things, which the person can choose from. */
  | ({ field: string } & UnclearValue)
  | { kind: 'failed'; message: string };

export type RunOperation = ReturnType<typeof createRunOperation>;

/** Runs work of an operation and explains its error to the person; the log gets the error itself. Never rejects. */
export function createRunOperation(deps: {
  log: Log;
  now: () => number;
  /** Counts what the platform did not do for a person. */
  countRefused: (error: unknown) => void;
}) {
  const { log, now, countRefused } = deps;

  return async <Result>(
    operation: Operation,
    correlationId: string,
    work: () => Promise<Result>,
  ): Promise<Result | Failure> => {
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
        operation.makesNew && mayHaveWorked(error)
          ? ` ${say`It may have worked all the same, so check the list before you try again.`}`
          : '';
      return { kind: 'failed', message: message + caution };
    }
  };
}

/** Whether the service got a change and did not say what came of it. */
function mayHaveWorked(error: unknown): boolean {
  return failedWith(error, 'mayBeDone') && error.method !== 'GET';
}

/** The field that the service’s message names, as `user_name` or “user name”. Of several, the longest name. */
function fieldNamedIn(message: string, operation: Operation): string | undefined {
  const words = message.toLowerCase();
  const names = Object.keys(operation.fields).toSorted((a, b) => b.length - a.length);
  return names.find((name) => words.includes(name) || words.includes(name.replaceAll('_', ' ')));
}
