import { expect, test } from 'vitest';
import { inEnglish } from '../../../src/domain/said.ts';
import { exportTable } from '../../../src/features/results/export-results.ts';
import type { TableCell } from '../../../src/operations/services/files.ts';
import { csvOf } from '../../support/csv-of.ts';
import { quizResponse } from '../../support/builders/responses.ts';

const exportedTable = async (...parameters: Parameters<typeof exportTable>) => {
  const { columns, parts } = await exportTable(...parameters);
  const rows: (readonly TableCell[])[] = [];
  for await (const part of parts) rows.push(...part);
  return [columns.map(({ title }) => inEnglish(title)), ...rows.map((row) => row.map(textOf))];
};
const textOf = (cell: TableCell) => (typeof cell === 'string' ? inEnglish(cell) : cell);
const asRecords = ([header = [], ...rows]: (readonly TableCell[])[]) =>
  rows.map((row) => Object.fromEntries(header.map((title, column) => [title as string, row[column]])));

test('exports numbers as numbers, times as moments, and registration fields as columns', async () => {
  const table = await exportedTable(
    [
      quizResponse({ registration_fields: [{ name: 'Department', value: 'Kitchen' }] }),
      quizResponse({
        pass: false,
        registration_fields: [
          { name: 'Number', value: '7' },
          { name: 'Department', value: 'Bar' },
        ],
      }),
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
    Submitted: Date.parse('2018-11-02T00:05:47Z'),
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

test('tells four outcomes, and rounds or leaves out figures', async () => {
  const ungraded = { points: 0, percentage_score: 0, grade: '', pass: false };
  const rows = asRecords(
    await exportedTable(
      [
        quizResponse({ points: 0.30000000000000004, percentage_score: 33.333333333333336 }),
        quizResponse({ ...ungraded, available_points: 0, attempt: 0 }),
        quizResponse(ungraded),
      ],
      { withPersonalData: false },
    ),
  );
  expect(rows).toMatchObject([
    { Passed: 'yes', Percentage: 33.3, Points: 0.3 },
    { Passed: 'not graded', Percentage: '', Points: '', 'Available points': '', Grade: '', Attempt: null },
    { Passed: 'waiting to be marked', Percentage: '', Points: '' },
  ]);
});

test('contains neither contact details, nor IP addresses, nor links to documents without the right', async () => {
  const response = quizResponse({
    first_name: 'rosa@private.example',
    response_report_url: 'https://quiz.example/report',
  });
  const table = JSON.stringify(await exportedTable([response], { withPersonalData: false }));
  for (const personal of ['@', '203.0.113.7', 'ACCESS-1', 'https:', 'E-mail', 'IP address', 'Certificate', 'Report'])
    expect(table).not.toContain(personal);
  expect(table).toContain('Almeida');
});

test.each([
  ['a label', 'Telephone', 'none'],
  ['a label in another language', 'Dirección', 'Calle Mayor'],
  ['an e-mail address', 'Anything else?', 'Write to rosa@quiz.example'],
  ['a telephone number', 'Department', 'Kitchen, 030 / 12 34 56'],
  ['a telephone number in other digits', 'Department', '٠٣٠١٢٣٤'],
  ['a date of birth', 'Born', '1990-02-03'],
  ['a link', 'Department', 'quiz.example/rosa'],
])('leaves out a registration field with %s without the right, in every row', async (_, name, value) => {
  const other = { name: 'Site', value: 'Porto 2' };
  const responses = [
    quizResponse({ registration_fields: [{ name, value }, other] }),
    quizResponse({ registration_fields: [{ name, value: 'Bar' }] }),
  ];
  expect((await exportedTable(responses, { withPersonalData: true }))[0]?.slice(-2)).toEqual([name, 'Site']);
  const table = await exportedTable(responses, { withPersonalData: false });
  expect(JSON.stringify(table)).not.toMatch(new RegExp(`${name.replace('?', '.')}|Bar`));
  expect(asRecords(table)).toMatchObject([{ Site: 'Porto 2' }, { Site: '' }]);
});

test('exports no score for an unsubmitted attempt', async () => {
  const [begun] = asRecords(
    await exportedTable(
      [quizResponse({ status: 'not_submitted', points: 0, percentage_score: 0, pass: false, date_submitted: null })],
      { withPersonalData: false },
    ),
  );
  expect(begun).toMatchObject({
    Status: 'not_submitted',
    Passed: '',
    Percentage: '',
    Points: '',
    Submitted: null,
  });
});

test('writes a large file in parts that no row is missing from', async () => {
  const responses = Array.from({ length: 2_500 }, (_, index) => quizResponse({ response_id: `r-${index}` }));
  const parts: number[] = [];
  for await (const { length } of (await exportTable(responses, { withPersonalData: true })).parts) parts.push(length);
  expect(parts).toEqual([1_000, 1_000, 500]);
  const lines = (await csvOf(await exportTable(responses, { withPersonalData: true }))).split('\r\n');
  expect(lines.length).toBe(2_502);
  expect(lines[0]).toMatch(/^Response id,First name.*,Submitted \(UTC\),/);
  expect(lines.at(-2)).toMatch(/^r-2499,Rosa.*,2018-11-02T00:05:47\.000Z,/);
});
