import {
  BadRequestError,
  BudgetError,
  ConnectionError,
  ForbiddenError,
  InvalidResponseError,
  NotFoundError,
  NotJsonError,
  QuizApiError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
} from '../quiz-api/errors.ts';
import { StoreAwayError } from '../storage/store-away.ts';

/** One sentence for the person, saying what to do; plain text. `isOurs` when the log should show it as a fault of the bot. */
export function explainFailure(error: unknown, reference: string, nowMs: number): { sentence: string; isOurs: boolean } {
  // Also below: the request budget is in the store.
  if (error instanceof StoreAwayError || (error instanceof Error && error.cause instanceof StoreAwayError)) {
    return { isOurs: true, sentence: `The bot’s store is away, so it can do nothing right now. Try again in a minute (reference ${reference}).` };
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServiceError || error instanceof NotJsonError) {
    return { isOurs: false, sentence: `The quiz service is not answering right now. Try again in a minute (reference ${reference}).` };
  }
  if (error instanceof BudgetError) return { isOurs: false, sentence: waitSentence(error.availableAt, nowMs) };
  if (error instanceof RateLimitedError) return { isOurs: false, sentence: waitSentence(error.retryAt, nowMs) };
  if (error instanceof NotFoundError) {
    return { isOurs: false, sentence: 'The quiz service does not know this any more: somebody may have deleted it. Look at the list again.' };
  }
  if (error instanceof BadRequestError) {
    return { isOurs: false, sentence: `The quiz service refused this: ${error.serviceMessage ?? 'it gave no reason'}.` };
  }
  if (error instanceof ForbiddenError) {
    return { isOurs: true, sentence: `The quiz service refuses the bot’s API key. Tell whoever runs the bot (reference ${reference}).` };
  }
  if (error instanceof QuizApiError) {
    return { isOurs: true, sentence: `The quiz service gave an answer the bot does not understand. Tell whoever runs the bot (reference ${reference}).` };
  }
  if (codeOf(error) === 'ERR_SQLITE_ERROR') {
    return { isOurs: true, sentence: `The bot’s store takes nothing right now, so it can do nothing. Tell whoever runs the bot: its disk may be full (reference ${reference}).` };
  }
  const slack = explainSlackFailure(error, reference);
  if (slack !== undefined) return { isOurs: false, sentence: slack };
  return { isOurs: true, sentence: `Something went wrong in the bot. Try again, or tell whoever runs it (reference ${reference}).` };
}

/** Errors of Slack's SDK, which this side of the house does not import. */
function explainSlackFailure(error: unknown, reference: string): string | undefined {
  switch (codeOf(error)) {
    case 'slack_webapi_rate_limited_error':
      return `Slack takes only so many requests of the bot, and they are used up. Try again in ${waitWords(Number(Object(error).retryAfter) || 60)} (reference ${reference}).`;
    case 'slack_webapi_request_error':
    case 'slack_webapi_http_error':
      return `Slack is not answering the bot right now. Try again in a minute (reference ${reference}).`;
    default:
      return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return Object(error).code;
}

/** Whether the service may have done what it was asked, though it did not say so. */
export function mayBeDone(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    error instanceof ServiceError ||
    error instanceof NotJsonError ||
    error instanceof InvalidResponseError
  );
}

function waitSentence(until: Date, nowMs: number): string {
  const seconds = Math.max(1, Math.ceil((until.getTime() - nowMs) / 1000));
  return `The quiz service takes only so many requests a minute, and they are used up. Try again in ${waitWords(seconds)}.`;
}

function waitWords(seconds: number): string {
  if (seconds === 1) return 'a second';
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
