import { expect, test } from 'vitest';
import writeWorkbook, { type SheetData } from 'write-excel-file/node';
import { plainSentence } from '../../../src/domain/sentence.ts';
import { askedBy, importing } from './importing.ts';

/** What becomes of a file: new users as `First Last <user name>`, kinds of the other rows, a question, or why it is refused. */
interface Expected {
  creates?: readonly string[];
  others?: Readonly<Record<string, number>>;
  asks?: string;
  refuses?: string;
}
type Kind = readonly [name: string, content: string | Buffer | (() => Promise<Buffer>), expected: Expected];

const csv = (...lines: string[]) => `${lines.join('\r\n')}\r\n`;
const sheet =
  (...rows: SheetData) =>
  async () =>
    writeWorkbook(rows).toBuffer();
const sheets =
  (...data: SheetData[]) =>
  async () =>
    writeWorkbook(data.map((rows, at) => ({ sheet: `S${at + 1}`, data: rows }))).toBuffer();
const day = (iso: string) => ({ value: new Date(iso), format: 'yyyy-mm-dd' });

const [eve, eves] = ['Eve New <eve@quiz.example>', 'eve@quiz.example,Eve,New'] as const;
const head = 'E-mail,First name,Last name';
const withStatus = (title: string, cell: string) =>
  csv(`${head},${title}`, `${eves},`, `max@quiz.example,Max,Alt,${cell}`);
const onlyEve = { creates: [eve], others: { gone: 1 } };
const cellOf = (cell: string, title = 'E-mail') => csv(`${title},First name,Last name`, `${cell},Eve,New`);
const names = (...people: string[]) => csv(head, ...people.map((name, at) => `p${at}@quiz.example,${name}`));

const kinds: readonly Kind[] = [
  // How letters are written; letters.test.ts has those that are not in UTF-8.
  ['UTF-8', names('Jörg,Łuk'), { creates: ['Jörg Łuk <p0@quiz.example>'] }],
  ['UTF-8 with a mark', `\uFEFF${names('Jörg,Łuk')}`, { creates: ['Jörg Łuk <p0@quiz.example>'] }],
  ['UTF-16', Buffer.from(`\uFEFF${names('Zoë,李')}`, 'utf16le'), { creates: ['Zoë 李 <p0@quiz.example>'] }],
  [
    'UTF-16, the other way',
    Buffer.from(`\uFEFF${names('Zoë,李')}`, 'utf16le').swap16(),
    { creates: ['Zoë 李 <p0@quiz.example>'] },
  ],
  ['decomposed accents', names('Zoe\u0308,A\u030Aberg'), { creates: ['Zoe\u0308 A\u030Aberg <p0@quiz.example>'] }],
  [
    'UTF-8 with a stray byte',
    Buffer.concat([Buffer.from(names('Jörg,Müller', 'Zoë,Å')), Buffer.from('x@quiz.example,Ann\xE9,B\r\n', 'latin1')]),
    { creates: ['Jörg Müller <p0@quiz.example>', 'Zoë Å <p1@quiz.example>'], others: { invalid: 1 } },
  ],
  [
    'UTF-8 that is cut in a letter',
    Buffer.from(names('Jörg,Müller', 'Zoë,Åö')).subarray(0, -3),
    { creates: ['Jörg Müller <p0@quiz.example>'], others: { invalid: 1 } },
  ],
  // Who is gone.
  ['Moodle: suspended', withStatus('suspended', '1'), onlyEve],
  ['Moodle: deleted', withStatus('deleted', '1'), onlyEve],
  ['Canvas: status', withStatus('status', 'deleted'), onlyEve],
  ['Slack: deactivated', withStatus('status', 'Deactivated'), onlyEve],
  ['Slack: a bot', withStatus('status', 'Bot'), onlyEve],
  ['Slack: a guest', withStatus('status', 'Single-Channel Guest'), onlyEve],
  ['BambooHR: terminated', withStatus('Employment Status', 'Terminated'), onlyEve],
  ['BambooHR: a past day', withStatus('Termination Date', '1960-01-31'), onlyEve],
  [
    'BambooHR: a day to come',
    withStatus('Termination Date', '2999-01-31'),
    { creates: [eve, 'Max Alt <max@quiz.example>'] },
  ],
  ['a past day in words', withStatus('Termination Date', '31 Jan 1960'), onlyEve],
  ['active: no', withStatus('Aktiv', 'nein'), onlyEve],
  ['Entra: accountEnabled', withStatus('Account enabled', 'False'), onlyEve],
  // Lines that are no people.
  ['a title line', csv('Employee list', '', head, eves), { creates: [eve] }],
  ['a title line of merged cells', csv('Employee list,,', 'May 2026,,', head, eves), { creates: [eve] }],
  ['blank lines first', csv('', ',,', head, eves), { creates: [eve] }],
  [
    'Entra: version and example',
    csv('version:v1.0,,', head, 'Example: chris@contoso.com,Chris,Green', eves),
    { creates: [eve] },
  ],
  ['a total', csv(head, eves, 'Total: 1,,'), { creates: [eve] }],
  ['titles twice', csv(head, head, eves), { creates: [eve] }],
  ['no titles', csv(eves), { asks: 'hold' }],
  ['sep=;', csv('sep=;', head.replaceAll(',', ';'), eves.replaceAll(',', ';')), { creates: [eve] }],
  ['semicolons', csv(head.replaceAll(',', ';'), eves.replaceAll(',', ';')), { creates: [eve] }],
  ['tabs', csv(head.replaceAll(',', '\t'), eves.replaceAll(',', '\t')), { creates: [eve] }],
  ['bars', csv(head.replaceAll(',', '|'), eves.replaceAll(',', '|')), { creates: [eve] }],
  ['old line ends', csv(head, eves).replaceAll('\r\n', '\r'), { creates: [eve] }],
  ['nothing below the titles', csv(head), { refuses: 'nothing below it' }],
  ['nothing', '', { refuses: 'The file is empty.' }],
  // Cells.
  ['a comma behind an address', cellOf('"eve@quiz.example, "'), { creates: [eve] }],
  ['a full stop behind an address', cellOf('eve@quiz.example.'), { creates: [eve] }],
  ['an apostrophe before an address', cellOf("'eve@quiz.example"), { creates: [eve] }],
  ['a blank that does not break', cellOf('\u00A0eve@quiz.example\u00A0'), { creates: [eve] }],
  ['mailto:', cellOf('mailto:eve@quiz.example'), { creates: [eve] }],
  ['an address as mail programs write it', cellOf('"Eve New <eve@quiz.example>"'), { creates: [eve] }],
  ['two dots in an address', cellOf('e..ve@quiz.example'), { others: { invalid: 1 } }],
  ['a formula that keeps zeros', cellOf('="00123"', 'User name'), { creates: ['Eve New <00123>'] }],
  ['a number that Excel shortened', cellOf('1.00123E+12', 'User name'), { others: { invalid: 1 } }],
  ['a formula that failed', cellOf('#N/A', 'User name'), { others: { invalid: 1 } }],
  // Titles.
  [
    'Name (Nachname, Vorname)',
    csv('"Name (Nachname, Vorname)",E-Mail', '"New, Eve",eve@quiz.example'),
    { creates: [eve] },
  ],
  ['Dienst-E-Mail', csv('Vorname,Nachname,Dienst-E-Mail', 'Eve,New,eve@quiz.example'), { creates: [eve] }],
  ['Emp Name', csv('Emp Name,E-mail', 'Eve New,eve@quiz.example'), { creates: [eve] }],
  ['Learner', csv('Learner,E-mail', 'Eve New,eve@quiz.example'), { creates: [eve] }],
  ['Student Name', csv('Student Name,E-mail', 'Eve New,eve@quiz.example'), { creates: [eve] }],
  // Families and kiosks.
  [
    'a shared address',
    csv('User name,E-mail,First name', 'k1,k@quiz.example,A', 'k2,k@quiz.example,B', 'k3,k@quiz.example,C'),
    { creates: ['A <k1>', 'B <k2>', 'C <k3>'] },
  ],
  [
    'a shared address of a trainer',
    csv('User name,E-mail,First name,User type', 'k1,k@quiz.example,A,', 'k2,k@quiz.example,B,Trainer'),
    { creates: ['A <k1>'], others: { repeated: 1 } },
  ],
  [
    'a user name twice',
    csv('User name,E-mail,First name', 'k1,k@quiz.example,A', 'k1,k@quiz.example,B'),
    { creates: ['A <k1>'], others: { repeated: 1 } },
  ],
  [
    'an address of a user under another user name',
    csv('User name,E-mail,First name', 'other,rosa@quiz.example,Rosa'),
    { others: { differs: 1 } },
  ],
  // Workbooks.
  ['a workbook', sheet(head.split(','), eves.split(',')), { creates: [eve] }],
  [
    'a workbook with a title line and a total',
    sheet(['Staff'], [], head.split(','), eves.split(','), ['Total', null, 1]),
    { creates: [eve] },
  ],
  [
    'a workbook with days',
    sheet(
      [...head.split(','), 'Termination date'],
      [...eves.split(','), day('2999-01-01')],
      ['max@quiz.example', 'Max', 'Alt', day('1960-01-01')],
    ),
    onlyEve,
  ],
  [
    'a workbook with ticks',
    sheet([...head.split(','), 'Active'], [...eves.split(','), true], ['max@quiz.example', 'Max', 'Alt', false]),
    onlyEve,
  ],
  [
    'a workbook with numbers as user names',
    sheet(['User name', 'First name', 'Last name'], [4711, 'Eve', 'New']),
    { creates: ['Eve New <4711>'] },
  ],
  [
    'a workbook with a number that lost digits',
    sheet(['User name', 'First name', 'Last name'], [2 ** 60, 'Eve', 'New']),
    { others: { invalid: 1 } },
  ],
  [
    'a workbook with a text like a formula',
    sheet(head.split(','), ['eve@quiz.example', '=Eve', 'New']),
    { creates: ['=Eve New <eve@quiz.example>'] },
  ],
  [
    'a workbook from right to left',
    sheet(head.split(','), ['karim@quiz.example', 'كريم', 'حداد']),
    { creates: ['كريم حداد <karim@quiz.example>'] },
  ],
  [
    'a workbook with notes on its first sheet',
    sheets([['Read me']], [head.split(','), eves.split(',')]),
    { creates: [eve] },
  ],
  [
    'a workbook with two lists',
    sheets([head.split(','), eves.split(',')], [head.split(','), ['max@quiz.example', 'Max', 'Alt']]),
    { asks: 'several sheets' },
  ],
  ['a workbook without a cell', sheet([]), { refuses: 'The file is empty.' }],
];

test('files of 60 kinds and more, each once', () => {
  expect(kinds.length).toBeGreaterThanOrEqual(60);
  expect(new Set(kinds.map(([name]) => name)).size).toBe(kinds.length);
});

test.each(kinds)('%s', async (_, content, { creates = [], others = {}, asks, refuses }) => {
  const bytesOrText = typeof content === 'function' ? await content() : content;
  // Nobody who is a user is changed by what is read wrongly.
  const { outcome, plan, preview } = await importing(bytesOrText, { input: { existing: [] } });
  expect(JSON.stringify(outcome)).toContain(refuses ?? '');
  expect(askedBy(outcome)?.question.includes(asks ?? '') ?? false).toBe(asks !== undefined);
  const made = plan?.content.rows.flatMap((row) => {
    if (row.kind === 'none') return [];
    const {
      first_name: [first = ''] = [],
      last_name: [last = ''] = [],
      user_name: [name = ''] = [],
    } = row.changes[0].input;
    return [`${`${first} ${last}`.trim()} <${name}>`];
  });
  expect(made ?? []).toEqual(creates);
  const { create = 0, ...rest } = preview?.counts ?? {};
  expect([create, rest]).toEqual([creates.length, others]);
  for (const note of [...(preview?.problems ?? []), ...(preview?.gone ?? [])].map((row) => plainSentence(row.note)))
    expect(note).toMatch(/\.$/);
});
