import { PlatformError } from '../domain/errors.ts';
import {
  BadRequestError,
  BudgetError,
  PersonShareError,
  ConnectionError,
  FirewallError,
  ForbiddenError,
  NotFoundError,
  NotJsonError,
  QuizApiError,
  RateLimitedError,
  ServiceError,
  SslRequiredError,
  TimeoutError,
  WrongAddressError,
} from '../quiz-api/errors.ts';
import { StoreAwayError } from '../storage/storage.ts';
import { UsersBusyError } from './user-protection.ts';

/**
 * Says what went wrong and what the person can do, in plain text.
 *
 * @returns `isOurs` for faults of the bot or its setup, which the log shows as errors
 */
export function explainFailure(error: unknown, correlationId: string, nowMs: number): { message: string; isOurs: boolean } {
  // As a cause, too: the request budget is in the store.
  if (error instanceof StoreAwayError || (error instanceof Error && error.cause instanceof StoreAwayError)) {
    return { isOurs: true, message: `The bot’s store is away, so it can do nothing right now. Try again in a minute (reference ${correlationId}).` };
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServiceError || error instanceof NotJsonError) {
    return { isOurs: false, message: `The quiz service is not answering right now. Try again in a minute (reference ${correlationId}).` };
  }
  if (error instanceof PersonShareError) return { isOurs: false, message: shareSentence(error.availableAt, nowMs) };
  if (error instanceof BudgetError) return { isOurs: false, message: waitSentence(error.availableAt, nowMs) };
  if (error instanceof RateLimitedError) return { isOurs: false, message: waitSentence(error.retryAt, nowMs) };
  if (error instanceof WrongAddressError) {
    return { isOurs: true, message: `The bot looks for the quiz service at the wrong address. The person who runs the bot can correct QUIZ_API_URL (reference ${correlationId}).` };
  }
  if (error instanceof SslRequiredError) {
    return { isOurs: true, message: `The quiz service accepts https only. The person who runs the bot can correct QUIZ_API_URL (reference ${correlationId}).` };
  }
  if (error instanceof FirewallError) {
    return { isOurs: true, message: `A firewall in front of the quiz service blocks the bot. The person who runs the bot can ask for access (reference ${correlationId}).` };
  }
  if (error instanceof NotFoundError && !error.isFromService) {
    return { isOurs: true, message: `The quiz service answered with a web page: this may be deleted, or the bot has the wrong address. Look at the list again, or ask the person who runs the bot to check QUIZ_API_URL (reference ${correlationId}).` };
  }
  if (error instanceof NotFoundError) {
    return { isOurs: false, message: 'The quiz service does not know this any more: somebody may have deleted it. Look at the list again.' };
  }
  if (error instanceof BadRequestError) {
    return { isOurs: false, message: `The quiz service refused this: ${error.serviceMessage ?? 'it gave no reason'}.` };
  }
  if (error instanceof ForbiddenError) {
    return { isOurs: true, message: `The quiz service refuses the bot’s API key. Tell whoever runs the bot (reference ${correlationId}).` };
  }
  if (error instanceof QuizApiError) {
    return { isOurs: true, message: `The quiz service gave an answer the bot does not understand. Tell whoever runs the bot (reference ${correlationId}).` };
  }
  if (codeOf(error) === 'ERR_SQLITE_ERROR') {
    return { isOurs: true, message: `The bot’s store takes nothing right now, so it can do nothing. Tell whoever runs the bot: its disk may be full (reference ${correlationId}).` };
  }
  if (error instanceof UsersBusyError) {
    return { isOurs: false, message: 'Other changes of users are being made right now. Try again in a minute.' };
  }
  const platform = error instanceof PlatformError ? explainPlatformError(error, correlationId) : undefined;
  if (platform !== undefined) return { isOurs: false, message: platform };
  return { isOurs: true, message: `Something went wrong in the bot. Try again, or tell whoever runs it (reference ${correlationId}).` };
}

/** Explains errors of the chat platform that pass by themselves. */
function explainPlatformError({ kind, explanation, retryAfterMs }: PlatformError, correlationId: string): string | undefined {
  if (explanation === undefined || kind === 'closed') return undefined;
  const wait = kind === 'rate_limited' ? waitWords(Math.ceil((retryAfterMs ?? 0) / 1000) || 60) : 'a minute';
  return `${explanation} Try again in ${wait} (reference ${correlationId}).`;
}

function codeOf(error: unknown): unknown {
  return Object(error).code;
}

function waitSentence(until: Date, nowMs: number): string {
  const seconds = Math.max(1, Math.ceil((until.getTime() - nowMs) / 1000));
  return `The quiz service takes only so many requests a minute, and they are used up. Try again in ${waitWords(seconds)}.`;
}

function shareSentence(until: Date, nowMs: number): string {
  const seconds = Math.max(1, Math.ceil((until.getTime() - nowMs) / 1000));
  return `You’ve used your share of the requests that the quiz service accepts. Try again in ${waitWords(seconds)}.`;
}

function waitWords(seconds: number): string {
  if (seconds === 1) return 'a second';
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
