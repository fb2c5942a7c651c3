import { expect, test } from 'vitest';
import { heldPerMinute, sampleOf, slopeOf, type Sample } from './held-memory.ts';

/** Five minutes in which garbage comes and goes, with a leak in the old space. */
function samplesOf(leakPerMinute: number): Sample[] {
  return Array.from({ length: 600 }, (_, n) => ({
    atS: 300 + n / 2,
    resident: 300 + (n % 30),
    oldSpace: 30 + 5 * (n % 10) + (leakPerMinute * n) / 120,
    besides: 128 + (n % 7),
  }));
}

test.each([0, 0.5, 2, -1])('garbage hides no growth by %d MiB per minute, and does not look like growth', (leak) => {
  expect(slopeOf(heldPerMinute(samplesOf(leak)))).toBeCloseTo(leak, 1);
});

test('a minute alone has not grown', () => {
  expect(slopeOf([{ atS: 0, held: 160 }])).toBe(0);
});

test('a sample has the old space, and what lies outside V8’s heap', () => {
  const mib = 1024 ** 2;
  const metrics = [
    `process_resident_memory_bytes ${300 * mib}`,
    `nodejs_heap_size_total_bytes ${140 * mib}`,
    `nodejs_heap_space_size_used_bytes{space="new"} ${9 * mib}`,
    `nodejs_heap_space_size_used_bytes{space="old"} ${33 * mib}`,
  ].join('\n');
  expect(sampleOf(metrics, 7)).toEqual({ atS: 7, resident: 300, oldSpace: 33, besides: 160 });
});
