import type { Core } from '../core.ts';
import { messageOf } from '../json.ts';
import type { FunctionExecution, WorkflowRun, WorkflowStep } from '../model.ts';
import type { PageState, ShownRun, ShownStep, WorkflowChoices } from '../page-contract.ts';
import { definitionOf, dynamicOptions } from './functions.ts';
import { newHireSteps, publishedWorkflow, type ActsAs } from './workflows.ts';

const runsAtMost = 10;

/** The ready workflow as the page shows it. @param timeZone of the person who sees it */
export function shownWorkflow(core: Core, timeZone: string): NonNullable<PageState['workflow']> {
  const { state } = core;
  const published = publishedWorkflow(core);
  return {
    publisher:
      published === undefined ? null : (state.people.get(published.publisherId)?.realName ?? published.publisherId),
    steps: newHireSteps({ actsAs: { create_user: '', assign_quiz: '', wait_for_result: '' }, quiz: '' }).map(
      (step) => ({
        title: titleOf(core, step),
        inputs: inputsIn(core, step, published?.quizName ?? 'chosen below'),
      }),
    ),
    runs: state.workflowRuns
      .slice(-runsAtMost)
      .toReversed()
      .map((run) => shownRun(core, run, timeZone)),
  };
}

function titleOf(core: Core, step: WorkflowStep): string {
  return step.kind === 'message' ? 'Send a message to #new-hires' : definitionOf(core, step.function).title;
}

function inputsIn(core: Core, step: WorkflowStep, quizName: string): string[] {
  if (step.kind === 'message') return [step.text];
  const { properties } = definitionOf(core, step.function).input_parameters;
  const words = (value: string | number | boolean) =>
    value === '{{person}}' ? 'the person who joined' : value === true ? 'yes' : String(value);
  return Object.entries(step.inputs)
    .filter(([name]) => name !== 'acts_as')
    .map(([name, value]) => `${properties[name]?.title ?? name}: ${value === '' ? quizName : words(value)}`);
}

function shownRun(
  core: Core,
  { id, workflowId, personId, executionIds, isOver }: WorkflowRun,
  timeZone: string,
): ShownRun {
  const steps = core.state.workflows.get(workflowId)?.steps ?? [];
  const shown = steps.map((step, index): ShownStep => {
    const execution = core.state.executions.get(executionIds[index] ?? '');
    const isSent =
      step.kind === 'message' && isOver && core.state.executions.get(executionIds.at(-1) ?? '')?.state === 'completed';
    return {
      title: titleOf(core, step),
      state: execution?.state ?? (isSent ? 'completed' : 'waiting'),
      outputs: execution === undefined ? [] : shownOutputs(core, execution, timeZone),
      ...(execution?.error !== undefined && { error: execution.error }),
    };
  });
  return { id, personId, steps: shown };
}

/** What a step gave, under the titles that the manifest has for it. What follows a colon there explains them. */
function shownOutputs(core: Core, { function: name, outputs = {} }: FunctionExecution, timeZone: string) {
  const { properties } = definitionOf(core, name).output_parameters;
  return Object.entries(outputs).map(([output, value]) => ({
    name: (properties[output]?.title || output).replace(/:.*/, ''),
    value: shownValue(value, properties[output]?.type, timeZone),
  }));
}

function shownValue(value: unknown, type: string | undefined, timeZone: string): string {
  if (type === 'slack#/types/timestamp')
    return new Date(Number(value) * 1000).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

/** What the bot offers the person in the dropdowns of the ready workflow, or why it offers nothing. */
export async function choicesFor(
  core: Core,
  builderId: string,
): Promise<{ choices: WorkflowChoices } | { problem: string }> {
  try {
    const actsAs = await dynamicOptions(core, builderId, 'create_user', 'acts_as');
    return { choices: { actsAs, quizzes: await dynamicOptions(core, builderId, 'assign_quiz', 'quiz') } };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/**
 * What the bot offers the person in each step of the ready workflow, who has chosen it in the first one on the page: each step
 * has a dropdown of its own.
 */
export async function actsAsIn(core: Core, builderId: string, first: string): Promise<ActsAs> {
  const chosen = async (step: string) => (await dynamicOptions(core, builderId, step, 'acts_as'))[0]?.value ?? '';
  return {
    create_user: first,
    assign_quiz: await chosen('assign_quiz'),
    wait_for_result: await chosen('wait_for_result'),
  };
}
