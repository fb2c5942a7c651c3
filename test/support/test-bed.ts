import { inject, onTestFinished } from 'vitest';
import { openTestBed, type TestBed, type TestBedOptions } from './open-test-bed.ts';

export { textOf, type TestBed } from './open-test-bed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    account?: 'smooth' | 'rough';
  }
}

/** Opens a test bed that closes when the test ends. The project decides which face the quiz service shows. */
export function startTestBed(options: TestBedOptions = {}): Promise<TestBed> {
  return openTestBed({ account: inject('account'), ...options }, onTestFinished);
}
