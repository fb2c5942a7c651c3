import { expect, test } from 'vitest';
import { foldAddress, isSameAddress, maskAddresses } from '../../src/domain/address.ts';
import fc from 'fast-check';

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

test.each([
  ['rosa@quiz.example', 'r…@quiz.example'],
  ['for “rosa.almeida@quiz.example”, and <tom@quiz.example>.', 'for “r…@quiz.example”, and <t…@quiz.example>.'],
  ['a@b.example,c@d.example', 'a…@b…@d.example'],
  ['élan@quiz.example', 'é…@quiz.example'],
  ['@ada closed it @ noon', '@ada closed it @ noon'],
  ['no address', 'no address'],
])('%s becomes %s', (text, masked) => {
  expect(maskAddresses(text)).toBe(masked);
});

test('masks the texts of a value at any depth, and nothing else', () => {
  const value = {
    at: 1,
    isOpen: true,
    none: null,
    missing: undefined,
    list: [{ value: 'rosa@quiz.example' }],
    name: 'Rosa',
  };
  expect(maskAddresses(value)).toEqual({ ...value, list: [{ value: 'r…@quiz.example' }] });
});

test('leaves no address of more than one letter, wherever it stands', () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.string(), fc.string(), (address, before, after) => {
      const [local = ''] = address.split('@');
      fc.pre(/^[\p{L}\p{N}]{2}/u.test(local));
      expect(maskAddresses(`${before} ${address} ${after}`)).not.toContain(`${local}@`);
      expect(maskAddresses(`${before}${address}${after}`)).not.toContain(`${local}@`);
    }),
  );
});

test('takes time in proportion to the length of the text', () => {
  const text = 'a'.repeat(1_000_000);
  expect(maskAddresses(`${text} ${text}@${text}`)).toBe(`${text} a…@${text}`);
});
