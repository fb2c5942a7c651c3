import { expect } from 'vitest';

const parts = 100;

/**
 * Expects that a long text costs about as much as a hundred parts of it, in time of the processor: what takes the square of the
 * length takes a hundred times as much.
 */
export function expectBoundedTime(work: (length: number) => void, length: number): void {
  const inParts = cpuMs(() => {
    for (let part = 0; part < parts; part += 1) work(length / parts);
  });
  expect(cpuMs(() => work(length))).toBeLessThan(20 * Math.max(1, inParts));
}

function cpuMs(work: () => void): number {
  const begin = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begin);
  return (user + system) / 1_000;
}
