import { QuizApiError } from '../../quiz-api/errors.ts';
import { say } from '../../domain/said.ts';
import { PlatformError } from '../../domain/errors.ts';
import { StoreAwayError, StoreFullError } from '../../storage/storage.ts';
import { UsersBusyError } from '../rights/user-protection.ts';

/**
 * Says what went wrong and what the person can do, as a sentence of `domain/said.ts`.
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
  const ours = (sentence: string, end: string) => ({ isOurs: true, message: `${sentence} ${end}` });
  if (store instanceof StoreFullError)
    return ours(
      say`The bot can’t write to its own database, so nothing can change right now. Its memory may be full.`,
      forSetup,
    );
  if (store instanceof StoreAwayError)
    return ours(say`The bot can’t reach its own database right now. Try again in a minute.`, ifItLasts);
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
  if (codeOf(error) === 'ERR_SQLITE_ERROR')
    return ours(
      say`The bot can’t write to its own database, so nothing can change right now. Its disk may be full.`,
      forSetup,
    );
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
