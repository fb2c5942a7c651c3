import { afterAll, inject, onTestFinished } from 'vitest';
import { openTestBed, organization, type TestBed, type TestBedOptions } from './open-test-bed.ts';

export { textOf, type TestBed } from './open-test-bed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    account?: 'smooth' | 'rough';
    installation?: 'workspace' | 'organization';
  }
}

/** The organization that payloads of the workspace name, if the project's app is installed for one. */
export const enterpriseOfProject = (): { id: string; name: string } | null =>
  inject('installation') === 'organization' ? { id: organization.id, name: organization.name } : null;

/** Opens a test bed that closes when the test ends. The project decides which faces the quiz service and Slack show. */
export function startTestBed(options: TestBedOptions = {}): Promise<TestBed> {
  const faces = { account: inject('account'), installation: inject('installation') };
  return openTestBed({ ...faces, ...options }, onTestFinished);
}

/**
 * One test bed for all tests of a file or of a `describe`, which look at what none of the others changes. It opens for the first that asks
 * for it, and has no limits by the minute, neither of the quiz service nor of Slack, which the tests would use up together.
 */
export function shareTestBed(options: TestBedOptions = {}): () => Promise<TestBed> {
  const faces = { account: inject('account'), installation: inject('installation') };
  const cleanUps: (() => void | Promise<void>)[] = [];
  let opened: Promise<TestBed> | undefined;
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });
  const unlimited = { hasRequestLimit: false, workspace: { strictness: { rateLimits: false } } };
  return () => (opened ??= openTestBed({ ...faces, ...unlimited, ...options }, (cleanUp) => cleanUps.push(cleanUp)));
}
