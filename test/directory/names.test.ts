import { describe, expect, test } from 'vitest';
import { plainName, publicName, recordName, tellApart } from '../../src/directory/names.ts';

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
