import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  quizSchema,
  isUser,
  userSchema,
  userSchemaOf,
  userWithResultsSchemaOf,
  usualUserOf,
  groupSchema,
} from '../../src/quiz-api/records.ts';
import { isSubmitted, questionSchema, responseSchema } from '../../src/quiz-api/responses.ts';
import { accountDatesIn } from '../../src/quiz-api/fields.ts';
import { groupAnswer, questionAnswer, quizAnswer, responseAnswer, userAnswer } from '../support/service-answers.ts';
import { runs } from '../support/drawn.ts';

const userWithResultsSchema = userWithResultsSchemaOf(accountDatesIn('UTC'));

function without(answer: Record<string, unknown>, ...fields: string[]) {
  return Object.fromEntries(Object.entries(answer).filter(([field]) => !fields.includes(field)));
}

describe('a response', () => {
  test('has parsed dates, numbers and links', () => {
    expect(responseSchema.parse(responseAnswer())).toEqual({
      ...responseAnswer(),
      date_submitted: new Date('2024-05-07T23:59:58Z'),
      available_points: 10,
      response_report_url: null,
      outcome: 'passed',
    });
  });

  test('needs only its ids', () => {
    expect(responseSchema.parse({ response_id: 'r-1', quiz_id: 'q-1' })).toEqual({
      response_id: 'r-1',
      quiz_id: 'q-1',
      quiz_name: '',
      first_name: '',
      last_name: '',
      email_address: '',
      user_id: null,
      user_name: null,
      date_submitted: null,
      points: null,
      available_points: null,
      percentage_score: null,
      grade: '',
      pass: null,
      duration: null,
      attempt: null,
      ip_address: '',
      status: 'not_submitted',
      publish_type: '',
      access_code: '',
      certificate_url: null,
      response_report_url: null,
      registration_fields: [],
      outcome: null,
    });
    for (const field of ['response_id', 'quiz_id']) {
      expect(
        responseSchema.safeParse(without(responseAnswer(), field)).error?.issues.map((issue) => issue.path),
      ).toEqual([[field]]);
    }
  });

  test.each([
    ['submitted', '2024-05-07 23:59:58', 'submitted'],
    ['submitted', null, 'submitted'],
    [null, '2024-05-07 23:59:58', 'submitted'],
    [undefined, '2024-05-07 23:59:58', 'submitted'],
    ['', '2024-05-07 23:59:58', 'submitted'],
    [null, '0001-01-01 00:00:00', 'not_submitted'],
    ['not_submitted', '2024-05-07 23:59:58', 'not_submitted'],
    ['in_review', '2024-05-07 23:59:58', 'in_review'],
    [3, '2024-05-07 23:59:58', '3'],
    [{}, '2024-05-07 23:59:58', 'submitted'],
    [' Submitted ', null, 'submitted'],
    ['NOT_STARTED', '2024-05-07 23:59:58', 'not_started'],
  ])('with the status %j and the date %j is %j', (status, date_submitted, read) => {
    const response = responseSchema.parse(responseAnswer({ status, date_submitted }));
    expect(response.status).toBe(read);
    expect(response.outcome === null).toBe(read !== 'submitted');
    expect(isSubmitted(response)).toBe(read === 'submitted');
  });

  test.each([
    [{}, []],
    [null, []],
    ['Kitchen', []],
    [['Kitchen', null, 7], []],
    [
      { Department: 'Kitchen', Number: 7 },
      [
        { name: 'Department', value: 'Kitchen' },
        { name: 'Number', value: '7' },
      ],
    ],
    [[{ name: 'Number', value: 10_234 }], [{ name: 'Number', value: '10234' }]],
    [[{ name: 'Department', value: ['Kitchen', 'Bar'] }], [{ name: 'Department', value: 'Kitchen, Bar' }]],
    [
      [{ name: 'Agreed', value: true }, { value: null }],
      [
        { name: 'Agreed', value: 'true' },
        { name: '', value: '' },
      ],
    ],
  ])('has the registration fields %j as %j', (registration_fields, read) => {
    expect(responseSchema.parse(responseAnswer({ registration_fields })).registration_fields).toEqual(read);
  });
});

describe('a user', () => {
  test('needs only its id', () => {
    expect(userSchema.parse({ user_id: 'u-1' })).toEqual({
      user_id: 'u-1',
      user_name: '',
      user_type: '',
      email_address: '',
      first_name: '',
      last_name: '',
      organization: '',
      notes: '',
      time_zone: '',
      suspended: false,
      manage_users: false,
      manage_groups: false,
      edit_quizzes: false,
      quizzes: [],
      groups: [],
      trainerquizzes: [],
      trainergroups: [],
      date_created: null,
    });
    expect(userSchema.safeParse(without(userAnswer(), 'user_id')).error?.issues[0]?.path).toEqual(['user_id']);
  });

  test('has HTML in names and notes as text, also where everything else is usual', () => {
    const written = {
      first_name: 'Zo&euml;',
      last_name: 'O&#39;Neil <b>Smith</b>',
      organization: 'Pots &amp; Pans',
      notes: '<p>Calls from<br>home</p>',
      groups: [{ group_id: 'g-1', group_name: 'Bar &amp; Kitchen' }],
      quizzes: [{ quiz_id: 'q-1', name: 'Fire &amp; smoke', date_assigned: null }],
    };
    expect(isUser(userSchema.parse(userAnswer()))).toBe(true);
    for (const [field, html] of Object.entries(written))
      expect(isUser({ ...userSchema.parse(userAnswer()), [field]: html })).toBe(false);
    expect(userSchema.parse(userAnswer(written))).toMatchObject({
      first_name: 'Zoë',
      last_name: "O'Neil Smith",
      organization: 'Pots & Pans',
      notes: 'Calls from\nhome',
      groups: [{ group_name: 'Bar & Kitchen' }],
      quizzes: [{ name: 'Fire & smoke' }],
    });
  });

  test('keeps an unknown type', () => {
    expect(userSchema.parse(userAnswer({ user_type: 'account_owner' })).user_type).toBe('account_owner');
    expect(userSchema.parse(userAnswer({ user_type: { name: 'administrator' } })).user_type).toBe('');
  });

  test.each([
    [true, true],
    ['true', true],
    [1, true],
    [false, false],
    ['False', false],
    [null, false],
    [undefined, false],
    ['maybe', true],
  ])('with suspended %j counts as suspended: %j', (suspended, read) => {
    expect(userSchema.parse(userAnswer({ suspended })).suspended).toBe(read);
  });

  test('has only groups with an id', () => {
    const groups = [
      groupAnswer({ size: 3 }),
      { group_id: 'g-2', name: 'Day shift' },
      { id: 'g-3' },
      'g-4',
      5,
      null,
      {},
      { ref: 7 },
      '',
      [],
    ];
    expect(userSchema.parse(userAnswer({ groups })).groups).toEqual([
      { group_id: 'g-1', group_name: 'Night shift' },
      { group_id: 'g-2', group_name: 'Day shift' },
      { group_id: 'g-3', group_name: '' },
      { group_id: 'g-4', group_name: '' },
      { group_id: '5', group_name: '' },
    ]);
    for (const unreadable of [null, {}, 'g-1', 7])
      expect(userSchema.parse(userAnswer({ groups: unreadable })).groups).toEqual([]);
  });

  test('has the assigned quizzes that can be read', () => {
    const quizzes = [{ quiz_id: 'q-1', name: null, date_assigned: '0001-01-01 00:00:00' }, { name: 'x' }, null, 'q-2'];
    expect(userSchema.parse(userAnswer({ quizzes })).quizzes).toEqual([
      { quiz_id: 'q-1', name: '', date_assigned: null },
    ]);
    expect(userSchema.parse(userAnswer({ quizzes: null })).quizzes).toEqual([]);
  });

  test('has its dates in UTC, whatever the zone of the account', () => {
    const dates = accountDatesIn('America/Denver');
    const quizzes = [{ quiz_id: 'q-1', name: 'Fire safety', date_assigned: '2024-05-06 11:10:00' }];
    const inUtc = { date_created: '2024-01-02 10:04:05', quizzes: [{ date_assigned: '2024-05-06 17:10:00' }] };
    expect(userSchemaOf(dates).parse(userAnswer({ quizzes }))).toMatchObject(inUtc);
    expect(usualUserOf(dates)(userAnswer({ quizzes }))).toMatchObject(inUtc);
    expect(usualUserOf(dates)(userAnswer({ notes: null }))).toBeUndefined();
  });

  test('is never taken as it is when reading would change it', () => {
    const usual = userAnswer({ groups: [groupAnswer()], trainerquizzes: [{ quiz_id: 'q-1', name: 'Fire safety' }] });
    const assigned = { quiz_id: 'q-1', name: 'Fire safety', date_assigned: '2024-05-06 17:10:00' };
    const oddItem = fc.constantFrom(
      null,
      'g-3',
      {},
      { group_id: 'g-2', name: 'Day shift' },
      { ...groupAnswer(), size: 3 },
      { quiz_id: 'q-1' },
      { ...assigned, date_assigned: '' },
      { ...assigned, name: null },
      { ...assigned, colour: 'green' },
      assigned,
    );
    const oddValue = fc.oneof(
      fc.constantFrom(undefined, null, '', 0, true, '2023-02-29 10:00:00', '2024-02-29 10:00:00'),
      fc.array(oddItem),
      fc.jsonValue(),
    );
    const oddFields = fc.dictionary(fc.constantFrom(...Object.keys(usual), 'colour'), oddValue, { maxKeys: 3 });
    fc.assert(
      fc.property(oddFields, (odd) => {
        const record = { ...usual, ...odd };
        fc.pre(isUser(record));
        expect(userSchema.parse(record)).toStrictEqual(record);
      }),
      { numRuns: runs(500) },
    );
  });

  test('has results in the single-user call, null where there are none', () => {
    const assigned = { quiz_id: 'q-1', name: 'Fire safety', date_assigned: '2024-05-06 17:10:00' };
    const result = {
      response_id: 'r-1',
      date_submitted: '2024-05-07 23:59:58',
      points: '8.00',
      available_points: 10,
      percentage_score: 80,
      grade: 'B',
      pass: true,
      duration: 312,
      attempt: 1,
      status: 'submitted',
    };
    expect(
      userWithResultsSchema.parse(userAnswer({ quizzes: [{ ...assigned, ...result }, assigned] })).quizzes,
    ).toEqual([
      { ...assigned, ...result, points: 8, outcome: 'passed' },
      {
        ...assigned,
        response_id: null,
        date_submitted: null,
        points: null,
        available_points: null,
        percentage_score: null,
        grade: '',
        pass: null,
        duration: null,
        attempt: null,
        status: null,
        outcome: null,
      },
    ]);
  });
});

test('a question of any type has options, categories and files', () => {
  expect(questionSchema.parse(questionAnswer({ type: 'hotspot' }))).toEqual({
    ...questionAnswer(),
    type: 'hotspot',
    points_scored: 1,
  });
  expect(questionSchema.parse({})).toEqual({
    question_id: '',
    type: '',
    version: 0,
    text: '',
    use_option_points: false,
    points_scored: 0,
    points_available: 0,
    options: [],
    categories: [],
    files: [],
  });
});

test('a question has the options and files that can be read', () => {
  const { options, files } = questionSchema.parse(
    questionAnswer({
      options: [null, {}, { option_id: 7, text: 4, correct: 'true', selected: 1 }],
      files: [{ name: 'photo.png' }, { file_id: 9 }],
    }),
  );
  expect(options.map(({ option_id, text, correct, selected }) => [option_id, text, correct, selected])).toEqual([
    ['', '', false, false],
    ['7', '4', true, true],
  ]);
  expect(files).toEqual([{ file_id: '9', name: '' }]);
});

describe('any JSON in any field', () => {
  const anyValue = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      null,
      '',
      'true',
      'False',
      0,
      1,
      2,
      '1',
      '.',
      '..',
      '0001-01-01 00:00:00',
      '2024-05-06T10:00:00+02:00',
      [null],
      [{}],
      ['x'],
      [7],
      { data: [] },
    ),
    fc.array(
      fc.record({ quiz_id: fc.jsonValue(), group_id: fc.jsonValue(), id: fc.jsonValue() }, { requiredKeys: [] }),
    ),
  );
  const oddOf = (record: Record<string, unknown>) =>
    fc
      .dictionary(fc.constantFrom(...Object.keys(record)), fc.option(anyValue, { nil: undefined }), { maxKeys: 3 })
      .map((odd): Record<string, unknown> => ({ ...record, ...odd }));
  const isNoId = (value: unknown) =>
    !(typeof value === 'string' && !['', '.', '..'].includes(value)) && typeof value !== 'number';

  test.each([
    ['user', userSchema, userAnswer(), ['user_id']],
    ['single user', userWithResultsSchema, userAnswer(), ['user_id']],
    ['quiz', quizSchema, quizAnswer(), ['quiz_id']],
    ['group', groupSchema, groupAnswer(), ['group_id']],
    ['response', responseSchema, responseAnswer(), ['quiz_id', 'response_id']],
    ['question', questionSchema, questionAnswer(), []],
  ] as const)('makes a %s unreadable only where an id is needed', (_, schema, answer, ids) => {
    fc.assert(
      fc.property(oddOf(answer), (record) => {
        const lacksId = ids.some((field) => isNoId(record[field]));
        expect(schema.safeParse(record).success).toBe(!lacksId);
      }),
      { numRuns: runs(500) },
    );
  });

  test('never gives a user a right, and never widens what a trainer trains', () => {
    const usual = userAnswer({
      user_type: 'trainer',
      manage_users: false,
      edit_quizzes: false,
      trainerquizzes: [{ quiz_id: 'q-1', name: 'x' }],
      trainergroups: [groupAnswer()],
    });
    const written = (value: unknown) =>
      JSON.stringify(value)
        ?.replaceAll(/^"\s*|\s*"$/g, '')
        .toLowerCase();
    const isNothing = (value: unknown) => [undefined, 'null', '[]'].includes(JSON.stringify(value));
    fc.assert(
      fc.property(oddOf(usual), (record) => {
        const user = userSchema.safeParse(record).data;
        fc.pre(user !== undefined);
        const widened = [
          ...(['manage_users', 'manage_groups', 'edit_quizzes'] as const).filter(
            (name) => user[name] && !['true', '1'].includes(written(record[name]) ?? ''),
          ),
          ...(['trainerquizzes', 'trainergroups'] as const).filter(
            (name) => user[name].length === 0 && !isNothing(record[name]),
          ),
          ...(['user_type'] as const).filter(
            (name) =>
              user[name] !== '' &&
              JSON.stringify(record[name]) !== JSON.stringify(user[name]) &&
              written(record[name]) !== user[name],
          ),
          ...(['suspended'] as const).filter(
            (name) => !user[name] && !['false', '0', 'null', undefined].includes(written(record[name])),
          ),
        ];
        expect(widened).toEqual([]);
        expect([
          ...user.groups.map(({ group_id }) => group_id),
          ...user.quizzes.map(({ quiz_id }) => quiz_id),
        ]).not.toContain('');
      }),
      { numRuns: runs(1000) },
    );
  });
});
