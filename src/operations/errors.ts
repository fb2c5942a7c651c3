import { InvigilatorError } from '../domain/errors.ts';
import { named } from '../domain/sentence.ts';
import type { Noun, UnclearValue } from './fields/field-kind.ts';
import { say } from '../domain/said.ts';

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
        ? say`${named(unclear.typed)} matches ${unclear.count} names. Type more of the name.`
        : noneCalled[unclear.noun](named(unclear.typed)),
    );
    this.unclear = unclear;
  }
}

/** Says that nothing of the kind has the name, a marked one. */
const noneCalled: Readonly<Record<Noun, (name: string) => string>> = {
  meaning: (name) => say`“${name}” can mean two things. Which one?`,
  quiz: (name) => say`No quiz is called ${name}.`,
  user: (name) => say`No user is called ${name}.`,
  group: (name) => say`No group is called ${name}.`,
  'user or group': (name) => say`No user or group is called ${name}.`,
  subscription: (name) => say`No subscription is called ${name}.`,
  attempt: (name) => say`No attempt is called ${name}.`,
  campaign: (name) => say`No campaign is called ${name}.`,
};
