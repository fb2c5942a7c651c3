import { distinctOptions, groupOption, quizOption } from '../../../src/slack/form/inputs.ts';
import type { ViewStateValue } from '@slack/bolt';
import type { InputBlock } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { everything } from '../../../src/governance/rights/rights.ts';
import type { Right } from '../../../src/operations/context.ts';
import type { Field, Value } from '../../../src/operations/fields/fields.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { idsOf } from '../../../src/governance/perform/meaning.ts';
import { formView, inputFromPlace, readForm, type FormContent } from '../../../src/slack/form/form.ts';
import { readDelivery } from '../../../src/slack/in/delivery.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { campaignPlan } from '../../support/builders/campaigns.ts';
import { quizUser } from '../../support/builders/users.ts';

const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: new Date(0) } as const;
const crew = { group_id: 'g-1', group_name: 'Crew' };
const rosa = quizUser();
const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B', needs: 'manage_users' },
] as const;
const option = (value: string) => ({ text: { type: 'plain_text' as const, text: value }, value });

const operationWith = (field: Field): Operation => ({ ...operationNamed('close-quiz')!, fields: { it: field } });
const rights = new Set<Right>(['known', 'staff', 'edit_quizzes', 'manage_users']);

interface Case {
  field: Field;
  submitted: Partial<ViewStateValue>;
  texts: string[];
  value: Value;
  /** What the input holds for the value, in its own words. */
  initial: object;
}

const rosaOption = {
  text: expect.objectContaining({ text: 'Rosa Almeida' }),
  description: expect.objectContaining({ text: 'rosa@quiz.example' }),
};
const cases: Partial<Record<Field['kind'], Case>> = {
  text: {
    field: { kind: 'text', label: '', maxLength: 250 },
    submitted: { value: 'Ladders' },
    texts: ['Ladders'],
    value: 'Ladders',
    initial: { initial_value: 'Ladders' },
  },
  email: {
    field: { kind: 'email', label: '' },
    submitted: { value: 'a@b.example' },
    texts: ['a@b.example'],
    value: 'a@b.example',
    initial: { initial_value: 'a@b.example' },
  },
  period: {
    field: { kind: 'period', label: '' },
    submitted: { selected_date: '2026-11-01' },
    texts: ['2026-11-01'],
    value: { since: '2026-11-01' },
    initial: { initial_date: '2026-11-01' },
  },
  choice: {
    field: { kind: 'choice', label: '', options },
    submitted: { selected_option: option('b') },
    texts: ['b'],
    value: 'b',
    initial: { initial_option: expect.objectContaining({ value: 'b' }) },
  },
  flags: {
    field: { kind: 'flags', label: '', optional: true, options },
    submitted: { selected_options: [option('a'), option('b')] },
    texts: ['a', 'b'],
    value: ['a', 'b'],
    initial: { initial_options: [expect.objectContaining({ value: 'a' }), expect.objectContaining({ value: 'b' })] },
  },
  quiz: {
    field: { kind: 'quiz', label: '' },
    submitted: { selected_option: option('q-1') },
    texts: ['q-1'],
    value: quiz,
    initial: { initial_option: expect.objectContaining({ value: 'q-1' }) },
  },
  user: {
    field: { kind: 'user', label: '' },
    submitted: { selected_option: option('u-rosa') },
    texts: ['u-rosa'],
    value: rosa,
    initial: { initial_option: { value: 'u-rosa', ...rosaOption } },
  },
  group: {
    field: { kind: 'group', label: '' },
    submitted: { selected_option: option('g-1') },
    texts: ['g-1'],
    value: crew,
    initial: { initial_option: expect.objectContaining({ value: 'g-1' }) },
  },
  assignees: {
    field: { kind: 'assignees', label: '' },
    submitted: { selected_options: [option('user:u-rosa'), option('group:g-1')] },
    texts: ['user:u-rosa', 'group:g-1'],
    value: [
      { kind: 'user', user: rosa },
      { kind: 'group', group: crew },
    ],
    initial: {
      initial_options: [{ value: 'user:u-rosa', ...rosaOption }, expect.objectContaining({ value: 'group:g-1' })],
    },
  },
  people: {
    field: { kind: 'people', label: '' },
    submitted: { selected_users: ['U1', 'U2'] },
    texts: ['person:U1', 'person:U2'],
    value: [{ kind: 'user', user: rosa }],
    initial: {},
  },
  channel: {
    field: { kind: 'channel', label: '' },
    submitted: { selected_conversation: 'C1' },
    texts: ['channel:C1'],
    value: { channel_id: 'C1', channel_name: 'training' },
    initial: { initial_conversation: 'C1' },
  },
  subscription: {
    field: { kind: 'subscription', label: '' },
    submitted: { selected_option: option('s-1') },
    texts: ['s-1'],
    value: { subscription: subscription(), waiting: 0 },
    initial: { initial_option: expect.objectContaining({ value: 's-1' }) },
  },
};

const elementIn = (operation: Operation, content: FormContent, visibility = everything) => {
  const block = formView(operation, { rights, visibility }, content).blocks.find(({ block_id }) => block_id === 'it');
  return (block as InputBlock | undefined)?.element;
};

/** The values of a form, as the bot reads what Slack delivers. */
const submittedValues = (values: object) =>
  readDelivery({ type: 'view_submission', view: { state: { values } } }).view!.values;

describe.each(Object.entries(cases))(
  'the input of a field of kind %s',
  (_, { field, submitted, texts, value, initial }) => {
    const operation = operationWith(field);
    const submit = (input: Partial<ViewStateValue>) =>
      readForm(operation, submittedValues({ it: { value: { type: 'any', ...input } } }));

    test('is read as the core resolves it, and put back as it was', () => {
      expect(submit(submitted)).toEqual({ it: texts });
      const element = elementIn(operation, { texts: { it: texts }, values: { it: value } });
      expect(element).toMatchObject({ action_id: 'value' });
      expect(JSON.stringify(element)).toContain(texts[0]!.replace(/^(person|channel):/, ''));
    });

    test('is empty where nothing was chosen', () => {
      expect(
        submit({
          value: null,
          selected_option: null,
          selected_options: [],
          selected_users: [],
          selected_conversation: null,
        }),
      ).toEqual({});
      expect(submit({})).toEqual({});
    });

    test('holds a value that was typed', () => {
      const element = elementIn(operation, { texts: idsOf(operation, { it: value }), values: { it: value } });
      expect(Object.fromEntries(Object.entries(element ?? {}).filter(([name]) => name.startsWith('initial_')))).toEqual(
        initial,
      );
    });
  },
);

test('a user’s address is shown only to people who may see users', () => {
  const operation = operationWith({ kind: 'user', label: '' });
  const element = elementIn(operation, { values: { it: rosa } }, { ...everything, user: () => false });
  expect(element).toMatchObject({ initial_option: { description: { text: expect.stringContaining('respondent') } } });
});

test('an input that a person may choose nothing in is left out', () => {
  const operation = operationWith({
    kind: 'choice',
    label: '',
    options: [{ value: 'b', label: 'B', needs: 'manage_users' }],
  });
  expect(
    formView(operation, { rights: new Set(), visibility: everything }).blocks.some(({ block_id }) => block_id === 'it'),
  ).toBe(false);
});

test('a form that opens in a channel names it, and one elsewhere does not', () => {
  expect(inputFromPlace(operationNamed('subscribe-channel')!, 'C1')).toEqual({ channel: ['channel:C1'] });
  expect(inputFromPlace(operationNamed('pause-alerts')!, 'C1')).toEqual({});
  expect(inputFromPlace(operationNamed('subscribe-channel')!, undefined)).toEqual({});
});

test('a form that asks why many changes should be resumed keeps which they are', () => {
  const operation = operationNamed('resume-batch')!;
  const batch = {
    batch: { id: 'b-1', action: 'create 2 users', ownerId: 'UTOM', state: 'stopped', startedAt: 0, endedAt: null },
    total: 2,
    done: 1,
    failed: 0,
    skipped: 0,
    needsNewApproval: true,
    readyAt: undefined,
  } satisfies Value;
  const { blocks } = formView(operation, { rights, visibility: everything }, { values: { batch } });
  const shown = blocks.find((block): block is InputBlock => block.block_id === 'batch')?.element;
  expect(shown).toMatchObject({ type: 'static_select', initial_option: { text: { text: 'create 2 users' } } });
  const submitted = { type: 'static_select', selected_option: option('b-1') };
  expect(readForm(operation, { batch: { value: submitted } })).toEqual({ batch: ['b-1'] });
});

test.each(['many people', null] as const)(
  'a form that starts a preview asks why where it needs approval: %s',
  (approval) => {
    const content = { ...campaignPlan(), approval };
    const plan = { id: 'p-1', teamId: 'T1', personId: 'UTOM', createdAt: 0, content } satisfies Value;
    const { submit, blocks } = formView(
      operationNamed('run-campaign')!,
      { rights, visibility: everything },
      { values: { plan } },
    );
    const reason = blocks.find((block): block is InputBlock => block.block_id === 'reason');
    expect([submit?.text, reason?.optional ?? false]).toEqual(
      approval === null ? ['Start', true] : ['Request approval', false],
    );
  },
);

test('options that look alike have the end of their ID, and no others', () => {
  const [one, other, third] = distinctOptions([
    groupOption({ group_id: 'group-aaaa', group_name: 'Kitchen' }),
    groupOption({ group_id: 'group-bbbb', group_name: 'Kitchen' }),
    groupOption({ group_id: 'group-cccc', group_name: 'Bar' }),
  ]).map(({ description }) => description?.text);
  expect([one, other, third]).toEqual(['Group, ID …aaaa', 'Group, ID …bbbb', 'Group']);
});

test('a quiz has its state and its age', () => {
  expect(quizOption({ ...quiz, date_created: new Date('2025-03-03T10:00:00Z') }).description?.text).toBe(
    'Open now, created 3 Mar 2025',
  );
});
