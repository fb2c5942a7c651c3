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
