import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameRecord } from '../../src/directory/named-list.ts';

const anyRecord = fc.letrec((again) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', 'b', 1, 2, true, false, null, undefined),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(2) }),
    fc.array(again('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('x', 'y', 'z'), again('value'), { noNullPrototype: true }),
  ),
})).value;

test('two records are the same exactly where Node says so', () => {
  fc.assert(
    fc.property(anyRecord, anyRecord, (a, b) => isSameRecord(a, b) === isDeepStrictEqual(a, b)),
    { numRuns: 2_000 },
  );
  fc.assert(fc.property(anyRecord, (a) => isSameRecord(a, structuredClone(a))));
});

test.each([
  [[], {}],
  [{}, []],
  [new Date(0), {}],
  [{}, new Date(0)],
  [
    { x: undefined, y: 1 },
    { y: 1, z: 2 },
  ],
  [null, {}],
])('%j and %j differ', (a, b) => {
  expect(isSameRecord(a, b)).toBe(false);
});
