import { say } from '../domain/said.ts';
import { InvigilatorError } from '../domain/errors.ts';
import { networkErrorOf, networkRemedies } from '../domain/finding.ts';

/** The call that an error is about: enough to find it in a log, nothing secret. */
export interface FailedCall {
  /** For example `quizzes.get`. */
  operation: string;
  method: string;
  /** The path below the service's address, for example `/v1/quizzes/9f1c`. */
  path: string;
}

/** What is known of a reason for which calls fail. Texts are sentences and parts of sentences of `domain/said.ts`. */
interface Facts {
  /** What logs and findings call it. */
  name: string;
  code: string;
  /** What the person reads who caused the call. @param reference stands in the log too */
  says: string | ((error: QuizApiError, reference: string) => string);
  /** What they read behind it: whom to tell if it lasts, who has to correct the setup, or when to try again. */
  ends?: 'if it lasts' | 'for setup' | 'when';
  /** What kept one of several changes from being made. Default: what the service says. */
  short?: string;
  /** What an operator does about it. */
  remedy?: string;
  /** The service is away, takes too long, or something else answers for it. */
  isAway?: true;
  /** The service may have done what it was asked, although no answer says so. */
  mayBeDone?: true;
  /**
   * Another attempt may succeed soon. A timeout is not one of these: more requests do not help a slow service, and a person has
   * waited long enough.
   */
  passesSoon?: true;
  /** There was no turn for it in the request budget, so nothing was sent. */
  hadNoTurn?: true;
  /** It lies with the bot, which logs it as an error. */
  isOurs?: true;
  /** No call succeeds before somebody has corrected how the bot or its network is set up. */
  isOfSetup?: true;
}

const unreachable = 'the service cannot be reached: check QUIZ_API_URL, and that this machine can connect to it';
const unanswered = {
  says: say`The quiz service isn’t answering right now. Try again in a minute.`,
  ends: 'if it lasts',
  short: say`the quiz service didn’t answer`,
  isAway: true,
  mayBeDone: true,
} as const;
const unreadable = {
  says: say`The quiz service gave an answer that the bot can’t read. Try again.`,
  ends: 'if it lasts',
  isOurs: true,
} as const;
const limited = {
  says: say`The quiz service’s limit for the bot is reached for now.`,
  ends: 'when',
  short: say`the bot’s requests to the quiz service are used up for now`,
} as const;
const wronglySetUp = { ends: 'for setup', isOurs: true, isOfSetup: true } as const;
const notFound = {
  name: 'NotFoundError',
  code: 'quiz_api_not_found',
  remedy: 'nothing of the service is at QUIZ_API_URL: set it to the base address, without /api',
} as const;

const reasons = {
  /** No connection, or a connection that broke before the answer was complete. Where the network is in the way, the error has that name. */
  'no connection': {
    name: 'ConnectionError',
    code: 'quiz_api_connection_failed',
    ...unanswered,
    passesSoon: true,
    remedy: unreachable,
  },
  /** The answer took longer than `timeoutMs`, or came after the caller's deadline. */
  'timed out': { name: 'TimeoutError', code: 'quiz_api_timed_out', ...unanswered, remedy: unreachable },
  /** 5xx. */
  'service failed': {
    name: 'ServiceError',
    code: 'quiz_api_service_failed',
    ...unanswered,
    passesSoon: true,
    remedy: 'the service answers with an error: try again later',
  },
  /** The answer is, for example, an HTML page; the status may be 200. */
  'not JSON': {
    name: 'NotJsonError',
    code: 'quiz_api_not_json',
    ...unanswered,
    remedy: 'a web page answers at QUIZ_API_URL: check the address, or wait for the end of the service’s maintenance',
  },
  /** The answer is JSON that does not fit the specification. */
  'invalid answer': {
    name: 'InvalidResponseError',
    code: 'quiz_api_invalid_response',
    ...unreadable,
    mayBeDone: true,
    short: unanswered.short,
  },
  /** The service refused the input: 400, 422, or another 4xx that has no reason of its own. */
  'bad request': {
    name: 'BadRequestError',
    code: 'quiz_api_bad_request',
    says: ({ serviceMessage }) =>
      serviceMessage
        ? say`The quiz service refused this: ${serviceMessage.replace(/[.!]$/, '')}.`
        : say`The quiz service refused this and gave no reason. Check what you entered.`,
  },
  /** 404 of the service itself: the thing is not there. */
  gone: {
    ...notFound,
    says: say`This is no longer in the quiz service. Someone may have deleted it, so check the list.`,
  },
  /** 404 with a page, which may mean a wrong address as well. */
  'gone or elsewhere': {
    ...notFound,
    ...wronglySetUp,
    says: say`The quiz service answered with a web page. Either someone deleted this, so check the list, or the address in QUIZ_API_URL is wrong.`,
  },
  /** 401 or 403: the service refuses the key. */
  forbidden: {
    name: 'ForbiddenError',
    code: 'quiz_api_forbidden',
    ...wronglySetUp,
    says: say`The quiz service rejects the bot’s API key.`,
    remedy: 'the service refuses QUIZ_API_KEY: copy the key again from the API tab of the quiz account’s settings',
  },
  /** 403.4: the call was not made over SSL. */
  'SSL required': {
    name: 'SslRequiredError',
    code: 'quiz_api_ssl_required',
    ...wronglySetUp,
    says: say`The quiz service accepts only HTTPS, and QUIZ_API_URL begins with http.`,
    remedy: 'the service accepts only https: correct QUIZ_API_URL',
  },
  /** 403 with a page of HTML: something between the bot and the service refuses the request. */
  firewall: {
    name: 'FirewallError',
    code: 'quiz_api_firewall',
    isOurs: true,
    isOfSetup: true,
    says: (_, reference) =>
      say`A firewall keeps the bot from the quiz service. Ask your administrator to let it through (reference ${reference}).`,
    remedy: 'a firewall answers with a web page: ask for access for the address of this machine',
  },
  /** A redirect: `QUIZ_API_URL` is not the address of the service. */
  'wrong address': {
    name: 'WrongAddressError',
    code: 'quiz_api_wrong_address',
    ...wronglySetUp,
    says: say`The quiz service isn’t at the address in QUIZ_API_URL.`,
    remedy: 'QUIZ_API_URL redirects: set it to the base address of the service',
  },
  /** 429, after the last attempt or until after the caller's deadline. */
  'rate limited': {
    name: 'RateLimitedError',
    code: 'quiz_api_rate_limited',
    ...limited,
    remedy:
      'the service takes no more requests with this key for now: give other programs their own key, and try again in an hour',
  },
  /** The request budget has no room for this call before its deadline. */
  'budget spent': { name: 'BudgetError', code: 'quiz_api_budget_spent', ...limited, hadNoTurn: true },
  /** The person has used up their share of the request budget. */
  'share spent': {
    name: 'PersonShareError',
    code: 'quiz_api_budget_spent',
    says: say`You’ve done a lot in a short time.`,
    ends: 'when',
    short: say`you’ve done a lot in a short time`,
    hadNoTurn: true,
  },
  /** The time for the call was over before it was sent. */
  'deadline passed': {
    name: 'DeadlinePassedError',
    code: 'quiz_api_budget_spent',
    says: say`The bot ran out of time before it could send this to the quiz service. Try again in a minute.`,
    ends: 'if it lasts',
    short: say`the bot ran out of time before it could send this`,
    hadNoTurn: true,
  },
  /** The file is larger than the caller allows. */
  'file too large': { name: 'FileTooLargeError', code: 'quiz_api_file_too_large', ...unreadable },
  other: { name: 'QuizApiError', code: 'quiz_api_failed', ...unreadable },
} as const satisfies Readonly<Record<string, Facts>>;

export type Reason = keyof typeof reasons;

interface FailureDetails {
  status?: number | undefined;
  /**
   * The service's own message, with keys and passwords taken out. It can name people, so it is for the person who asked, and
   * no part of `message`, which the log has.
   */
  serviceMessage?: string | undefined;
  /** Whether the service itself answered; true unless given. A page of HTML may come from a proxy or a wrong address. */
  isFromService?: boolean | undefined;
  /** When the service takes the call, as things stand. */
  availableAt?: Date | undefined;
  cause?: unknown;
}

/** A call of the quiz service that failed. */
export class QuizApiError extends InvigilatorError {
  readonly code: string;
  readonly reason: Reason;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;
  readonly isFromService: boolean;
  readonly availableAt: Date | undefined;

  constructor(reason: Reason, call: FailedCall, happened: string, details: FailureDetails = {}) {
    const { status, serviceMessage, isFromService = true, availableAt, cause } = details;
    super(`${call.method} ${call.path} (${call.operation}) ${happened}${reasonGiven(serviceMessage)}`, { cause });
    const { name, code } = reasons[reason];
    this.name = (reason === 'no connection' && networkErrorOf(cause)) || name;
    this.code = code;
    this.reason = reason;
    this.operation = call.operation;
    this.method = call.method;
    this.path = call.path;
    this.status = status;
    this.serviceMessage = serviceMessage;
    this.isFromService = isFromService;
    this.availableAt = availableAt;
  }

  /** What is known of its reason. */
  get facts(): Facts {
    return reasons[this.reason];
  }
}

function reasonGiven(serviceMessage = ''): string {
  return serviceMessage === '' ? '' : ` and gave a reason (${serviceMessage.length} characters)`;
}

/** Whether an error is that of a call which failed for one of these reasons. */
export function failedFor(error: unknown, ...wanted: readonly Reason[]): error is QuizApiError {
  return error instanceof QuizApiError && wanted.includes(error.reason);
}

/** Whether a fact is known of the reason for which a call failed. */
export function failedWith(
  error: unknown,
  fact: 'isAway' | 'mayBeDone' | 'passesSoon' | 'hadNoTurn' | 'isOfSetup',
): error is QuizApiError {
  return error instanceof QuizApiError && error.facts[fact] === true;
}

/** When the service takes a call that failed, in milliseconds since the epoch; undefined where that is not known. */
export function turnAfter(error: unknown): number | undefined {
  return error instanceof QuizApiError ? error.availableAt?.getTime() : undefined;
}

/** Whether a call failed for its caller’s deadline or share, and would not for everybody. */
export function isOfOneCaller(error: unknown): boolean {
  return failedFor(error, 'timed out', 'rate limited') || failedWith(error, 'hadNoTurn');
}

/** Whether there never was a connection, so that nothing was sent. */
export function neverConnected(error: unknown): boolean {
  if (!failedFor(error, 'no connection')) return false;
  return networkErrorOf(error.cause) !== undefined || codesBeforeConnection.has(Object(error.cause).code);
}

const codesBeforeConnection: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether what a call is about is not there, or something else answers for it. */
export function isNotFound(error: unknown): error is QuizApiError {
  return failedFor(error, 'gone', 'gone or elsewhere');
}

/** Catches the error of what is gone. */
export function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** Catches the error of any call. */
export function unlessFailed(error: unknown): undefined {
  if (!(error instanceof QuizApiError)) throw error;
}

/** The name of the error of a key that the service refuses. */
export const keyRefusal = reasons.forbidden.name;

const byName = new Map(Object.values<Facts>(reasons).map((facts) => [facts.name, facts]));

/** What an operator does about a failure, by the name of its error. */
export function remedyOf(failure: string): string {
  const remedy = Object.entries(networkRemedies).find(([name]) => name === failure)?.[1] ?? byName.get(failure)?.remedy;
  return remedy ?? `the service gives an answer that the bot cannot read (${failure}): check QUIZ_API_URL`;
}

/** Whether a failure means that the service does not answer or refuses all, or that something else answers for it, by the name of its error. */
export function isOutage(failure: string): boolean {
  const facts = byName.get(failure);
  // Of what is not found, the name does not tell whether the service itself says so.
  return (
    failure in networkRemedies ||
    (facts !== undefined && facts.name !== notFound.name && Boolean(facts.isAway || facts.isOfSetup))
  );
}
