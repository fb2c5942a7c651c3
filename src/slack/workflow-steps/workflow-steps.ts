import type { Mail } from '../../durable/mail.ts';
import type { Governance } from '../../governance/governance.ts';
import type { Log } from '../../observability/log.ts';
import type { PlatformWords, ProfilesOf } from '../../operations/context.ts';
import type { Storage } from '../../storage/storage.ts';
import { createActingPersons } from '../../features/workflows/acting-person.ts';
import { createFindGone } from '../../features/workflows/find-gone.ts';
import { createReadAttempts } from '../../features/workflows/read-attempts.ts';
import { createStepRunner } from '../../features/workflows/run-step.ts';
import { createWorkflows, type Workflows } from '../../features/workflows/workflows.ts';
import type { SlackConnection } from '../connection/connection.ts';
import { createComplete } from './complete.ts';
import type { StepListenerDeps } from './register.ts';

/** The custom steps of workflows. */
export interface WorkflowSteps extends StepListenerDeps {
  workflows: Workflows;
  /** Makes what runs their queues, by their kind. */
  machines(
    governance: Pick<Governance, 'execute' | 'permissions'>,
    account: Omit<Parameters<typeof createReadAttempts>[0], 'now'>,
    directory: Parameters<typeof createFindGone>[0],
  ): ReturnType<Workflows['machines']>;
}

/** Makes the custom steps of workflows. Where they are turned off, runs that wait still end with their time. */
export function createWorkflowSteps(deps: {
  isEnabled: boolean;
  /** The secret with which the bot signs who a step acts as. */
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
  const actingPersons = createActingPersons({
    secret: deps.botToken,
    uses: deps.storage.kv('step-uses'),
    now: deps.now,
  });
  const complete = createComplete(connection.postingClient);
  const workflows = createWorkflows({ ...deps, complete });
  return {
    isEnabled,
    workflows,
    machines: (governance, account, directory) =>
      workflows.machines(createStepRunner({ ...deps, ...governance, actingPersons }), {
        readAttempts: createReadAttempts({ ...account, now }),
        findGone: createFindGone(directory),
      }),
    complete,
    actingPersons,
    teamId: connection.teamId,
    now,
  };
}
