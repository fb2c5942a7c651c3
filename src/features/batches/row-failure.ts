import { say } from '../../domain/said.ts';
import { PlatformError } from '../../domain/errors.ts';
import { named } from '../../domain/sentence.ts';
import { explainFailure } from '../../governance/perform/failures.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { UsersBusyError } from '../../governance/rights/user-protection.ts';
import {
  BadRequestError,
  BudgetError,
  FirewallError,
  ForbiddenError,
  NotFoundError,
  QuizApiError,
  RateLimitedError,
  SslRequiredError,
  WrongAddressError,
  mayBeDone,
} from '../../quiz-api/errors.ts';
import { StoreAwayError } from '../../storage/storage.ts';
import { backoffMs } from '../../time/backoff.ts';

/** Where a row failed: before anything was sent, at the look-up, or when it was sent for the first time or again. */
export type RowPhase = 'before' | 'look-up' | 'first' | 'again';

/**
 * What a failed row means for its batch. `row`: this row fails. `stop`: no row can be carried out until a person acts. `wait`: it
 * is tried again at `until`, or after a pause. `store`: the store failed, and knows more when it is back.
 * `isUnsent`: the service has not made the change.
 */
export type RowFailure = { isUnsent: boolean } & (
  { kind: 'row' | 'stop'; message: string } | { kind: 'wait'; until?: number } | { kind: 'store' }
);

/** How long a batch rests after failures in a row, in milliseconds. */
export function pauseMs(failures: number): number {
  return backoffMs(failures, { firstMs: 2_000, longestMs: 60_000 });
}

/**
 * @param about.wasSent whether a change was sent before the error
 * @param about.now in milliseconds since the epoch
 */
export function causeOf(
  error: unknown,
  {
    correlationId,
    wasSent,
    phase,
    name,
    now,
  }: { correlationId: string; wasSent: boolean; phase: RowPhase; name: string; now: number },
): RowFailure {
  const explained = () => explainFailure(error, correlationId, now).message;
  if (error instanceof InvalidInputError) return { kind: 'row', message: error.message, isUnsent: true };
  if (isOfStore(error)) return { kind: 'store', isUnsent: false };
  if (error instanceof BudgetError) return { kind: 'wait', until: error.availableAt.getTime(), isUnsent: !wasSent };
  if (error instanceof RateLimitedError) return { kind: 'wait', until: error.retryAt.getTime(), isUnsent: !wasSent };
  if (isSetupProblem(error)) return { kind: 'stop', message: explained(), isUnsent: true };
  if (mayBeDone(error)) return { kind: 'wait', isUnsent: false };
  // A repeated request can be refused because the first one was carried out.
  if (phase === 'again' && (error instanceof BadRequestError || error instanceof NotFoundError))
    return { kind: 'wait', isUnsent: false };
  if (error instanceof NotFoundError)
    return { kind: 'row', message: say`${named(name)} is no longer in the quiz account.`, isUnsent: true };
  if (error instanceof PlatformError || error instanceof UsersBusyError) return { kind: 'wait', isUnsent: !wasSent };
  if (error instanceof QuizApiError && !(error instanceof BadRequestError)) return { kind: 'wait', isUnsent: !wasSent };
  return { kind: 'row', message: explained(), isUnsent: true };
}

function isOfStore(error: unknown): boolean {
  const away = [error, Object(error).cause].some((cause) => cause instanceof StoreAwayError);
  return away || Object(error).code === 'ERR_SQLITE_ERROR';
}

/** What a person has to put right before the service takes any change. */
function isSetupProblem(error: unknown): boolean {
  if (error instanceof NotFoundError) return !error.isFromService;
  return [ForbiddenError, FirewallError, SslRequiredError, WrongAddressError].some((type) => error instanceof type);
}
