import { expect, test } from 'vitest';
import { tellApart } from '../../src/directory/names.ts';

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
