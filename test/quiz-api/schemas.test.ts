import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupSchema } from '../../src/quiz-api/groups.ts';
import { quizSchema } from '../../src/quiz-api/quizzes.ts';
import { questionSchema, responseSchema } from '../../src/quiz-api/responses.ts';
import { isUser, userSchema, userWithResultsSchema } from '../../src/quiz-api/users.ts';
import { groupAnswer, questionAnswer, quizAnswer, responseAnswer, userAnswer } from '../support/service-answers.ts';

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
    });
  });

  test('is valid without access code, report and registration fields, as in an event', () => {
    const event = without(responseAnswer(), 'access_code', 'response_report_url', 'registration_fields', 'status', 'user_id');

    expect(responseSchema.parse(event)).toMatchObject({
      access_code: '',
      response_report_url: null,
      registration_fields: [],
      status: 'submitted',
      user_id: null,
    });
  });

  test('has no points and no date before its submission', () => {
    const answer = responseAnswer({
      status: 'not_submitted', date_submitted: null, points: null, percentage_score: null, pass: null, grade: null, duration: null,
    });

    expect(responseSchema.parse(answer)).toMatchObject({
      date_submitted: null, points: 0, percentage_score: 0, pass: false, grade: '', duration: 0,
    });
  });

  test.each(['points', 'available_points', 'percentage_score', 'pass'])('requires %s after its submission', (field) => {
    const result = responseSchema.safeParse(without(responseAnswer(), field));

    expect(result.error?.issues.map((issue) => issue.path)).toEqual([[field]]);
  });

  test('can have an unknown publish type', () => {
    expect(responseSchema.parse(responseAnswer({ publish_type: 'carrier_pigeon' })).publish_type).toBe('carrier_pigeon');
  });

  test.each([['response_id', ''], ['quiz_id', null], ['pass', 'yes'], ['points', 'many'], ['status', 'lost']])('is refused with a %s of %j', (field, value) => {
    const result = responseSchema.safeParse(responseAnswer({ [field]: value }));

    expect(result.error?.issues[0]?.path).toEqual([field]);
  });
});

describe('a user', () => {
  test('has the documented defaults for missing fields', () => {
    const user = userSchema.parse({ user_id: 'u-1', user_name: 'ada', user_type: 'respondent', date_created: '2024-01-02 03:04:05' });

    expect(user).toEqual({
      user_id: 'u-1', user_name: 'ada', user_type: 'respondent', email_address: '', first_name: '', last_name: '',
      organization: '', notes: '', time_zone: '', suspended: false, manage_users: false, manage_groups: false,
      edit_quizzes: false, quizzes: [], groups: [], trainerquizzes: [], trainergroups: [],
      date_created: '2024-01-02 03:04:05',
    });
  });

  test('keeps only groups and trainer quizzes with an id, since their format is not specified', () => {
    const user = userSchema.parse(userAnswer({
      groups: [groupAnswer({ date_assigned: '2024-01-01 00:00:00' }), { group_id: 'g-2', name: 'Day shift' }, 'g-3', null],
      trainerquizzes: [{ quiz_id: 'q-1', name: 'Fire safety' }, {}],
      trainergroups: null,
    }));

    expect(user).toMatchObject({
      groups: [{ group_id: 'g-1', group_name: 'Night shift' }, { group_id: 'g-2', group_name: 'Day shift' }],
      trainerquizzes: [{ quiz_id: 'q-1', name: 'Fire safety' }],
      trainergroups: [],
    });
  });

  test('is recognized in its usual form', () => {
    expect(isUser(userSchema.parse(userAnswer()))).toBe(true);
    expect(isUser(userAnswer())).toBe(true);
  });

  test('is never taken as it is when reading would change it', () => {
    const usual = userAnswer({ groups: [groupAnswer()], trainerquizzes: [{ quiz_id: 'q-1', name: 'Fire safety' }] });
    const assigned = { quiz_id: 'q-1', name: 'Fire safety', date_assigned: '2024-05-06 17:10:00' };
    const oddItem = fc.constantFrom(null, 'g-3', {}, { group_id: 'g-2', name: 'Day shift' }, { ...groupAnswer(), size: 3 }, { quiz_id: 'q-1' },
      { ...assigned, date_assigned: '' }, { ...assigned, name: null }, { ...assigned, colour: 'green' }, assigned);
    const oddValue = fc.oneof(fc.constantFrom(undefined, null, '', 0, true, '2023-02-29 10:00:00', '2024-02-29 10:00:00'), fc.array(oddItem), fc.jsonValue());
    const oddFields = fc.dictionary(fc.constantFrom(...Object.keys(usual), 'colour'), oddValue, { maxKeys: 3 });
    fc.assert(fc.property(oddFields, (odd) => {
      const record = { ...usual, ...odd };
      fc.pre(isUser(record));

      expect(userSchema.parse(record)).toStrictEqual(record);
    }), { numRuns: 500 });
  });

  test('has results in the single-user call, null where there are none', () => {
    const assigned = { quiz_id: 'q-1', name: 'Fire safety', date_assigned: '2024-05-06 17:10:00' };
    const result = {
      response_id: 'r-1', date_submitted: '2024-05-07 23:59:58', points: '8.00', available_points: 10, percentage_score: 80,
      grade: 'B', pass: true, duration: 312, attempt: 1, status: 'submitted',
    };

    expect(userWithResultsSchema.parse(userAnswer({ quizzes: [{ ...assigned, ...result }, assigned] })).quizzes).toEqual([
      { ...assigned, ...result, points: 8 },
      {
        ...assigned, response_id: null, date_submitted: null, points: null,
        available_points: null, percentage_score: null, grade: '', pass: null, duration: null, attempt: null, status: null,
      },
    ]);
  });

  test.each([['user_type', 'robot'], ['suspended', 'no'], ['email_address', 7], ['date_created', '']])('is refused with a %s of %j', (field, value) => {
    expect(userSchema.safeParse(userAnswer({ [field]: value })).error?.issues[0]?.path).toEqual([field]);
  });
});

test('a question of any type has options, categories and files', () => {
  expect(questionSchema.parse(questionAnswer({ type: 'hotspot' }))).toEqual({ ...questionAnswer(), type: 'hotspot', points_scored: 1 });
  expect(questionSchema.parse({ question_id: 'qu-1' })).toMatchObject({ options: [], categories: [], files: [], points_scored: 0 });
});

test('drops unknown fields', () => {
  expect(quizSchema.parse(quizAnswer({ colour: 'green' }))).not.toHaveProperty('colour');
  expect(groupSchema.parse(groupAnswer({ size: 3 }))).toEqual({ group_id: 'g-1', group_name: 'Night shift' });
});
