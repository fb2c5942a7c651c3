import type { FunctionExecution } from '../../src/sandbox/workspace/model.ts';
import { startTestBed, type TestBed } from './test-bed.ts';
import { manifestWith } from './open-test-bed.ts';

/** The options of a test bed in which workflows run steps. */
export const withSteps = {
  workspace: { manifestPath: manifestWith('steps') },
  env: { WORKFLOW_STEPS_ENABLED: 'true', ALERTS_CHANNEL: '' },
};

export function startStepsTestBed(options: Parameters<typeof startTestBed>[0] = {}): Promise<TestBed> {
  return startTestBed({
    ...options,
    workspace: { ...withSteps.workspace, ...options.workspace },
    env: { ...withSteps.env, ...options.env },
  });
}

/** The text by which a kind of step acts as a person who sets it up. */
export async function actingText(
  { workspace }: Pick<TestBed, 'workspace'>,
  personId: string,
  step = 'assign_quiz',
): Promise<string> {
  const [only] = await workspace.functions.options(personId, step, 'acts_as');
  return only?.value ?? '';
}

/** Runs a step that a person published. @returns the run, which may go on */
export async function runStep(
  testBed: Pick<TestBed, 'workspace'>,
  personId: string,
  name: string,
  inputs: Record<string, unknown>,
): Promise<FunctionExecution> {
  return testBed.workspace.functions.run(name, { acts_as: await actingText(testBed, personId, name), ...inputs });
}

export function untilEnded(
  { workspace }: Pick<TestBed, 'workspace'>,
  execution: FunctionExecution,
): Promise<FunctionExecution> {
  return workspace.until(() => (execution.state === 'running' ? undefined : execution));
}
