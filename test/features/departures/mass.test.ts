import fc from 'fast-check';
import { expect, test } from 'vitest';
import { massDeparture } from '../../../src/features/departures/mass.ts';

const dayMs = 86_400_000;

test('more than a tenth within a day is a mass deactivation, and two people never are', () => {
  const at = (...times: number[]) => times.map((time) => ({ at: time * dayMs }));
  expect(massDeparture(at(0, 0.1, 0.2), 29).size).toBe(3);
  expect(massDeparture(at(0, 0.1, 0.2), 30).size).toBe(0);
  expect(massDeparture(at(0, 0.5, 1), 20).size).toBe(0);
  expect(massDeparture(at(0, 0.1), 2).size).toBe(0);
});

test('the people of a mass deactivation are those whom a slow count finds, too', () => {
  const leavers = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 });
  fc.assert(
    fc.property(leavers, fc.integer({ min: 1, max: 200 }), (sixths, total) => {
      const left = sixths.map((sixth) => ({ at: (sixth * dayMs) / 6 }));
      const isMass = ({ at }: { at: number }) =>
        left.some((first) => {
          const withFirst = left.filter((other) => other.at >= first.at && other.at < first.at + dayMs);
          return first.at <= at && at < first.at + dayMs && withFirst.length >= 3 && withFirst.length * 10 > total;
        });
      expect(massDeparture(left, total)).toEqual(new Set(left.filter(isMass)));
    }),
  );
});
