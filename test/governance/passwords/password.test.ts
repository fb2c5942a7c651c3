import { expect, test } from 'vitest';
import { makePassword } from '../../../src/governance/passwords/grants.ts';

test('a password is 16 letters and digits of which none is taken for another', () => {
  for (let n = 0; n < 1_000; n += 1) expect(makePassword()).toMatch(/^[A-HJ-NP-Za-km-z2-9]{16}$/);
});

test('passwords use the whole alphabet and do not come twice', () => {
  const made = Array.from({ length: 1_000 }, makePassword);
  expect(new Set(made).size).toBe(1_000);
  expect(new Set(made.join('')).size).toBe(57);
});
