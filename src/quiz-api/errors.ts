import { InvigilatorError } from '../domain/errors.ts';
import { networkErrorOf } from '../domain/finding.ts';

/** The call that an error is about: enough to find it in a log, nothing secret. */
export interface FailedCall {
  /** For example `quizzes.get`. */
  operation: string;
  method: string;
  /** The path below the service's address, for example `/v1/quizzes/9f1c`. */
  path: string;
}

interface FailureDetails {
  status?: number | undefined;
  /**
   * The service's own message, with keys and passwords taken out. It can name people, so it is for the person who asked, and
   * no part of `message`, which the log has.
   */
  serviceMessage?: string | undefined;
  /** Whether the service itself answered; true unless given. A page of HTML may come from a proxy or a wrong address. */
  isFromService?: boolean | undefined;
  cause?: unknown;
}

/** A call of the quiz service that failed, for a reason that no subclass stands for. */
export class QuizApiError extends InvigilatorError {
  readonly code: string = 'quiz_api_failed';
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;
  readonly isFromService: boolean;

  constructor(call: FailedCall, happened: string, details: FailureDetails = {}) {
    const { status, serviceMessage, isFromService = true, cause } = details;
    super(`${call.method} ${call.path} (${call.operation}) ${happened}${reasonGiven(serviceMessage)}`, { cause });
    this.operation = call.operation;
    this.method = call.method;
    this.path = call.path;
    this.status = status;
    this.serviceMessage = serviceMessage;
    this.isFromService = isFromService;
  }
}

function reasonGiven(serviceMessage = ''): string {
  return serviceMessage === '' ? '' : ` and gave a reason (${serviceMessage.length} characters)`;
}

/** No connection, or a connection that broke before the answer was complete. */
export class ConnectionError extends QuizApiError {
  override readonly code = 'quiz_api_connection_failed';
  /** Whether there never was a connection, so that nothing was sent. */
  readonly isUnsent: boolean;

  /** Where the network is in the way, the error has that name. */
  constructor(call: FailedCall, happened: string, details: FailureDetails = {}) {
    super(call, happened, details);
    const ofNetwork = networkErrorOf(details.cause);
    this.isUnsent = ofNetwork !== undefined || neverConnected.has(Object(details.cause).code);
    if (ofNetwork !== undefined) this.name = ofNetwork;
  }
}

const neverConnected: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The answer took longer than `timeoutMs`, or came after the caller's deadline. */
export class TimeoutError extends QuizApiError {
  override readonly code = 'quiz_api_timed_out';
}

/** The answer is not JSON but, for example, an HTML page; the status may be 200. */
export class NotJsonError extends QuizApiError {
  override readonly code = 'quiz_api_not_json';
}

/** The answer is JSON that does not fit the specification. */
export class InvalidResponseError extends QuizApiError {
  override readonly code = 'quiz_api_invalid_response';
  /** The path of the wrong field, for example `[3].user_type`; empty for the answer itself. */
  readonly field: string;

  constructor(call: FailedCall, field: string, problem: string, details: FailureDetails) {
    super(call, `answered ${details.status}, but ${field || 'the answer'} is wrong: ${problem}`, details);
    this.field = field;
  }
}

/** The service refused the input: 400, 422, or another 4xx that has no class of its own. */
export class BadRequestError extends QuizApiError {
  override readonly code: string = 'quiz_api_bad_request';
}

/** 401 or 403: the service refuses the key. */
export class ForbiddenError extends QuizApiError {
  override readonly code = 'quiz_api_forbidden';
}

/** 403.4: the call was not made over SSL. */
export class SslRequiredError extends QuizApiError {
  override readonly code = 'quiz_api_ssl_required';
}

/** 403 with a page of HTML: something between the bot and the service refuses the request. */
export class FirewallError extends QuizApiError {
  override readonly code = 'quiz_api_firewall';
}

/** A redirect: `QUIZ_API_URL` is not the address of the service. */
export class WrongAddressError extends QuizApiError {
  override readonly code = 'quiz_api_wrong_address';
}

/** 404. The thing is not there if `isFromService`; a page may mean a wrong address as well. */
export class NotFoundError extends QuizApiError {
  override readonly code = 'quiz_api_not_found';
}

/** Catches the error of what is gone. */
export function unlessGone(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}

/** 429, after the last attempt or until after the caller's deadline. */
export class RateLimitedError extends QuizApiError {
  override readonly code = 'quiz_api_rate_limited';
  /** When the service accepts requests again. */
  readonly retryAt: Date;

  constructor(call: FailedCall, happened: string, details: FailureDetails & { retryAt: Date }) {
    super(call, happened, details);
    this.retryAt = details.retryAt;
  }
}

/** 5xx: the service failed. */
export class ServiceError extends QuizApiError {
  override readonly code = 'quiz_api_service_failed';
}

/** The request budget has no room for this call before its deadline. Nothing was sent. */
export class BudgetError extends QuizApiError {
  override readonly code = 'quiz_api_budget_spent';
  /** When the call's turn would have come, as things stand. */
  readonly availableAt: Date;

  constructor(
    call: FailedCall,
    availableAt: Date,
    why = `its turn comes at ${availableAt.toISOString()}, after its deadline`,
  ) {
    super(call, `was not sent: ${why}`);
    this.availableAt = availableAt;
  }
}

/** The person has used up their share of the request budget. Nothing was sent. */
export class PersonShareError extends BudgetError {
  constructor(call: FailedCall, availableAt: Date) {
    super(call, availableAt, `the person has used up their share until ${availableAt.toISOString()}`);
  }
}

/** The time for the call was over before it was sent. */
export class DeadlinePassedError extends BudgetError {
  constructor(call: FailedCall, at: Date) {
    super(call, at, 'its deadline had passed');
  }
}

/** The file is larger than the caller allows. */
export class FileTooLargeError extends QuizApiError {
  override readonly code = 'quiz_api_file_too_large';
  readonly maxBytes: number;

  constructor(call: FailedCall, maxBytes: number) {
    super(call, `answered with a file of more than ${maxBytes} bytes`, { status: 200 });
    this.maxBytes = maxBytes;
  }
}

/** Whether the service is away, takes too long, or something else answers for it. */
export function isAway(error: unknown): boolean {
  return passesSoon(error) || error instanceof TimeoutError || error instanceof NotJsonError;
}

/** Whether the service may have done what it was asked, although no answer says so. */
export function mayBeDone(error: unknown): boolean {
  return isAway(error) || error instanceof InvalidResponseError;
}

/**
 * Whether another attempt may succeed soon. A timeout is none of these: more requests do not help a slow service, and a person
 * has waited long enough.
 */
export function passesSoon(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof ServiceError;
}
