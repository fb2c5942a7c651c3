/** The input of a field is refused; the message, in plain text, says what to do. */
export class InvalidInputError extends Error {
  override name = 'InvalidInputError';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
