import { expect } from 'vitest';
import { inEnglish, isSaid } from '../../src/domain/said.ts';

/**
 * Tests compare what the bot says as it is read in English, without the marks that say which sentence it is. What is marked, and
 * how, `test/domain/said.test.ts` and `test/words` test: they take the marks for other characters first.
 */
const asRead = (value: unknown): unknown => (typeof value === 'string' ? inEnglish(value) : value);

expect.addEqualityTesters([
  (one, other) =>
    typeof one === 'string' && typeof other === 'string' && (isSaid(one) || isSaid(other))
      ? inEnglish(one) === inEnglish(other)
      : undefined,
]);

const compare = (holds: (received: unknown, expected: unknown) => boolean, words: string) =>
  function matches(this: { isNot: boolean }, received: unknown, expected: unknown) {
    const [one, other] = [asRead(received), asRead(expected)];
    return {
      pass: holds(one, other),
      actual: one,
      expected: other,
      message: () => `expected the first ${this.isNot ? 'not ' : ''}to ${words} the second`,
    };
  };

expect.extend({
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
