/** The call an error is about: enough to find it in a log, nothing secret. */
export interface FailedCall {
  /** For example `quizzes.get`. */
  operation: string;
  method: string;
  /** The path below the service's address, for example `/v1/quizzes/9f1c`. */
  path: string;
}

export interface FailureDetails {
  status?: number | undefined;
  /** What the service said, with keys and passwords taken out. */
  serviceMessage?: string | undefined;
  cause?: unknown;
}

/** Whatever goes wrong with a call of the quiz service. */
export class QuizApiError extends Error {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;

  constructor(call: FailedCall, happened: string, details: FailureDetails = {}) {
    const said = details.serviceMessage ? `: ${details.serviceMessage}` : '';
    super(`${call.method} ${call.path} (${call.operation}) ${happened}${said}`, { cause: details.cause });
    this.name = new.target.name;
    this.operation = call.operation;
    this.method = call.method;
    this.path = call.path;
    this.status = details.status;
    this.serviceMessage = details.serviceMessage;
  }
}

/** No connection, or one that broke before the answer was whole. */
export class ConnectionError extends QuizApiError {}

/** The answer took longer than the time for one attempt, or than the caller's deadline. */
export class TimeoutError extends QuizApiError {}

/** Something else stands where JSON belongs, mostly an HTML page, also with status 200. */
export class NotJsonError extends QuizApiError {}

/** JSON that does not fit the specification. */
export class InvalidResponseError extends QuizApiError {
  /** Where in the answer, for example `[3].user_type`; empty for the answer itself. */
  readonly field: string;

  constructor(call: FailedCall, field: string, problem: string, details: FailureDetails) {
    super(call, `answered ${details.status}, but ${field || 'the answer'} is wrong: ${problem}`, details);
    this.field = field;
  }
}

/** The service did not take the input: 400, 422 and the rarer 4xx. */
export class BadRequestError extends QuizApiError {}

/** 401 or 403: the key is not valid, or the call was not made over SSL (sub-code 403.4). */
export class ForbiddenError extends QuizApiError {
  readonly isSslRequired: boolean;

  constructor(call: FailedCall, happened: string, details: FailureDetails & { isSslRequired: boolean }) {
    super(call, details.isSslRequired ? `${happened} because SSL is required` : happened, details);
    this.isSslRequired = details.isSslRequired;
  }
}

/** 404. */
export class NotFoundError extends QuizApiError {
  /** Whether the service said so itself, in JSON; a page may come from a proxy or a wrong address. */
  readonly isFromService: boolean;

  constructor(call: FailedCall, happened: string, details: FailureDetails & { isFromService: boolean }) {
    super(call, happened, details);
    this.isFromService = details.isFromService;
  }
}

/** 429, again and again or until after the caller's deadline. */
export class RateLimitedError extends QuizApiError {
  /** When the service takes requests again. */
  readonly retryAt: Date;

  constructor(call: FailedCall, happened: string, details: FailureDetails & { retryAt: Date }) {
    super(call, happened, details);
    this.retryAt = details.retryAt;
  }
}

/** 5xx: the service failed. */
export class ServiceError extends QuizApiError {}

/** The request budget has no place for this call before its deadline. Nothing was sent. */
export class BudgetError extends QuizApiError {
  /** When the call's turn would have come, as things stand. */
  readonly availableAt: Date;

  constructor(call: FailedCall, availableAt: Date) {
    super(call, `was not sent: its turn comes at ${availableAt.toISOString()}, after its deadline`);
    this.availableAt = availableAt;
  }
}

/** The file is larger than the caller takes. */
export class FileTooLargeError extends QuizApiError {
  readonly maxBytes: number;

  constructor(call: FailedCall, maxBytes: number) {
    super(call, `answered with a file of more than ${maxBytes} bytes`, { status: 200 });
    this.maxBytes = maxBytes;
  }
}
