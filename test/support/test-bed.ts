import { inject, onTestFinished } from 'vitest';
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
