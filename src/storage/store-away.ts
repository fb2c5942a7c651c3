import { InvigilatorError } from '../domain/errors.ts';

/** The store does not answer: what was asked of it may or may not have been done, and works again when it is back. */
export class StoreAwayError extends InvigilatorError {
  readonly code = 'store_away';

  constructor(cause: unknown) {
    super(`the store is away: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
