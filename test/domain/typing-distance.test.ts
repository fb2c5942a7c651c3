import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { typingDistance } from '../../src/domain/typing-distance.ts';

describe('the distance between two texts', () => {
  test.each([
    ['rosa', 'rosa', 0],
    ['rosa', 'rsoa', 1],
    ['rosa', 'rossa', 1],
    ['rosa', 'rsa', 1],
    ['rosa', 'rota', 1],
    ['rosa', 'rsota', 2],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('%s, %s is %i', (a, b, distance) => {
    expect(typingDistance(a, b, 9)).toBe(distance);
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });

  test('is the same both ways, and a limit only cuts it', () => {
    fc.assert(
      fc.property(text, text, fc.nat(9), (a, b, atMost) => {
        const distance = typingDistance(a, b, 9);
        expect(typingDistance(b, a, 9)).toBe(distance);
        expect(typingDistance(a, b, atMost)).toBe(Math.min(distance, atMost + 1));
      }),
    );
  });
});
