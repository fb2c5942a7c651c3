import { plain } from './views/blocks/message.ts';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { say, clip } from '../domain/said.ts';
import type { StepExecution } from '../domain/workflow.ts';
import type { StepGrants } from '../features/workflows/step-grants.ts';
import { steps, type StepInputKind, type StepOutput } from '../features/workflows/steps.ts';
import type { Workflows } from '../features/workflows/workflows.ts';
import type { Permissions } from '../governance/rights/permissions.ts';
import type { Field } from '../operations/fields/fields.ts';
import { callSlack, slackCodeOf } from './errors.ts';
import { optionsOf } from './form/inputs.ts';

/** What the listeners of steps need besides the dependencies of every listener. */
export interface StepParts {
  isEnabled: boolean;
  workflows: Pick<Workflows, 'take'>;
  complete: CompleteFunction;
  grants: StepGrants;
  /** The bot’s own workspace. An app with steps is installed for a whole organization, whose events can name other workspaces. */
  teamId: () => Promise<string>;
  now: () => number;
}

export const turnedOff = say`The steps of this app are turned off. Ask the person who runs the bot to set WORKFLOW_STEPS_ENABLED.`;
export const noBuilder = say`Slack didn’t say who sets up this step, so the bot can’t offer anything.`;
const longestText = 3_000;

/** Takes the event of a function of the app. Others are not acknowledged. */
export type TakeFunction = (event: unknown, ack: () => Promise<void>) => Promise<void>;

const functionSchema = z.object({
  function: z.object({ callback_id: z.string(), app_id: z.string() }),
  function_execution_id: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  workflow_id: z.unknown().optional(),
});
type FunctionEvent = z.infer<typeof functionSchema>;

/**
 * Takes runs of steps, and gives options while people set up steps. A run is stored before Slack gets its acknowledgement, so
 * none is lost; options are sent before it, since the person waits for them.
 */
export function createTakeFunction(
  { permissions, logAndExplain }: { permissions: Permissions; logAndExplain: (error: unknown) => string },
  deps: StepParts,
): TakeFunction {
  const { workflows, grants } = deps;
  const options = createStepOptions(permissions, grants);
  type Offer = (person: Builder, event: FunctionEvent) => Promise<Offered>;
  const offers: Readonly<Record<string, Offer>> = Object.fromEntries([
    ...steps.map(({ name: step }): [string, Offer] => [
      actingFunctionOf(step),
      async (person, { function: { app_id: appId } }) => options.acting(person, { appId, step }),
    ]),
    ...Object.entries(optionFunctions).map(([kind, { name }]): [string, Offer] => [
      name,
      async (person, { inputs: { query } }) =>
        options.values(kind as OptionKind, person, typeof query === 'string' ? query : ''),
    ]),
  ]);

  return async (delivered, ack) => {
    const { data: event } = functionSchema.safeParse(delivered);
    const name = event?.function.callback_id ?? '';
    const offer = offers[name];
    if (event === undefined || (offer === undefined && !steps.some((step) => step.name === name))) return;
    await (offer ? give(offer, event) : takeRun(event));
    await ack();
  };

  async function takeRun(event: FunctionEvent): Promise<void> {
    const execution = executionIn(event, await deps.teamId(), deps.now());
    if (execution !== undefined && deps.isEnabled) await workflows.take(execution);
    else if (execution !== undefined) await fail(execution.id, turnedOff);
  }

  /** Answers a function that gives options. */
  async function give(offer: Offer, event: FunctionEvent): Promise<void> {
    const { function_execution_id: id, inputs } = event;
    const personId = deps.isEnabled ? builderIn(inputs['builder']) : undefined;
    try {
      if (personId === undefined) return await fail(id, deps.isEnabled ? noBuilder : turnedOff);
      const offered = await offer({ personId, teamId: await deps.teamId() }, event);
      if ('refused' in offered) await fail(id, offered.refused);
      else await deps.complete(id, { kind: 'success', outputs: { options: offered.options } });
    } catch (error) {
      await fail(id, logAndExplain(error));
    }
  }

  async function fail(id: string, message: string): Promise<void> {
    await deps.complete(id, { kind: 'error', message });
  }
}

/** Undefined for a run without an ID that a queue can be named by. */
function executionIn(event: FunctionEvent, teamId: string, now: number): StepExecution | undefined {
  const {
    function: { callback_id: step, app_id: appId },
    function_execution_id: id,
    inputs,
  } = event;
  if (!/^[\w-]{1,100}$/.test(id)) return undefined;
  const texts = Object.entries(inputs).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value)
      ? [[name, String(value).slice(0, longestText)] as const]
      : [],
  );
  const workflowId = workflowIn(event);
  return {
    id,
    teamId,
    appId,
    ...(workflowId !== undefined && { workflowId }),
    step,
    inputs: Object.fromEntries(texts),
    startedAt: now,
  };
}

/**
 * The workflow of a run. Slack documents the ID of the run alone (`workflow_execution_id`, another one each time), so there is
 * none so far: https://docs.slack.dev/reference/events/function_executed
 */
function workflowIn({ workflow_id: id }: FunctionEvent): string | undefined {
  return typeof id === 'string' && /^\w{1,40}$/.test(id) ? id : undefined;
}

/**
 * The person in a `user_context`, whose `secret` Slack checks. A plain ID could be anything that a workflow was given:
 * https://docs.slack.dev/tools/deno-slack-sdk/reference/slack-types#usercontext. While a step is set up, it is the person who
 * does so. Where a workflow runs such a function as a step, it is whoever started it or pressed a button, and nothing tells
 * the two apart (https://docs.slack.dev/reference/types/user_context-type): that is why the person is told of each grant.
 */
function builderIn(value: unknown): string | undefined {
  const { id, secret } = Object(value) as { id?: unknown; secret?: unknown };
  return typeof id === 'string' && /^[UW][A-Z0-9]{1,30}$/.test(id) && typeof secret === 'string' && secret !== ''
    ? id
    : undefined;
}

/** An option as functions output it. */
interface Option {
  text: { type: 'plain_text'; text: string };
  value: string;
}

/** Slack documents no number; its menus take 100. */
const optionsAtMost = 100;

const fields = {
  quiz: { kind: 'quiz', label: 'Quiz' },
  group: { kind: 'group', label: 'Group', byName: true },
} as const satisfies Record<OptionKind, Field>;

interface Builder {
  personId: string;
  teamId: string;
}

type Offered = { options: Option[] } | { refused: string };

export const noUser = say`The bot can’t look up your user in the quiz account right now. Try again in a few minutes.`;

/** Gives the options that a person may choose while they set up a step, or a sentence where they may set up none. */
function createStepOptions(permissions: Permissions, grants: StepGrants) {
  return {
    /** The person themself, whose rights are lent to this kind of step with that. */
    async acting(person: Builder, place: { appId: string; step: string }): Promise<Offered> {
      const { actor, refusal } = await permissions.of(person.personId);
      const refused = refusal('staff');
      if (refused !== undefined) return { refused };
      if (actor.user === undefined) return { refused: noUser };
      const name = [actor.user.first_name, actor.user.last_name].filter(Boolean).join(' ') || actor.name || say`You`;
      const text = await grants.lend({ ...person, ...place, userId: actor.user.user_id });
      return { options: [option(say`${name} (you)`, text)] };
    },
    async values(kind: OptionKind, person: Builder, query: string): Promise<Offered> {
      const { refusal, visibility } = await permissions.of(person.personId);
      const refused = refusal('staff');
      if (refused !== undefined) return { refused };
      const values = await permissions.narrow(fields[kind], query, person, optionsAtMost);
      return {
        options: values
          .flatMap((value) => optionsOf(fields[kind], value, visibility))
          .flatMap(({ text, value }) => (value === undefined ? [] : [option(text.text, value)])),
      };
    },
  };
}

function option(text: string, value: string): Option {
  return { text: { type: 'plain_text', text: plain(text).text }, value };
}

/** Ends a run. Options are an output that no step has. @throws {PlatformError} */
type CompleteFunction = (
  executionId: string,
  ending: { kind: 'success'; outputs: Readonly<Record<string, unknown>> } | { kind: 'error'; message: string },
) => Promise<'ended' | 'gone'>;

/**
 * The run has ended, or Slack no longer has it, such as after its workflow was deleted: Slack documents no event for that.
 * https://docs.slack.dev/reference/methods/functions.completeSuccess#errors
 */
const goneCodes: ReadonlySet<string> = new Set(['execution_not_in_running_state', 'function_execution_not_found']);

/** Slack names no limit; its notice of a failed step shows a few lines. */
const longestError = 500;

/**
 * Ends runs of functions with the bot’s own token. The token in the event is revoked soon after it, and a run can end days
 * later: https://github.com/slackapi/bolt-js/issues/2288
 */
export function createComplete(client: Pick<WebClient, 'functions'>): CompleteFunction {
  return async (executionId, ending) => {
    try {
      await callSlack(async () =>
        ending.kind === 'success'
          ? client.functions.completeSuccess({ function_execution_id: executionId, outputs: { ...ending.outputs } })
          : client.functions.completeError({
              function_execution_id: executionId,
              error: clip(ending.message, longestError),
            }),
      );
      return 'ended';
    } catch (error) {
      if (goneCodes.has(slackCodeOf(Object(error).cause) ?? '')) return 'gone';
      throw error;
    }
  };
}

/** The functions that give options while a step is set up, by the kind of input. */
const optionFunctions = {
  quiz: { name: 'list_quizzes', title: 'Quizzes to choose from', description: 'Gives options to other steps' },
  group: { name: 'list_groups', title: 'Groups to choose from', description: 'Gives options to other steps' },
} as const satisfies Partial<Record<StepInputKind, { name: string; title: string; description: string }>>;

type OptionKind = keyof typeof optionFunctions;

/**
 * The function that gives the options of “Runs with the rights of” to a step. Each step has its own: Slack doesn’t say for
 * which step it asks, and documents only placeholders as the inputs of such a function.
 */
const actingFunctionOf = (step: string): string => `rights_for_${step}`;

/** https://docs.slack.dev/reference/app-manifest and https://docs.slack.dev/tools/deno-slack-sdk/reference/slack-types */
const inputTypes: Readonly<Record<StepInputKind, string>> = {
  acting: 'string',
  person: 'slack#/types/user_id',
  quiz: 'string',
  group: 'string',
  text: 'string',
  days: 'integer',
  'yes or no': 'boolean',
};
const outputTypes: Readonly<Record<StepOutput['kind'], string>> = {
  text: 'string',
  number: 'number',
  'yes or no': 'boolean',
  time: 'slack#/types/timestamp',
};

interface Parameters {
  properties: Record<string, object>;
  required?: string[];
}

/** The section `functions` of the app manifest. */
export function manifestFunctions(): Record<
  string,
  { title: string; description: string; input_parameters: Parameters; output_parameters: Parameters }
> {
  const acting = steps.map(({ name, title }) => ({
    name: actingFunctionOf(name),
    title: 'Rights to run with',
    description: `Gives options to “${title}”`,
  }));
  const own = steps.map(
    ({ name, title, description, inputs, outputs }) =>
      [
        name,
        {
          title,
          description,
          input_parameters: parametersOf(inputs, ({ kind, title: inputTitle, description: hint }) => ({
            type: inputTypes[kind],
            title: inputTitle,
            description: hint,
            ...dynamicOptions(kind, name),
          })),
          output_parameters: parametersOf(outputs, ({ kind, title: outputTitle }) => ({
            type: outputTypes[kind],
            title: outputTitle,
          })),
        },
      ] as const,
  );
  const options = [...acting, ...Object.values(optionFunctions)].map(
    ({ name, title, description }) =>
      [name, { title, description, input_parameters: optionInputs, output_parameters: optionOutputs }] as const,
  );
  return Object.fromEntries([...own, ...options]);
}

/** https://docs.slack.dev/tools/bolt-js/concepts/custom-steps-dynamic-options: Slack names the person who sets up the step. */
function dynamicOptions(kind: StepInputKind, step: string): object {
  const name = kind === 'acting' ? actingFunctionOf(step) : isOptionKind(kind) ? optionFunctions[kind].name : undefined;
  if (name === undefined) return {};
  return {
    dynamic_options: {
      function: `#/functions/${name}`,
      inputs: { builder: { value: '{{client.builder_context}}' }, query: { value: '{{client.query}}' } },
    },
  };
}

function isOptionKind(kind: StepInputKind): kind is OptionKind {
  return kind in optionFunctions;
}

const optionInputs: Parameters = {
  properties: {
    builder: { type: 'slack#/types/user_context', title: 'Who sets up the step', description: 'Filled in by Slack' },
    query: { type: 'string', title: 'What they typed', description: 'Filled in by Slack' },
  },
  required: ['builder'],
};
const optionOutputs: Parameters = {
  properties: { options: { type: 'slack#/types/options_select', title: 'Options' } },
  required: ['options'],
};

function parametersOf<Parameter extends { isRequired?: true }>(
  parameters: Readonly<Record<string, Parameter>>,
  describe: (parameter: Parameter) => object,
): Parameters {
  const entries = Object.entries(parameters);
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    properties: Object.fromEntries(entries.map(([name, parameter]) => [name, describe(parameter)])),
    ...(required.length > 0 && { required }),
  };
}
