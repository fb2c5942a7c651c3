import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { createNameIndex } from '../../src/directory/name-index.ts';
import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { sampleUsers, userKeys, typos } from '../support/sample-users.ts';
import { namedThings, thingKeys } from './named-things.ts';
import { typingDistance } from '../../src/domain/typing-distance.ts';

const subjects = [
  'Fire safety',
  'Food hygiene',
  'Manual handling',
  'Datenschutz',
  'Première secours',
  'Forklift',
  'Cash desk',
  'Ladders',
  'First aid',
  'Chemicals',
];
const audiences = [
  'newcomers',
  'kitchen',
  'warehouse',
  'night shift',
  'managers',
  'Führungskräfte',
  'drivers',
  'contractors',
  'trainees',
  'volunteers',
];
const levels = [
  'basics',
  'refresher',
  'advanced',
  'exam',
  'practice',
  'spring',
  'autumn',
  'certificate',
  'pilot',
  'archive',
];
const quizzes = namedThings(
  subjects.flatMap((subject) =>
    audiences.flatMap((audience) => levels.map((level) => `${subject} for ${audience}: ${level}`)),
  ),
);
const people = sampleUsers(1_000);

describe('of a thousand, one is among the nearest three after', () => {
  test.each(Object.entries(typos))('%s', (_, mistype) => {
    expect(shareFound(quizzes, thingKeys, mistype)).toBeGreaterThanOrEqual(0.9);
    expect(shareFound(people, userKeys, mistype)).toBeGreaterThanOrEqual(0.9);
  });
});

/** How many of a sample of the items their mistyped first name leads to. */
function shareFound<Item extends object>(
  items: readonly Item[],
  keys: { id: (item: Item) => string; names: (item: Item) => readonly string[] },
  mistype: (name: string, random: SeededRandom) => string,
): number {
  const index = createNameIndex(items, keys);
  const random = createSeededRandom(7);
  const name = (item: Item) => keys.names(item)[0]!;
  const sample = items.filter((item, number) => number % 10 === 0 && name(item).length >= 6);
  const led = sample.filter((item) => {
    const matched = index.match(mistype(name(item), random));
    const offered =
      matched.kind === 'one' ? [matched.item] : matched.kind === 'several' ? matched.items : matched.nearest;
    return offered.slice(0, 3).some((each) => name(each) === name(item));
  });
  return led.length / sample.length;
}

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
