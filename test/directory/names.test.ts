import { describe, expect, test } from 'vitest';
import { plainName, publicName, recordName, tellApart } from '../../src/directory/names.ts';
import fc from 'fast-check';
import { createNameIndex } from '../../src/directory/name-index.ts';
import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { sampleUsers, userKeys, typos } from '../support/sample-users.ts';
import { typingDistance } from '../../src/domain/typing-distance.ts';

describe('names are compared', () => {
  test.each([
    ['in lower case', 'Fire SAFETY', 'fire safety'],
    ['with white space folded', ' Fire\u00a0 \t safety\n', 'fire safety'],
    ['without accents', 'Première Führungskräfte Wójcik Ёлка', 'premiere fuhrungskrafte wojcik елка'],
    [
      'with letters that are no accented ones taken for those people type',
      'Łukasz Sørensen Yıldız Straße Æsop',
      'lukasz sorensen yildiz strasse aesop',
    ],
    ['with a dotted capital I as any other', 'İstanbul', 'istanbul'],
    ['with both small sigmas the same', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    [
      'with the quotes and dashes of phones as typed ones',
      '“Daniel O’Leary” – Jean‑Luc',
      '"daniel o\'leary" - jean-luc',
    ],
    ['with wide letters and ligatures as plain ones', 'ＱＵＩＺ ﬁre', 'quiz fire'],
    ['without marks of direction and joining', '\u200fعلي\u200c', 'علي'],
    ['without vowel points', 'שָׁלוֹם مُحَمَّد', 'שלום محمد'],
    ['without the variants of an emoji', '❤\ufe0f Heart', '❤ heart'],
  ])('%s', (_, name, plain) => {
    expect(plainName(name)).toBe(plain);
  });

  test('with the vowel signs of Hindi and the voicing marks of Japanese, which tell words apart', () => {
    expect(plainName('कि')).not.toBe(plainName('का'));
    expect(plainName('ガ')).not.toBe(plainName('カ'));
  });
});

test('a user without a name is called by the user name where the record is asked about, without the whole address', () => {
  const user = { first_name: '', last_name: '', user_name: 'rosa@quiz.example', user_id: 'u-1' };
  expect(recordName(user)).toBe('r…@quiz.example');
  expect(recordName({ ...user, user_name: 'rosa' })).toBe('rosa');
  expect(recordName({ ...user, user_name: '' })).toBe('Unnamed user u-1');
  expect(recordName({ ...user, last_name: 'Almeida' })).toBe('Almeida');
  expect(publicName(user)).toBe('Unnamed user u-1');
});

test('names that nothing else has stay as they are', () => {
  expect(
    tellApart([
      { name: 'Fire', id: 'q-1', traits: ['open'] },
      { name: 'Food', id: 'q-2', traits: ['open'] },
    ]),
  ).toEqual(['Fire', 'Food']);
});

test('twins have the traits in which they differ', () => {
  expect(
    tellApart([
      { name: 'Kim Lee', id: 'u-1', traits: ['respondent', 'Kitchen'] },
      { name: 'kim lee', id: 'u-2', traits: ['respondent', ''] },
      { name: 'Rosa', id: 'u-3', traits: ['respondent', 'Kitchen'] },
    ]),
  ).toEqual(['Kim Lee, Kitchen', 'kim lee', 'Rosa']);
});

test('twins that differ in nothing have the end of their ID', () => {
  expect(
    tellApart([
      { name: 'Twin', id: '9f1c-aaaa', traits: ['open'] },
      { name: 'Twin', id: '9f1c-bbbb', traits: ['open'] },
      { name: 'Twin', id: '3', traits: ['closed'] },
    ]),
  ).toEqual(['Twin, open, ID …aaaa', 'Twin, open, ID …bbbb', 'Twin, closed']);
});

const subjects = [
  'Fire safety, Food hygiene, Manual handling, Datenschutz, Première secours, Forklift, Cash desk',
  'Ladders, First aid, Chemicals',
].flatMap((line) => line.split(', '));
const audiences = [
  'newcomers, kitchen, warehouse, night shift, managers, Führungskräfte, drivers, contractors, trainees',
  'volunteers',
].flatMap((line) => line.split(', '));
const levels = 'basics refresher advanced exam practice spring autumn certificate pilot archive'.split(' ');
const quizzes = subjects.flatMap((subject) =>
  audiences.flatMap((audience) => levels.map((level) => ({ name: `${subject} for ${audience}: ${level}` }))),
);
const quizKeys = { id: ({ name }: { name: string }) => name, names: ({ name }: { name: string }) => [name] };
const people = sampleUsers(1_000);

describe('of a thousand, one is among the nearest three after', () => {
  test.each(Object.entries(typos))('%s', (_, mistype) => {
    expect(shareFound(quizzes, quizKeys, mistype)).toBeGreaterThanOrEqual(0.9);
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
  const sample = items.filter((item, number) => number % 20 === 0 && name(item).length >= 6);
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
