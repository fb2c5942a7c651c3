import type { Block } from '../block-kit/blocks.ts';
import type { Option } from '../block-kit/elements.ts';
import type { Core } from '../core.ts';
import { messageOf } from '../json.ts';
import { postMessage, escapeText } from '../messages.ts';
import type { Channel, FunctionExecution, Person, Workflow, WorkflowRun, WorkflowStep } from '../model.ts';
import { chosenIn, option, ownHome, type OwnApp, plain, section } from '../own-apps.ts';
import { people, slackbot } from '../people.ts';
import { publishHome } from '../view-stacks.ts';
import { type Method, method } from '../web-api/method.ts';
import { definitionOf, dynamicOptions, endFunction, startFunction } from './functions.ts';

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
function publishNewHires(
  core: Core,
  publisherId: string,
  { quizName, ...chosen }: { actsAs: ActsAs; quiz: string; quizName: string },
): void {
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
}

/** The workflow that runs now. */
const publishedWorkflow = ({ state }: Core): Workflow | undefined =>
  [...state.workflows.values()].findLast(({ isDeleted }) => !isDeleted);

/** Deletes a workflow. Slack ends its runs, and documents no event that tells the app. */
function deleteWorkflow(core: Core, id: string): void {
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
async function joinNewHires(core: Core, personId: string): Promise<void> {
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

/** Workflow Builder with a ready workflow: its steps, and who publishes it. Its runs are shown below. */
export function createWorkflowBuilder(core: () => Core): OwnApp {
  const open = async (userId: string): Promise<void> => {
    const { state, clock } = core();
    const payload = { type: 'home', callback_id: 'workflow', blocks: await builderBlocks(core(), userId) } as const;
    publishHome(state, clock, ownHome('workflow', userId), payload);
  };
  return {
    open,
    async act(userId, actionId, _value, values) {
      const chosen = (name: string) => chosenIn(values, name) ?? option('', '');
      if (actionId === 'publish') {
        const { value: quiz, text } = chosen('quiz');
        const actsAs = await actsAsIn(core(), userId, chosen('acts_as').value);
        publishNewHires(core(), userId, { actsAs, quiz, quizName: text.text });
      } else if (actionId === 'delete')
        for (const { id } of core().state.workflows.values()) deleteWorkflow(core(), id);
      else if (actionId === 'join') await joinNewHires(core(), chosen('joiner').value);
      else return;
      await open(userId);
    },
  };
}

async function builderBlocks(core: Core, userId: string): Promise<Block[]> {
  const published = publishedWorkflow(core);
  const noRights: ActsAs = { create_user: '', assign_quiz: '', wait_for_result: '' };
  const steps = newHireSteps({ actsAs: noRights, quiz: '' });
  return [
    { type: 'header', text: plain('New hires') },
    columns([
      ['⚡ *Start*', 'When a person joins #new-hires'],
      ...steps.map((step) => [`▸ *${titleOf(core, step)}*`, inputsIn(core, step, published?.quizName).join('\n')]),
    ]),
    ...(published === undefined ? await publisherBlocks(core, userId) : joinBlocks(core, published)),
  ];
}

/** Rows of two columns. */
const columns = (rows: readonly (readonly string[])[]): Block => ({
  type: 'section',
  fields: rows.flatMap((row) => row.map((text) => ({ type: 'mrkdwn', text }))),
});

const menu = (label: string, name: string, options: Option[], initial = options[0]): Block => ({
  type: 'section',
  block_id: name,
  text: plain(label),
  accessory: { type: 'static_select', action_id: name, options, initial_option: initial },
});

const buttons = (...all: [text: string, actionId: string, style?: 'primary'][]): Block => ({
  type: 'actions',
  elements: all.map(([text, actionId, style]) => ({ type: 'button', action_id: actionId, text: plain(text), style })),
});

/** Who joins first, unless somebody else is chosen: a person without a user. */
const usualJoiner = people.zoe.id;
const usualQuiz = 'Onboarding';

function joinBlocks({ state }: Core, { publisherId }: Workflow): Block[] {
  const joiners = [...state.people.values()]
    .filter(({ isBot, isDeleted, isGuest, teamId }) => !isBot && !isDeleted && !isGuest && teamId === undefined)
    .map(({ id, realName, title }) => option(realName, id, title));
  const usual = joiners.find(({ value }) => value === usualJoiner);
  return [
    section(`Published by ${nameOf(state.people.get(publisherId), publisherId)}, with whose rights the steps run.`),
    menu('Who joins #new-hires', 'joiner', joiners, usual),
    buttons(['Join #new-hires', 'join', 'primary'], ['Delete workflow', 'delete']),
  ];
}

/** What the bot offers the person in the dropdowns of the ready workflow, or why it offers nothing. */
async function publisherBlocks(core: Core, builderId: string): Promise<Block[]> {
  const offered = async (step: string, input: string) =>
    (await dynamicOptions(core, builderId, step, input)).map(({ text, value }) => option(text, value));
  try {
    const actsAs = await offered('create_user', 'acts_as');
    const quizzes = await offered('assign_quiz', 'quiz');
    const usual = quizzes.find(({ text }) => text.text.startsWith(usualQuiz)) ?? quizzes[0];
    const builder = nameOf(core.state.people.get(builderId), builderId);
    return [
      menu('Runs with the rights of', 'acts_as', actsAs),
      menu('Quiz', 'quiz', quizzes, usual),
      buttons([`Publish as ${builder}`, 'publish', 'primary']),
    ];
  } catch (error) {
    return [section(escapeText(messageOf(error)))];
  }
}

/**
 * What the bot offers the person in each step of the ready workflow, who has chosen it in the first one on the page: each step
 * has a dropdown of its own.
 */
async function actsAsIn(core: Core, builderId: string, first: string): Promise<ActsAs> {
  const chosen = async (step: string) => (await dynamicOptions(core, builderId, step, 'acts_as'))[0]?.value ?? '';
  return {
    create_user: first,
    assign_quiz: await chosen('assign_quiz'),
    wait_for_result: await chosen('wait_for_result'),
  };
}

const nameOf = (person: Person | undefined, id: string): string => person?.realName ?? id;

function titleOf(core: Core, step: WorkflowStep): string {
  return step.kind === 'message' ? 'Send a message to #new-hires' : definitionOf(core, step.function).title;
}

function inputsIn(core: Core, step: WorkflowStep, quizName = 'chosen below'): string[] {
  if (step.kind === 'message') return [step.text];
  const { properties } = definitionOf(core, step.function).input_parameters;
  const words = (value: string | number | boolean) =>
    value === '{{person}}' ? 'the person who joined' : value === true ? 'yes' : String(value);
  return Object.entries(step.inputs)
    .filter(([name]) => name !== 'acts_as')
    .map(
      ([name, value]) => `${properties[name]?.title ?? name}: ${value === '' ? escapeText(quizName) : words(value)}`,
    );
}

const runsAtMost = 10;

/** The latest runs, the newest first. */
export function runBlocks(core: Core): Block[] {
  const runs = core.state.workflowRuns.slice(-runsAtMost).toReversed();
  return [
    { type: 'divider' },
    { type: 'header', text: plain('Runs') },
    ...(runs.length === 0 ? [section('No runs yet. Publish the workflow, then have a person join.')] : []),
    ...runs.flatMap((run) => shownRun(core, run)),
  ];
}

const stateWords: Readonly<Record<FunctionExecution['state'], string>> = {
  running: '⏳ Running',
  completed: '✅ Done',
  failed: '⛔ Failed',
  cancelled: 'Ended by Slack',
};

function shownRun(core: Core, { workflowId, personId, executionIds, isOver }: WorkflowRun): Block[] {
  const { state } = core;
  const executionOf = (id = '') => state.executions.get(id);
  const isSent = isOver && executionOf(executionIds.at(-1))?.state === 'completed';
  const rows = (state.workflows.get(workflowId)?.steps ?? []).map((step, index) => {
    const execution = executionOf(executionIds[index]);
    const word = execution?.state ?? (step.kind === 'message' && isSent ? 'completed' : undefined);
    const given = execution === undefined ? [] : shownOutputs(core, execution);
    const error = execution?.error === undefined ? [] : [escapeText(execution.error)];
    return [
      `${word === undefined ? 'Not begun' : stateWords[word]} · *${titleOf(core, step)}*`,
      [...error, ...given].join('\n') || ' ',
    ];
  });
  return [section(`*${nameOf(state.people.get(personId), personId)}*`), columns(rows)];
}

/** What a step gave, under the titles that the manifest has for it. What follows a colon there explains them. */
function shownOutputs(core: Core, { function: name, outputs = {} }: FunctionExecution): string[] {
  const { properties } = definitionOf(core, name).output_parameters;
  return Object.entries(outputs).map(([output, value]) => {
    const { title = '', type } = properties[output] ?? {};
    return `${(title || output).replace(/:.*/, '')}: ${shownValue(value, type)}`;
  });
}

function shownValue(value: unknown, type: string | undefined): string {
  if (type === 'slack#/types/timestamp') return `<!date^${Number(value)}^{date_short}, {time}|${Number(value)}>`;
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : escapeText(String(value));
}
