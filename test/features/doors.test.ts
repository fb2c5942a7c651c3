import { expect, test } from 'vitest';
import type { ExecutionResult } from '../../src/governance/perform/execute.ts';
import { createTools } from '../../src/features/agents/calls.ts';
import { isTool } from '../../src/features/agents/tool.ts';
import { catalog } from '../../src/operations/catalog.ts';
import type { Field } from '../../src/operations/fields/fields.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { runCampaign } from '../../src/features/campaigns/operations/run-campaign.ts';
import { startCampaign } from '../../src/features/campaigns/operations/start-campaign.ts';
import { confirmationField, reasonField, type TextInput } from '../../src/operations/text-input.ts';
import { parseCommandLine } from '../support/parse-line.ts';
import { readForm } from '../../src/slack/form/form.ts';
import { inputActionId } from '../../src/slack/form/inputs.ts';
import { operations } from '../hostile/operations.ts';
import { commandLine, inputOf } from '../hostile/payloads.ts';
import { subscription } from '../support/builders/alerts.ts';
import { quizResponse } from '../support/builders/responses.ts';
import { type House, openHouse, teamId } from '../support/house.ts';
import { recordingLog } from '../support/log.ts';
import { showCampaign } from '../../src/features/campaigns/operations/list-and-show.ts';
import { createSharedState } from '../../src/durable/mail.ts';
import { createGrantTexts, createStepGrants } from '../../src/features/workflows/step-grants.ts';
import { createStepRunner, shownCampaign } from '../../src/features/workflows/run-step.ts';
import { steps, type Step } from '../../src/features/workflows/steps.ts';
import { createMemoryMail, createMemoryOutbox } from '../support/memory-outbox.ts';

const people = {
  administrator: 'UADA',
  'trainer who edits quizzes': 'UERIN',
  'trainer who manages users': 'UUMA',
  'trainer who manages groups': 'UGUS',
  trainer: 'UNORA',
  'suspended trainer': 'USVEN',
  stranger: 'USTRANGER',
};

/** The record with neither the IDs of requests nor the ways by which somebody came. */
function withoutDoor(record: Awaited<ReturnType<House['record']>>, ways: readonly string[]): object[] {
  return record.map((entry) => ({
    ...entry,
    ...(entry.request !== undefined && { request: 'a request' }),
    through: ways.includes(entry.through) ? 'the door' : entry.through,
  }));
}

const doors = ['command', 'form', 'assistant', 'agent'] as const;
type Door = (typeof doors)[number];

/** What people type and agents give, by kind of field. */
const names: Partial<Record<Field['kind'], string>> = {
  quiz: 'Ladders',
  user: 'Nora',
  users: 'Nora',
  group: 'Warehouse',
  assignees: 'Nora',
  audience: 'Nora',
  email: 'kim@quiz.example',
  period: 'since 2026-11-01',
  channel: 'channel:C1',
  durations: '1d',
  campaign: 'Fire safety',
  campaigns: 'Fire safety',
  subscription: '1',
  file: 'channel:C1',
};

/** What the picker of a form has for the same things. */
const chosen: Partial<Record<Field['kind'], string>> = {
  quiz: 'q-3',
  user: 'u-nora',
  users: 'u-nora',
  group: 'g-2',
  assignees: 'user:u-nora',
  audience: 'user:u-nora',
};

/** What a new name must not take from the operations after it. */
const renamed = { name: 'Fire drill', id: 'q-2' };

/** What the usual texts do not fit. */
const more: Record<string, Record<string, string[]>> = {
  'create-user': { user_name: ['kim@quiz.example'], first_name: ['Kim'], last_name: ['March'] },
  'find-user': { user_name: ['nora@quiz.example'] },
  'update-user': { last_name: ['Fields'] },
  'show-attempt': { response: ['Nora'] },
  'send-files': { response: ['Nora'] },
  'delete-response': { response: ['Nora'] },
  'suspend-group': { group: ['Crew'] },
  'reinstate-group': { group: ['Crew'] },
  'empty-group': { group: ['Crew'] },
  'start-campaign': { due: ['in 2 weeks'] },
  'require-quiz': { within: ['14d'] },
  'excuse-campaign': { people: ['Gus'] },
  'include-campaign': { people: ['Gus'] },
  'extend-campaign': { time: ['in 3 weeks'] },
};

/** A plausible input: the required fields, those that the command takes, and a reason. */
function inputOfDoor({ name, fields }: Operation, texts: typeof names): Record<string, string[]> {
  const line = operations[name]?.line ?? '';
  const given = Object.entries(fields).flatMap(([field, { kind, optional, ...rest }]): [string, string[]][] => {
    const isPlaced = line.includes(`{${field}}`) && texts[kind] !== undefined;
    if (optional === true && !isPlaced) return [];
    if (name === 'rename-quiz' && kind === 'quiz')
      return [[field, [texts.quiz === names.quiz ? renamed.name : renamed.id]]];
    return [[field, [texts[kind] ?? ('options' in rest ? (rest.options[0]?.value ?? '') : 'Something new')]]];
  });
  return { ...Object.fromEntries(given), ...more[name] };
}

/** What Slack sends of the form, read as the bot reads it. A file of people is uploaded there, so its field has what people type. */
function fromForm(operation: Operation): TextInput {
  const values = Object.entries(inputOfDoor(operation, { ...names, ...chosen })).map(([field, texts]) => [
    field,
    { [inputActionId]: inputOf(operations[operation.name]?.fields[field] ?? 'text', texts) },
  ]);
  const reason = { [reasonField]: { [inputActionId]: { type: 'plain_text_input', value: 'Needed' } } };
  const typed = Object.entries(operation.fields).flatMap(([field, { kind }]) =>
    kind === 'file' ? [[field, [names.file!]]] : [],
  );
  return {
    ...readForm(operation, { ...(Object.fromEntries(values) as object), ...reason }),
    ...(Object.fromEntries(typed) as TextInput),
  };
}

/** The readings of the typed line. A command whose line cannot hold all of the input opens the form. */
function fromLine(operation: Operation): readonly [TextInput, ...TextInput[]] {
  const input = inputOfDoor(operation, names);
  const [command = '', ...rest] = commandLine(input, { operation: operation.name, reason: 'Needed' })
    .replaceAll('|x>', '>')
    .split(' ');
  const line = parseCommandLine(catalog, command, rest.join(' '));
  if (line.kind !== 'operation' || line.operation !== operation)
    throw new Error(`${command} ${rest.join(' ')} is ${line.kind}`);
  return Object.keys(input).every((field) => line.inputs[0][field]?.length) ? line.inputs : [fromForm(operation)];
}

/** Has an administrator start a campaign, which the operations after it find. */
async function startedCampaign({ execute }: House): Promise<void> {
  const as = { personId: 'UADA', teamId, through: 'choice' } as const;
  const preview = await execute({
    ...as,
    operation: startCampaign,
    inputs: [{ quiz: ['Fire safety'], to: ['Gus'], due: ['in 2 weeks'] }],
  });
  const plan = preview.kind === 'done' && preview.result.kind === 'preview' ? preview.result.id : undefined;
  const started = await execute({ ...as, operation: runCampaign, inputs: [{ plan: [plan ?? ''] }] });
  if (started.kind !== 'done') throw new Error(`the campaign is ${started.kind}`);
}

interface Row {
  operation: string;
  kind: ExecutionResult['kind'] | undefined;
  message: string | undefined;
  record: object[];
  requests: string[];
  isPressed: boolean;
}

/** What comes of each operation through a door, one after the other: the outcome, the calls of the service, and the record without the door’s name. */
async function through(door: Door, personId: string): Promise<Row[]> {
  const account = openHouse({
    subscriptions: [{ subscription: subscription({ id: '1', ownerId: personId, teamId }), waiting: 0 }],
  });
  account.account.responses.push(
    quizResponse({
      quiz_id: 'q-3',
      quiz_name: 'Ladders',
      user_id: 'u-nora',
      user_name: 'nora@quiz.example',
      first_name: 'Nora',
      last_name: '',
    }),
  );
  let outcome: ExecutionResult | undefined;
  const execute: typeof account.execute = async (request) => (outcome = await account.execute(request));
  const platform = {
    pictureOf: () => ({}),
    readText: (text: string) => text,
    inOwnNames: (sentence: string) => sentence,
    sendToPress: async () => {},
    toolMeta: {},
  };
  const tools = createTools({ execute, permissions: account.permissions, platform, log: recordingLog().log });
  const rows: Row[] = [];
  const { directory } = account;
  // A list is read where it is needed first, which can be for the name in one door and for the change in another.
  await startedCampaign(account);
  await Promise.all([directory.quizzes.get(), directory.users.get(), directory.groups.get()]);
  let entries = (await account.record()).length;
  for (const operation of catalog.filter(isTool)) {
    const calls = account.calls.length;
    outcome = undefined;
    if (door === 'command') await execute({ operation, inputs: fromLine(operation), personId, teamId, through: door });
    else if (door === 'form')
      await execute({ operation, inputs: [fromForm(operation)], personId, teamId, through: door });
    else
      await tools.call({ personId, teamId, through: door }, operation.name, {
        ...inputOfDoor(operation, names),
        [reasonField]: 'Needed',
      });
    const first = outcome as ExecutionResult | undefined;
    const isPressed = first?.kind === 'unconfirmed' || first?.kind === 'warned';
    // The person presses the button: below the answer, or in the direct message that they get from an agent.
    if (isPressed) {
      const confirmed =
        first.kind === 'warned' ? { ...first.input, [confirmationField]: [first.confirmation] } : first.input;
      await execute({
        operation,
        inputs: [{ [reasonField]: ['Needed'], ...confirmed }],
        personId,
        teamId,
        through: 'choice',
      });
    }
    await account.settled();
    const last = outcome as ExecutionResult | undefined;
    const record = await account.record(entries);
    entries += record.length;
    rows.push({
      operation: operation.name,
      kind: last?.kind,
      message: last && 'message' in last ? last.message : undefined,
      record: withoutDoor(record, [door, 'choice']),
      requests: account.calls.slice(calls).map(({ call }) => call),
      isPressed,
    });
  }
  return rows;
}

const readCalls = /\.(?:list|get|find|groups)\b/;

/** The rows as they have to be the same. What only the agent’s person has to press is read again, and no more. */
function comparable(rows: readonly Row[], others: readonly Row[]): object[] {
  return rows.map(({ isPressed, requests, ...row }, at) => ({
    ...row,
    requests: isPressed === others[at]?.isPressed ? requests : requests.filter((call) => !readCalls.test(call)),
  }));
}

test.each(Object.entries(people))(
  'for %s, each operation comes to the same by command, form, assistant and agent',
  async (_, personId) => {
    const [byCommand, ...others] = await Promise.all(doors.map((door) => through(door, personId)));
    for (const other of others) expect(comparable(other, byCommand!)).toEqual(comparable(byCommand!, other));
    expect(byCommand).toHaveLength(catalog.filter(isTool).length);
  },
  60_000,
);

test('the table reaches what each operation does, and has operations that are requested, refused and pressed', async () => {
  const [ofAda, ofErin] = await Promise.all(['UADA', 'UERIN'].map((personId) => through('agent', personId)));
  expect(
    ofAda!
      .filter(({ kind }) => kind !== 'done' && kind !== 'requested')
      .map(({ operation, message }) => [operation, message]),
  ).toEqual([
    ['send-files', 'This attempt has no uploaded files.'],
    ['import-users', 'Nobody is in C1.'],
  ]);
  expect(ofAda!.filter(({ isPressed }) => isPressed).map(({ operation }) => operation)).toEqual([
    'assign-quiz',
    'update-user',
    'reset-password',
    'assign-to-group',
    'subscribe-channel',
    'set-channel-language',
    'remind-campaign',
    'end-campaign',
  ]);
  expect(Object.fromEntries(ofErin!.map(({ operation, kind }) => [operation, kind]))).toMatchObject({
    'close-quiz': 'done',
    'delete-quiz': 'requested',
    'suspend-user': 'refused',
    'list-users': 'refused',
  });
});

test('nobody is reminded or excused where neither a campaign nor people are named', async () => {
  const account = openHouse({});
  await startedCampaign(account);
  const outcomes = (name: string, input: TextInput) =>
    Promise.all(
      [...doors, 'message', 'choice', 'workflow'].map(async (way) =>
        account.act('UADA', name, input, { through: way as Door }),
      ),
    );
  const nothing: TextInput[] = [{}, { campaign: [], people: [] }, { campaign: [''], people: [' '] }];
  for (const input of nothing)
    for (const outcome of await outcomes('remind-campaign', input))
      expect(outcome).toMatchObject({
        kind: 'invalid',
        field: 'people',
        message: 'Name a campaign, or the people to remind in all their campaigns.',
      });
  for (const outcome of await outcomes('excuse-campaign', { because: ['on leave'] }))
    expect(outcome).toMatchObject({ kind: 'incomplete' });
});

const secret = 'secret';
const outbox = createMemoryOutbox();
const shared = createSharedState({ outbox, mail: createMemoryMail(outbox) });
const appId = 'A1';

/** What a step of a workflow comes to, as far as its operations go. The record has to say one of the ways. */
async function throughStep(
  step: Step,
  ways: readonly string[],
  run: (account: House, teller: { outcome?: ExecutionResult }) => Promise<void>,
) {
  const account = openHouse({ profiles: [kim], members: { UNORA: { personIds: ['UNORA'] } } });
  const last: { outcome?: ExecutionResult } = {};
  await run(account, last);
  await account.settled();
  const record = withoutDoor(await account.record(), ways);
  return {
    step: step.name,
    kind: last.outcome?.kind,
    record,
    // Who goes on after a warning is read once more.
    requests: [...new Set(account.calls.map(({ call }) => call))].toSorted(),
  };
}

const kim = {
  personId: 'UKIM',
  firstName: 'Kim',
  lastName: 'New',
  emailAddress: 'kim@quiz.example',
  outsider: undefined,
};
const given = { quiz: 'q-3', person: 'UNORA', due: 'in 2 weeks', within: '14', reason: 'Needed' };

/** What the person who sets up the step gets from the bot for it. */
function textOf(step: Step, personId: string): string {
  const claim = { teamId, appId, step: step.name, personId, lentAt: steps.indexOf(step) };
  return createGrantTexts(secret).textOf(claim);
}

/** As a command of the person, who goes on after a warning. A campaign is started with a second press. */
const byCommand = (step: Step, personId: string) =>
  throughStep(step, ['command', 'choice'], async ({ execute }, last) => {
    const input = { ...step.inputOf(given, kim), reason: ['Needed'] };
    const run = (texts: TextInput) =>
      execute({ operation: step.operation, inputs: [texts], personId, teamId, through: 'command' });
    last.outcome = await run(input);
    if (last.outcome.kind === 'warned')
      last.outcome = await run({ ...input, [confirmationField]: [last.outcome.confirmation] });
    const plan =
      last.outcome.kind === 'done' && last.outcome.result.kind === 'preview' ? last.outcome.result.id : undefined;
    const [start] = step.thenRun ?? [];
    if (start && plan !== undefined)
      last.outcome = await execute({
        operation: start,
        inputs: [{ plan: [plan], reason: ['Needed'] }],
        personId,
        teamId,
        through: 'choice',
      });
    // When it is due, the person reads with a third press.
    const shown = step.tellsDue && last.outcome.kind === 'done' ? shownCampaign(last.outcome.result) : undefined;
    if (shown) await execute({ operation: showCampaign, inputs: [shown], personId, teamId, through: 'choice' });
  });

const byWorkflow = (step: Step, personId: string) =>
  throughStep(step, ['workflow'], async (account, last) => {
    const execute: typeof account.execute = async (request) => {
      const outcome = await account.execute(request);
      // This only tells later steps when it is due.
      if (request.operation !== showCampaign) last.outcome = outcome;
      return outcome;
    };
    const runner = createStepRunner({
      execute,
      permissions: account.permissions,
      grants: createStepGrants({ secret, shared, now: () => 0 }),
      profilesOf: async () => [kim],
      platform: { name: 'Slack' },
      notifyOnce: async () => {},
      log: recordingLog().log,
      now: () => 0,
    });
    await runner.runStep({
      id: 'Fx1',
      teamId,
      appId,
      step: step.name,
      startedAt: 0,
      inputs: { ...given, person: step.needsProfile ? 'UKIM' : given.person, acts_as: textOf(step, personId) },
    });
  });

test.each(Object.entries(people))(
  'for %s, each step of a workflow comes to the same as the command',
  async (_, personId) => {
    for (const step of steps) expect(await byWorkflow(step, personId)).toEqual(await byCommand(step, personId));
  },
  60_000,
);

test('the table of steps has some that are done, requested and refused', async () => {
  const kindOf = async (name: string, personId: string) =>
    (
      await byWorkflow(
        steps.find((step) => step.name === name)!,
        personId,
      )
    ).kind;
  expect([
    await kindOf('assign_quiz', 'UADA'),
    await kindOf('assign_quiz', 'UUMA'),
    await kindOf('create_user', 'UERIN'),
    await kindOf('get_result', 'UNORA'),
    await kindOf('start_campaign', 'UERIN'),
    await kindOf('require_quiz', 'UADA'),
    await kindOf('require_quiz', 'UERIN'),
  ]).toEqual(['done', 'requested', 'requested', 'refused', 'requested', 'done', 'requested']);
});
