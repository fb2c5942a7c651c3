import { expect } from 'vitest';
import { inEnglish, isSaid } from '../../src/domain/said.ts';
import { asSent } from './as-sent.ts';

/**
 * Tests compare what the bot says as it is read in English, or as Slack gets it, without the marks that say which sentence it is. What is marked, and
 * how, `test/domain/said.test.ts` and `test/words` test: they take the marks for other characters first.
 */
const asRead = (value: unknown): unknown => (typeof value === 'string' ? inEnglish(value) : value);
const readings = (value: unknown): unknown[] =>
  typeof value === 'string' && isSaid(value) ? [inEnglish(value), asSent(value, 'markup')] : [value];

expect.addEqualityTesters([
  (one, other) =>
    typeof one === 'string' && typeof other === 'string' && (isSaid(one) || isSaid(other))
      ? readings(one).some((text) => readings(other).includes(text))
      : undefined,
]);

const compare = (holds: (received: unknown, expected: unknown) => boolean, words: string) =>
  function matches(this: { isNot: boolean }, received: unknown, expected: unknown) {
    const [one, other] = [asRead(received), asRead(expected)];
    return {
      pass: readings(received).some((reading) => holds(reading, other)),
      actual: one,
      expected: other,
      message: () => `expected the first ${this.isNot ? 'not ' : ''}to ${words} the second`,
    };
  };

/** Errors are thrown with the sentence that a person reads. */
const isThrown = (error: unknown, expected: unknown): boolean => {
  if (expected === undefined) return error !== undefined;
  const message = inEnglish(error instanceof Error ? error.message : String(Object(error).message));
  if (typeof expected === 'string') return message.includes(expected);
  if (expected instanceof RegExp) return expected.test(message);
  if (typeof expected === 'function') return error instanceof expected;
  if (expected instanceof Error)
    return (
      error instanceof Error && error.constructor === expected.constructor && message === inEnglish(expected.message)
    );
  return Object(expected).asymmetricMatch(error) === true;
};

for (const matcher of [expect.stringContaining(''), expect.stringMatching('')] as {
  asymmetricMatch(other: unknown): boolean;
}[]) {
  const prototype = Object.getPrototypeOf(matcher) as typeof matcher;
  const { asymmetricMatch } = prototype;
  prototype.asymmetricMatch = function matches(other) {
    return readings(other).some((reading) => asymmetricMatch.call(this, reading));
  };
}

expect.addSnapshotSerializer({
  test: (value: unknown) => typeof value === 'string' && isSaid(value),
  serialize: (value: string, config, indentation, depth, refs, printer) =>
    printer(inEnglish(value), config, indentation, depth, refs),
});

expect.extend({
  toThrow(this: { isNot: boolean; promise: string }, received: unknown, expected?: unknown) {
    let error = received;
    if (typeof received === 'function' && this.promise !== 'rejects') {
      error = undefined;
      try {
        received();
      } catch (thrown) {
        error = thrown;
      }
    }
    return {
      pass: isThrown(error, expected),
      actual: error,
      expected,
      message: () => `expected ${String(error)} ${this.isNot ? 'not ' : ''}to be thrown as ${String(expected)}`,
    };
  },
  toBe: compare(Object.is, 'be'),
  toContain: compare(
    (received, expected) =>
      typeof received === 'string'
        ? received.includes(String(expected))
        : Array.from(received as Iterable<unknown>, asRead).includes(expected),
    'contain',
  ),
  toMatch: compare(
    (received, expected) =>
      expected instanceof RegExp ? expected.test(String(received)) : String(received).includes(String(expected)),
    'match',
  ),
});
