import { InvigilatorError } from '../domain/errors.ts';

/** The input of a field is refused; the message, in plain text, says what to do. */
export class InvalidInputError extends InvigilatorError {
  readonly code = 'invalid_input';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
