/**
 * The base class of all errors that the bot defines itself.
 *
 * `code` is snake_case and stable: logs and metrics may rely on it, which they cannot on a message.
 */
export abstract class InvigilatorError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * What a failed call of the chat platform means:
 * - `rate_limited`: not done; try again after `retryAfterMs`
 * - `closed`: not done; the channel or person cannot be written to until a setting changes
 * - `forbidden`: not done; the bot lacks a permission in the workspace
 * - `thread_gone`: not done; the thread or message no longer exists or no longer changes
 * - `too_long`: not done; the platform takes a shorter message
 * - `bad_message`: not done; the message cannot be made, or the platform refuses its form, and would again
 * - `refused`: not done, for another reason
 * - `unclear`: possibly done; look before doing it again
 */
export type PlatformErrorKind =
  | 'rate_limited'
  | 'closed'
  | 'forbidden'
  | 'thread_gone'
  | 'too_long'
  | 'bad_message'
  | 'refused'
  | 'unclear';

/** A call of the chat platform failed. */
export class PlatformError extends InvigilatorError {
  /** The platform's own code. */
  readonly code: string;
  readonly kind: PlatformErrorKind;
  /** Set for `rate_limited`. */
  readonly retryAfterMs: number | undefined;
  /** Whole sentences for people, in plain text: why it failed and, for `closed`, what to do about it. */
  readonly explanation: string | undefined;

  constructor(
    code: string,
    details: {
      kind: PlatformErrorKind;
      retryAfterMs?: number | undefined;
      explanation?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(`a call of the chat platform failed: ${code}`, { cause: details.cause });
    this.code = code;
    this.kind = details.kind;
    this.retryAfterMs = details.retryAfterMs;
    this.explanation = details.explanation;
  }
}
