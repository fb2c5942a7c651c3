import { onTestFinished } from 'vitest';
import { openTestBed, type TestBed, type TestBedOptions } from './open-test-bed.ts';

export { textOf, type TestBed } from './open-test-bed.ts';

/** Opens a test bed that closes when the test ends. */
export function startTestBed(options: TestBedOptions = {}): Promise<TestBed> {
  return openTestBed(options, onTestFinished);
}
