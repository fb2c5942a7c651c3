import type { App } from '@slack/bolt';
import type { FunctionExecutedEvent } from '@slack/types';
import type { StepExecution } from '../../domain/workflow.ts';
import type { ActingPersons } from '../../features/workflows/acting-person.ts';
import { steps } from '../../features/workflows/steps.ts';
import type { Workflows } from '../../features/workflows/workflows.ts';
import type { ListenerContext } from '../listeners/listener-context.ts';
import type { CompleteFunction } from './complete.ts';
import { optionFunctions, type OptionKind } from './functions.ts';
import { createStepOptions } from './options.ts';

/** What the listeners of steps need besides the dependencies of every listener. */
export interface StepListenerDeps {
  isEnabled: boolean;
  workflows: Pick<Workflows, 'take'>;
  complete: CompleteFunction;
  actingPersons: ActingPersons;
  /** The bot’s own workspace. An app with steps is installed for a whole organization, whose events can name other workspaces. */
  teamId: () => Promise<string>;
  now: () => number;
}

export const turnedOff =
  'The steps of this app are turned off. Ask the person who runs the bot to set WORKFLOW_STEPS_ENABLED.';
export const noBuilder = 'Slack didn’t say who sets up this step, so the bot can’t offer anything.';
const longestText = 3_000;

/**
 * Takes runs of steps, and gives options while people set up steps. A run is stored before Slack gets its acknowledgement, so
 * none is lost; options are sent before it, since the person waits for them.
 */
export function registerWorkflowSteps(
  app: App,
  { permissions, logAndExplain }: Pick<ListenerContext, 'permissions' | 'logAndExplain'>,
  deps: StepListenerDeps,
): void {
  const { workflows, actingPersons } = deps;
  const optionsFor = createStepOptions({ permissions, actingPersons });

  for (const { name } of steps) {
    app.function(name, { autoAcknowledge: false }, async ({ event, ack }) => {
      const execution = executionIn(event, await deps.teamId(), deps.now());
      if (execution !== undefined && deps.isEnabled) await workflows.take(execution);
      else if (execution !== undefined) await fail(execution.id, turnedOff);
      await ack();
    });
  }

  for (const [kind, { name }] of Object.entries(optionFunctions)) {
    app.function(name, { autoAcknowledge: false }, async ({ event, ack }) => {
      const { function_execution_id: id, inputs } = event;
      const personId = deps.isEnabled ? builderIn(inputs['builder']) : undefined;
      try {
        if (personId === undefined) await fail(id, deps.isEnabled ? noBuilder : turnedOff);
        else
          await offer(
            id,
            kind as OptionKind,
            { personId, teamId: await deps.teamId() },
            typeof inputs['query'] === 'string' ? inputs['query'] : '',
          );
      } catch (error) {
        await fail(id, logAndExplain(error));
      }
      await ack();
    });
  }

  async function offer(
    id: string,
    kind: OptionKind,
    person: { personId: string; teamId: string },
    query: string,
  ): Promise<void> {
    const offered = await optionsFor(kind, person, query);
    if ('refused' in offered) await fail(id, offered.refused);
    else await deps.complete(id, { kind: 'success', outputs: { options: offered.options } });
  }

  async function fail(id: string, message: string): Promise<void> {
    await deps.complete(id, { kind: 'error', message });
  }
}

/** Undefined for a run without an ID that a queue can be named by. */
function executionIn(
  { function: { callback_id: step }, function_execution_id: id, inputs }: FunctionExecutedEvent,
  teamId: string,
  now: number,
): StepExecution | undefined {
  if (!/^[\w-]{1,100}$/.test(id)) return undefined;
  const texts = Object.entries(inputs).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value)
      ? [[name, String(value).slice(0, longestText)] as const]
      : [],
  );
  return { id, teamId, step, inputs: Object.fromEntries(texts), startedAt: now };
}

/**
 * The person in a `user_context`, whose `secret` Slack checks. A plain ID could be anything that a workflow was given:
 * https://docs.slack.dev/tools/deno-slack-sdk/reference/slack-types#usercontext
 */
function builderIn(value: unknown): string | undefined {
  const { id, secret } = Object(value) as { id?: unknown; secret?: unknown };
  return typeof id === 'string' && /^[UW][A-Z0-9]{1,30}$/.test(id) && typeof secret === 'string' && secret !== ''
    ? id
    : undefined;
}
