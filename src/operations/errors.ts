import { InvigilatorError } from '../domain/errors.ts';
import { named } from '../domain/sentence.ts';
import type { UnclearValue } from './fields/field-kind.ts';

/** The input of a field is refused. The message, a sentence of `domain/sentence.ts`, says what to do. */
export class InvalidInputError extends InvigilatorError {
  readonly code = 'invalid_input';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The input of a field fits several things that only the operation knows. Where they cannot be offered, the message asks for more. */
export class UnclearInputError extends InvalidInputError {
  readonly unclear: UnclearValue;

  constructor(field: string, unclear: UnclearValue) {
    super(
      field,
      unclear.isAlike
        ? `${named(unclear.typed)} matches ${unclear.count} names. Type more of the name.`
        : `No ${unclear.noun} is called ${named(unclear.typed)}.`,
    );
    this.unclear = unclear;
  }
}
