import type { Mail } from '../../durable/mail.ts';
import type { Governance } from '../../governance/governance.ts';
import type { Log } from '../../observability/log.ts';
import type { ProfilesOf } from '../../operations/services/people.ts';
import type { PlatformWords } from '../../operations/services/platform.ts';
import type { Storage } from '../../storage/storage.ts';
import { createSharedState } from '../../durable/shared-state.ts';
import { createStepGrants } from '../../features/workflows/step-grants.ts';
import type { RightsLent } from '../../operations/services/lent-rights.ts';
import { createStepRunner } from '../../features/workflows/run-step.ts';
import { createLookFor } from '../../features/workflows/waiting.ts';
import { createWorkflows, type Workflows } from '../../features/workflows/workflows.ts';
import type { SlackConnection } from '../connection/connection.ts';
import { createComplete } from './complete.ts';
import type { StepListenerDeps } from './register.ts';

/** The custom steps of workflows. */
interface WorkflowSteps extends StepListenerDeps {
  workflows: Workflows;
  /** What people lent, by workspace; undefined where steps are turned off. */
  rightsLent: ((teamId: string) => RightsLent) | undefined;
  /** Makes what runs their queues, by their kind. */
  machines(
    governance: Pick<Governance, 'execute' | 'permissions'>,
    account: Omit<Parameters<typeof createLookFor>[0], 'now'>,
  ): ReturnType<Workflows['machines']>;
}

/** Makes the custom steps of workflows. Where they are turned off, runs that wait still end with their time. */
export function createWorkflowSteps(deps: {
  isEnabled: boolean;
  /** The secret with which the bot signs whose rights a step runs with. */
  botToken: string;
  storage: Storage;
  mail: Mail;
  connection: Pick<SlackConnection, 'postingClient' | 'teamId'>;
  platform: PlatformWords;
  profilesOf: ProfilesOf;
  log: Log;
  now: () => number;
}): WorkflowSteps {
  const { isEnabled, connection, now } = deps;
  const grants = createStepGrants({
    secret: deps.botToken,
    shared: createSharedState({ ...deps.storage, mail: deps.mail }),
    now,
  });
  const complete = createComplete(connection.postingClient);
  const workflows = createWorkflows({ ...deps, complete });
  return {
    isEnabled,
    workflows,
    machines: (governance, account) =>
      workflows.machines(createStepRunner({ ...deps, ...governance, grants, now }), createLookFor({ ...account, now })),
    complete,
    grants,
    rightsLent: isEnabled ? grants.of : undefined,
    teamId: connection.teamId,
    now,
  };
}
