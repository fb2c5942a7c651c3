import { createHmac } from 'node:crypto';
import type { Core } from '../core.ts';
import { isRecord } from '../json.ts';
import type { FunctionDefinition, Parameters } from '../manifest.ts';
import type { FunctionExecution } from '../model.ts';
import { appId } from '../people.ts';
import { ApiError } from '../web-api/method.ts';

/** A choice of a dropdown in Workflow Builder: https://docs.slack.dev/tools/bolt-js/concepts/custom-steps-dynamic-options */
export interface DynamicOption {
  text: string;
  value: string;
}

/** Proves that a `user_context` is Slack’s own: https://docs.slack.dev/tools/deno-slack-sdk/reference/slack-types#usercontext */
const secretOf = (userId: string): string => createHmac('sha256', 'user context').update(userId).digest('hex');
export const userContext = (id: string): { id: string; secret: string } => ({ id, secret: secretOf(id) });

export function definitionOf(core: Pick<Core, 'manifest'>, name: string): FunctionDefinition {
  const definition = core.manifest.functions[name];
  if (definition === undefined) throw new Error(`The manifest has no function called ${name}.`);
  return definition;
}

/**
 * Runs a function: sends `function_executed`, whose acknowledgement says nothing of how the function ends.
 * @returns the run, and a promise that resolves when the app has acknowledged or refused the event
 * @throws Error when the inputs do not fit the manifest, so that the workflow could not be published
 */
export function startFunction(
  core: Core,
  name: string,
  inputs: Record<string, unknown>,
  {
    workflowExecutionId = core.state.newId('Wx'),
    workflowId,
  }: {
    workflowExecutionId?: string;
    /** Slack documents none. */
    workflowId?: string | undefined;
  } = {},
): { execution: FunctionExecution; delivered: Promise<unknown> } {
  const definition = definitionOf(core, name);
  const problems = problemsIn(definition.input_parameters, inputs);
  if (problems.length > 0) throw new Error(problems.join(' '));
  const execution: FunctionExecution = {
    id: core.state.newId('Fx'),
    workflowExecutionId,
    function: name,
    inputs,
    state: 'running',
  };
  core.state.executions.set(execution.id, execution);
  core.state.changes.emit();
  return {
    execution,
    delivered: core.dispatcher.publish('function_executed', {
      ...eventFor(core, name, definition, execution),
      ...(workflowId !== undefined && { workflow_id: workflowId }),
    }),
  };
}

/** https://docs.slack.dev/reference/events/function_executed: it names nobody. */
function eventFor(
  { clock }: Core,
  name: string,
  definition: FunctionDefinition,
  { id, workflowExecutionId, inputs }: FunctionExecution,
): Record<string, unknown> {
  const at = Math.floor(clock.now() / 1000);
  const listed = ({ properties, required = [] }: Parameters) =>
    Object.entries(properties).map(([parameter, { type, title, description }]) => ({
      type,
      name: parameter,
      title,
      description,
      is_required: required.includes(parameter),
    }));
  return {
    function: {
      id: `Fn${name.replaceAll('_', '').toUpperCase()}`,
      callback_id: name,
      title: definition.title,
      description: definition.description,
      type: 'app',
      input_parameters: listed(definition.input_parameters),
      output_parameters: listed(definition.output_parameters),
      app_id: appId,
      date_created: at,
      date_updated: at,
      date_deleted: 0,
    },
    inputs,
    function_execution_id: id,
    workflow_execution_id: workflowExecutionId,
    event_ts: `${at}.000000`,
    // Revoked with the end of the function, which is why a bot does better with its own token.
    bot_access_token: `xwfp-${id}`,
  };
}

/**
 * Gives the choices for an input to the person who builds a workflow. The function has to end before the event is acknowledged.
 * @throws Error with the sentence that the builder sees
 */
export async function dynamicOptions(
  core: Core,
  builderId: string,
  name: string,
  input: string,
  query = '',
): Promise<DynamicOption[]> {
  const dynamic = definitionOf(core, name).input_parameters.properties[input]?.dynamic_options;
  if (dynamic === undefined) throw new Error(`${input} has no dynamic options.`);
  const templates: Record<string, unknown> = {
    '{{client.builder_context}}': userContext(builderId),
    '{{client.query}}': query,
  };
  const inputs = Object.fromEntries(
    Object.entries(dynamic.inputs).map(([parameter, { value }]) => [parameter, templates[value] ?? value]),
  );
  const { execution, delivered } = startFunction(core, dynamic.function.replace('#/functions/', ''), inputs);
  await delivered;
  const { state, error, outputs } = execution;
  if (state === 'failed') throw new Error(error);
  const options: unknown = outputs?.['options'];
  if (state !== 'completed' || !Array.isArray(options)) throw new Error('The app didn’t give any options in time.');
  return options.map((option: { text: { text: string }; value: string }) => ({
    text: option.text.text,
    value: option.value,
  }));
}

/** Ends a run for the bot. @throws ApiError */
export function endFunction(
  core: Core,
  id: string,
  ending: { outputs: unknown } | { error: string },
): FunctionExecution {
  const execution = core.state.executions.get(id);
  if (execution === undefined) throw new ApiError('function_execution_not_found');
  if (execution.state !== 'running') throw new ApiError('execution_not_in_running_state');
  if ('error' in ending) Object.assign(execution, { state: 'failed', error: ending.error });
  else {
    const outputs = isRecord(ending.outputs) ? ending.outputs : {};
    const problems = problemsIn(definitionOf(core, execution.function).output_parameters, outputs);
    if (problems.length > 0)
      throw new ApiError('parameter_validation_failed', { response_metadata: { messages: problems } });
    Object.assign(execution, { state: 'completed', outputs });
  }
  core.state.changes.emit();
  return execution;
}

/** https://docs.slack.dev/tools/deno-slack-sdk/reference/slack-types */
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isInteger,
  'slack#/types/user_id': (value) => typeof value === 'string' && /^[UW][A-Z0-9]+$/.test(value),
  'slack#/types/timestamp': Number.isInteger,
  'slack#/types/user_context': (value) =>
    isRecord(value) && typeof value['id'] === 'string' && value['secret'] === secretOf(value['id']),
  'slack#/types/options_select': (value) => Array.isArray(value) && value.every(isOption),
};

const isOption = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['value'] === 'string' &&
  value['value'].length <= 150 &&
  isRecord(value['text']) &&
  value['text']['type'] === 'plain_text' &&
  typeof value['text']['text'] === 'string' &&
  value['text']['text'].length <= 75;

function problemsIn({ properties, required = [] }: Parameters, given: Record<string, unknown>): string[] {
  return [
    ...required.filter((name) => given[name] === undefined).map((name) => `${name} is required.`),
    ...Object.entries(given).flatMap(([name, value]) => {
      const type = properties[name]?.type;
      if (type === undefined) return [`${name} is no parameter.`];
      return value === undefined || fits[type]?.(value) ? [] : [`${name} is not a ${type}.`];
    }),
  ];
}
