import { expect, test } from 'vitest';
import { exportTable } from '../../../src/operations/results/export.ts';
import { quizResponse } from '../../support/builders/responses.ts';

const asRecords = ([header = [], ...rows]: (string | number)[][]) => rows.map((row) => Object.fromEntries(header.map((title, column) => [title, row[column]])));

test('exports numbers as numbers, times in ISO format in UTC, and registration fields as columns', () => {
  const table = exportTable(
    [
      quizResponse({ registration_fields: [{ name: 'Department', value: 'Kitchen' }] }),
      quizResponse({ pass: false, registration_fields: [{ name: 'Number', value: '7' }, { name: 'Department', value: 'Bar' }] }),
    ],
    { withPersonalData: true },
  );
  const [first, second] = asRecords(table);
  expect(first).toEqual({
    'Response id': 'r-1',
    'First name': 'Rosa',
    'Last name': 'Almeida',
    'User name': 'rosa@quiz.example',
    'E-mail address': 'rosa@quiz.example',
    Status: 'submitted',
    Passed: 'yes',
    Percentage: 90,
    Points: 9,
    'Available points': 10,
    Grade: 'A',
    Attempt: 2,
    'Seconds taken': 245,
    'Submitted (UTC)': '2018-11-02T00:05:47.000Z',
    'Published as': 'assigned_user',
    'IP address': '203.0.113.7',
    'Access code': 'ACCESS-1',
    Certificate: 'https://quiz.example/certificate',
    Report: '',
    Department: 'Kitchen',
    Number: '',
  });
  expect(second).toMatchObject({ Passed: 'no', Department: 'Bar', Number: '7' });
});

test('tells four outcomes, and rounds or leaves out figures', () => {
  const ungraded = { points: 0, percentage_score: 0, grade: '', pass: false };
  const rows = asRecords(exportTable([
    quizResponse({ points: 0.30000000000000004, percentage_score: 33.333333333333336 }),
    quizResponse({ ...ungraded, available_points: 0, attempt: 0 }),
    quizResponse(ungraded),
  ], { withPersonalData: false }));
  expect(rows).toMatchObject([
    { Passed: 'yes', Percentage: 33.3, Points: 0.3 },
    { Passed: 'not graded', Percentage: '', Points: '', 'Available points': '', Grade: '', Attempt: '' },
    { Passed: 'waiting to be marked', Percentage: '', Points: '' },
  ]);
});

test('contains neither contact details nor IP addresses without the right', () => {
  const table = JSON.stringify(exportTable([quizResponse()], { withPersonalData: false }));
  for (const personal of ['rosa@quiz.example', '203.0.113.7', 'ACCESS-1', 'E-mail', 'IP address']) expect(table).not.toContain(personal);
  expect(table).toContain('Almeida');
});

test('exports no score for an unsubmitted attempt', () => {
  const [begun] = asRecords(exportTable([quizResponse({ status: 'not_submitted', points: 0, percentage_score: 0, pass: false, date_submitted: null })], { withPersonalData: false }));
  expect(begun).toMatchObject({ Status: 'not_submitted', Passed: '', Percentage: '', Points: '', 'Submitted (UTC)': '' });
});
