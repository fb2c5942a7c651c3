import type { Config } from './config.ts';
import type { Governance } from './governance/governance.ts';
import type { Log } from './observability/log.ts';
import type { PlatformWords, ProfilesOf } from './operations/context.ts';
import type { SlackConnection } from './slack/connection.ts';
import { createComplete } from './slack/workflow-steps/complete.ts';
import type { WorkflowSteps } from './slack/workflow-steps/register.ts';
import type { Storage } from './storage/storage.ts';
import { createActingPersons } from './workflows/acting-person.ts';
import { createStepRunner, type StepRunner } from './workflows/run-step.ts';
import { createWorkflows, type Workflows } from './workflows/workflows.ts';

/**
 * Makes the custom steps of workflows. Where they are turned off, runs that wait still end.
 *
 * @param deps.governance is made after the queues
 */
export function createWorkflowWork(deps: {
  config: Pick<Config, 'slack' | 'workflowStepsEnabled'>;
  storage: Storage;
  connection: Pick<SlackConnection, 'postingClient'>;
  governance: () => Pick<Governance, 'execute' | 'permissions'>;
  platform: PlatformWords;
  profilesOf: ProfilesOf;
  log: Log;
  now: () => number;
}): WorkflowSteps & { workflows: Workflows } {
  const { config, now } = deps;
  const actingPersons = createActingPersons(config.slack.botToken);
  const complete = createComplete(deps.connection.postingClient);
  let made: StepRunner | undefined;
  const runner = () => (made ??= createStepRunner({ ...deps, ...deps.governance(), actingPersons }));
  return { isEnabled: config.workflowStepsEnabled, workflows: createWorkflows({ ...deps, runner, complete }), complete, actingPersons, now };
}
