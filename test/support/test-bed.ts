import { onTestFinished } from 'vitest';
import { openTestBed, type TestBed, type TestBedOptions } from './open-test-bed.ts';

export { textOf, type TestBed } from './open-test-bed.ts';

/** A house of the test's own, gone when it ends. */
export function startTestBed(options: TestBedOptions = {}): Promise<TestBed> {
  return openTestBed(options, onTestFinished);
}
