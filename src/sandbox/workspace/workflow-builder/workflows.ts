import type { Core } from '../core.ts';
import { postMessage } from '../messages.ts';
import type { Channel, FunctionExecution, Workflow, WorkflowRun, WorkflowStep } from '../model.ts';
import { people, slackbot } from '../people.ts';
import { definitionOf, dynamicOptions, endFunction, startFunction } from './functions.ts';
import { type Method, method } from '../web-api/method.ts';
import { messageOf } from '../json.ts';
import type { PageState, ShownRun, ShownStep, WorkflowChoices } from '../page-contract.ts';

/** The channel whose new members start the ready workflow. */
const newHires: Channel = {
  id: 'C0NEWHIRES',
  name: 'new-hires',
  kind: 'public',
  members: [people.ada.id, people.tom.id, people.uma.id, people.erin.id],
  topic: 'Joining it starts a workflow',
};

const message = '🎉 {{person}} passed with {{percentage}}%. Congratulations!';

/** What was chosen under “Runs with the rights of” in each step. */
interface ActsAs {
  create_user: string;
  assign_quiz: string;
  wait_for_result: string;
}

/** The steps of the ready workflow. */
function newHireSteps({ actsAs, quiz }: { actsAs: ActsAs; quiz: string }): WorkflowStep[] {
  const step = (name: keyof ActsAs, inputs: Record<string, string | number | boolean> = {}) =>
    ({ kind: 'function', function: name, inputs: { acts_as: actsAs[name], person: '{{person}}', ...inputs } }) as const;
  return [
    step('create_user'),
    step('assign_quiz', { quiz }),
    step('wait_for_result', { quiz, until_passed: true, days: 14 }),
    { kind: 'message', text: message },
  ];
}

/** Publishes the ready workflow as a person, in place of an earlier one. */
export function publishNewHires(
  core: Core,
  publisherId: string,
  { quizName, ...chosen }: { actsAs: ActsAs; quiz: string; quizName: string },
): Workflow {
  const { state } = core;
  const workflow: Workflow = {
    id: state.newId('Wf'),
    name: 'New hires',
    publisherId,
    quizName,
    steps: newHireSteps(chosen),
    isDeleted: false,
  };
  for (const { id } of state.workflows.values()) deleteWorkflow(core, id);
  state.workflows.set(workflow.id, workflow);
  state.channels.set(newHires.id, state.channels.get(newHires.id) ?? { ...newHires, members: [...newHires.members] });
  state.changes.emit();
  return workflow;
}

/** The workflow that runs now. */
const publishedWorkflow = ({ state }: Core): Workflow | undefined =>
  [...state.workflows.values()].findLast(({ isDeleted }) => !isDeleted);

/** Deletes a workflow. Slack ends its runs, and documents no event that tells the app. */
export function deleteWorkflow(core: Core, id: string): void {
  const workflow = core.state.workflows.get(id);
  if (workflow === undefined) return;
  workflow.isDeleted = true;
  for (const run of core.state.workflowRuns.filter(({ workflowId, isOver }) => workflowId === id && !isOver)) {
    run.isOver = true;
    for (const executionId of run.executionIds) {
      const execution = core.state.executions.get(executionId);
      if (execution?.state === 'running') execution.state = 'cancelled';
    }
  }
  core.state.changes.emit();
}

/** Has a person join the channel of the ready workflow, which starts it. */
export async function joinNewHires(core: Core, personId: string): Promise<WorkflowRun> {
  const workflow = publishedWorkflow(core);
  const channel = core.state.channels.get(newHires.id);
  if (workflow === undefined || channel === undefined) throw new Error('Publish the workflow first.');
  if (!channel.members.includes(personId)) channel.members.push(personId);
  const run: WorkflowRun = {
    id: core.state.newId('Wx'),
    workflowId: workflow.id,
    personId,
    startedMs: core.clock.now(),
    executionIds: [],
    isOver: false,
  };
  core.state.workflowRuns.push(run);
  await beginStep(core, workflow, run, {});
  return run;
}

/** Goes on with the workflow of a function that has ended. */
function continueWorkflow(core: Core, execution: FunctionExecution): void {
  const run = core.state.workflowRuns.find(({ id }) => id === execution.workflowExecutionId);
  const workflow = run && core.state.workflows.get(run.workflowId);
  if (run === undefined || workflow === undefined || run.isOver) return;
  if (execution.state !== 'completed') {
    run.isOver = true;
    // Slackbot tells who published the workflow: https://docs.slack.dev/reference/methods/functions.completeError
    core.state.notices.push({
      id: core.state.newId('N'),
      user: workflow.publisherId,
      text: `The workflow “${workflow.name}” failed in “${definitionOf(core, execution.function).title}”: ${execution.error ?? ''}`,
    });
    core.state.changes.emit();
    return;
  }
  // The app gets its answer before the next step begins.
  setImmediate(() => void beginStep(core, workflow, run, execution.outputs ?? {}).catch(() => (run.isOver = true)));
}

/** How a function of the app tells that it has ended: https://docs.slack.dev/reference/methods/functions.completeSuccess */
export const functions: Record<string, Method> = {
  'functions.completeSuccess': method(3, [], (core, args) => {
    const id = args.required('function_execution_id');
    continueWorkflow(core, endFunction(core, id, { outputs: args.json('outputs') }));
    return {};
  }),
  'functions.completeError': method(3, [], (core, args) => {
    const id = args.required('function_execution_id');
    continueWorkflow(core, endFunction(core, id, { error: args.required('error') }));
    return {};
  }),
};

/** A value of a variable as a message shows it. */
const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

async function beginStep(
  core: Core,
  { steps }: Workflow,
  run: WorkflowRun,
  outputs: Record<string, unknown>,
): Promise<void> {
  const step = steps[run.executionIds.length];
  const filled = (text: string, person: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => (name === 'person' ? person : wordsOf(outputs[name])));
  if (step?.kind === 'function') {
    const inputs = Object.fromEntries(
      Object.entries(step.inputs).map(([name, value]) => [
        name,
        typeof value === 'string' ? filled(value, run.personId) : value,
      ]),
    );
    const { execution, delivered } = startFunction(core, step.function, inputs, { workflowExecutionId: run.id });
    run.executionIds.push(execution.id);
    core.state.changes.emit();
    await delivered;
    return;
  }
  if (step?.kind === 'message')
    postMessage(core.state, { channel: newHires.id, user: slackbot.id, text: filled(step.text, `<@${run.personId}>`) });
  run.isOver = true;
  core.state.changes.emit();
}

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
