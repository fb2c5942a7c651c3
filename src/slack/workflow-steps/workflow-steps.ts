import type { Governance } from '../../governance/governance.ts';
import type { Log } from '../../observability/log.ts';
import type { PlatformWords, ProfilesOf } from '../../operations/context.ts';
import type { Storage } from '../../storage/storage.ts';
import { createActingPersons } from '../../workflows/acting-person.ts';
import { createStepRunner, type StepRunner } from '../../workflows/run-step.ts';
import { createWorkflows, type Workflows } from '../../workflows/workflows.ts';
import type { SlackConnection } from '../connection.ts';
import { createComplete } from './complete.ts';
import type { StepListenerDeps } from './register.ts';

/**
 * Makes the custom steps of workflows. Where they are turned off, runs that wait still end with their time.
 *
 * @param deps.governance is made after the queues
 */
export function createWorkflowSteps(deps: {
  isEnabled: boolean;
  /** The secret with which the bot signs who a step acts as. */
  botToken: string;
  storage: Storage;
  connection: Pick<SlackConnection, 'postingClient' | 'teamId'>;
  governance: () => Pick<Governance, 'execute' | 'permissions'>;
  platform: PlatformWords;
  profilesOf: ProfilesOf;
  log: Log;
  now: () => number;
}): StepListenerDeps & { workflows: Workflows } {
  const { isEnabled, connection, now } = deps;
  const actingPersons = createActingPersons(deps.botToken);
  const complete = createComplete(connection.postingClient);
  let made: StepRunner | undefined;
  const runner = () => (made ??= createStepRunner({ ...deps, ...deps.governance(), actingPersons }));
  return {
    isEnabled,
    workflows: createWorkflows({ ...deps, runner, complete }),
    complete,
    actingPersons,
    teamId: connection.teamId,
    now,
  };
}
