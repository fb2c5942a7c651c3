import { expect, test } from 'vitest';
import type { ExecutionResult } from '../../../src/governance/perform/execute.ts';
import { createTools } from '../../../src/features/agents/calls.ts';
import { isTool } from '../../../src/features/agents/tool.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import type { Field } from '../../../src/operations/fields/fields.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { runCampaign } from '../../../src/features/campaigns/operations/run-campaign.ts';
import { startCampaign } from '../../../src/features/campaigns/operations/start-campaign.ts';
import { confirmationField, reasonField, type TextInput } from '../../../src/operations/text-input.ts';
import { parseCommandLine } from '../../support/parse-line.ts';
import { readForm } from '../../../src/slack/form/form.ts';
import { inputActionId } from '../../../src/slack/form/inputs.ts';
import { operations } from '../../hostile/operations.ts';
import { commandLine, inputOf } from '../../hostile/payloads.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { type House, openHouse, teamId } from '../../support/house.ts';
import { recordingLog } from '../../support/log.ts';

const people = {
  administrator: 'UADA',
  'trainer who edits quizzes': 'UERIN',
  'trainer who manages users': 'UUMA',
  'trainer who manages groups': 'UGUS',
  trainer: 'UNORA',
  'suspended trainer': 'USVEN',
  stranger: 'USTRANGER',
};

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
      record: record.map((entry) => ({
        ...entry,
        ...(entry.request !== undefined && { request: 'a request' }),
        through: [door, 'choice'].includes(entry.through) ? 'the door' : entry.through,
      })),
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
