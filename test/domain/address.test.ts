import { expect, test } from 'vitest';
import { foldAddress, isSameAddress } from '../../src/domain/address.ts';

test.each([
  ['Rosa@Quiz.Example', 'rosa@quiz.example', true],
  ['rosa@quiz.example', 'rosa@quiz.example ', false],
  ['eri\u212A@quiz.example', 'erik@quiz.example', false],
  ['I@quiz.example', 'i@quiz.example', true],
  ['\u0130@quiz.example', 'i@quiz.example', false],
  ['\uFF21da@quiz.example', 'ada@quiz.example', false],
  ['Ã@quiz.example', 'ã@quiz.example', false],
])('%s and %s are the same address: %s', (a, b, isSame) => {
  expect(isSameAddress(a, b)).toBe(isSame);
  expect(foldAddress(a) === foldAddress(b)).toBe(isSame);
});
