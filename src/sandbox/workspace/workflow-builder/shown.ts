import type { Core } from '../core.ts';
import { messageOf } from '../json.ts';
import type { WorkflowRun, WorkflowStep } from '../model.ts';
import type { PageState, ShownRun, ShownStep, WorkflowChoices } from '../page-contract.ts';
import { definitionOf, dynamicOptions } from './functions.ts';
import { newHireSteps, publishedWorkflow } from './workflows.ts';

const runsAtMost = 10;

/** The ready workflow as the page shows it. */
export function shownWorkflow(core: Core): NonNullable<PageState['workflow']> {
  const { state } = core;
  const published = publishedWorkflow(core);
  return {
    publisher:
      published === undefined ? null : (state.people.get(published.publisherId)?.realName ?? published.publisherId),
    steps: newHireSteps({ actsAs: '', quiz: '' }).map((step) => ({
      title: titleOf(core, step),
      inputs: inputsIn(core, step, published?.quizName ?? 'chosen below'),
    })),
    runs: state.workflowRuns
      .slice(-runsAtMost)
      .toReversed()
      .map((run) => shownRun(core, run)),
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

function shownRun(core: Core, { id, workflowId, personId, executionIds, isOver }: WorkflowRun): ShownRun {
  const steps = core.state.workflows.get(workflowId)?.steps ?? [];
  const shown = steps.map((step, index): ShownStep => {
    const execution = core.state.executions.get(executionIds[index] ?? '');
    const isSent =
      step.kind === 'message' && isOver && core.state.executions.get(executionIds.at(-1) ?? '')?.state === 'completed';
    return {
      title: titleOf(core, step),
      state: execution?.state ?? (isSent ? 'completed' : 'waiting'),
      outputs: Object.entries(execution?.outputs ?? {}).map(([name, value]) => ({ name, value: String(value) })),
      ...(execution?.error !== undefined && { error: execution.error }),
    };
  });
  return { id, personId, steps: shown };
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
