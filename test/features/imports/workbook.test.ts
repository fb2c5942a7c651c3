import { strToU8, unzipSync, zipSync, type Zippable } from 'fflate';
import { describe, expect, test } from 'vitest';
import writeWorkbook, { type SheetData } from 'write-excel-file/node';
import { inEnglish, plainSentence } from '../../../src/domain/said.ts';
import { isKnownTitle } from '../../../src/features/imports/columns.ts';
import { readTableFile } from '../../../src/features/imports/csv-table.ts';
import { standardNames } from '../../../src/domain/own-names.ts';
import type { OutgoingTable } from '../../../src/operations/services/files.ts';
import { workbookFile } from '../../../src/operations/table-file.ts';
import { createCatalogues, createRenderIn } from '../../../src/words/catalogues.ts';
import { languageCodes } from '../../../src/words/languages.ts';
import { askedBy, importing } from './importing.ts';

const workbook = async (...sheets: (SheetData | [name: string, data: SheetData])[]) =>
  writeWorkbook(
    sheets.map((sheet, at) =>
      typeof sheet[0] === 'string'
        ? { sheet: sheet[0], data: sheet[1] as SheetData }
        : { sheet: `Sheet ${at + 1}`, data: sheet as SheetData },
    ),
  ).toBuffer();

const people: SheetData = [
  ['E-mail', 'First name', 'Last name'],
  ['rosa.new@quiz.example', 'Rosa', 'Åberg'],
];

const day = (iso: string) => ({ value: new Date(iso), format: 'dd/mm/yyyy' });

/** The workbook with other parts. */
const changed = async (parts: Zippable, content?: Buffer) =>
  Buffer.from(zipSync({ ...unzipSync(content ?? (await workbook(people))), ...parts }));
const sheetOf = (rows: string) => ({
  'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
});
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** Far more than is taken, once it is unpacked. */
const bombBytes = 60_000_000;
let madeBomb: Promise<Buffer> | undefined;
const bomb = () => (madeBomb ??= changed({ 'xl/worksheets/sheet1.xml': [new Uint8Array(bombBytes), { level: 1 }] }));

describe('a workbook', () => {
  test('is read like a CSV file, with its days, numbers, lines and scripts', async () => {
    const content = await workbook([
      ['Staff list', null, null, null, null],
      [],
      ['E-mail', 'First name', 'Last name', 'Staff number', 'Termination date'],
      ['=kim@quiz.example', 'Zoë', '李小龍', 1234567890123456, day('1960-05-04')],
      ['karim@quiz.example', 'كريم', 'Müller', 17, day('2999-12-31T09:30:00Z')],
      [],
      ['leer@quiz.example', 'Łukasz', '=1+1', true, null],
    ]);
    const table = await readTableFile(content, isKnownTitle);
    expect(table).toEqual({
      header: ['E-mail', 'First name', 'Last name', 'Staff number', 'Termination date'],
      rows: [
        { line: 4, cells: ['=kim@quiz.example', 'Zoë', '李小龍', '1.234567890123456E+15', '1960-05-04'] },
        { line: 5, cells: ['karim@quiz.example', 'كريم', 'Müller', '17', '2999-12-31T09:30:00'] },
        { line: 7, cells: ['leer@quiz.example', 'Łukasz', '=1+1', 'true'] },
      ],
      besides: [{ line: 1, cells: ['Staff list'] }],
    });
    const { preview } = await importing(content);
    expect(preview?.counts).toMatchObject({ gone: 1 });
  });

  test('shows what a formula became that failed, so that nobody gets another user name', async () => {
    const content = await changed(
      sheetOf(
        `<row r="1">${cell('A1', 'User name')}${cell('B1', 'E-mail')}</row><row r="2"><c r="A2" t="e"><v>#REF!</v></c>${cell('B2', 'kim@quiz.example')}</row>`,
      ),
    );
    const { problems } = await importing(content);
    expect(problems).toEqual([
      '2: A spreadsheet program replaced the user name by “#REF!”. Enter it again in a column of text.',
    ]);
  });

  test('with cells that only have a format is as long as what is in it', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => `<row r="${at + 3}"><c r="B${at + 3}" s="1"/></row>`);
    const content = await changed(
      sheetOf(
        `<row r="1">${cell('A1', 'E-mail')}</row><row r="2">${cell('A2', 'kim@quiz.example')}</row>${rows.join('')}`,
      ),
    );
    const table = await readTableFile(content, isKnownTitle);
    expect('rows' in table && table.rows).toEqual([{ line: 2, cells: ['kim@quiz.example'] }]);
  });

  test('with one sheet of people among others is read from it, and says so', async () => {
    const content = await workbook(['Notes', [['Please read'], ['Thank you']]], ['New ‮people', people], ['Empty', []]);
    const { preview } = await importing(content);
    expect(preview?.counts).toEqual({ create: 1 });
    expect(preview?.notices.map(plainSentence)[0]).toBe(
      'The bot reads the sheet “New  people”. To read another one, press *Columns…*',
    );
  });

  test('with several sheets of people is asked about before anything else, and the answer holds', async () => {
    const others: SheetData = [people[0]!, ['kim.new@quiz.example', 'Kim', 'Both'], ['a@quiz.example', 'A', 'B']];
    const content = await workbook(['North', people], ['South', others]);
    const { outcome, preview } = await importing(content);
    expect(preview).toBeUndefined();
    expect(askedBy(outcome)).toEqual({
      question: '❓ *new-hires.csv* has several sheets. Which has the people?',
      columns: [{ title: 'Sheet', samples: '', usual: 'sheet=1' }],
    });
    const chosen = await importing(content, { input: { columns: ['sheet=2'] } });
    expect(chosen.preview?.counts).toEqual({ create: 2 });
    expect((await importing(content, { input: { columns: ['sheet=40'] } })).preview?.counts).toEqual({ create: 1 });
  });

  test.each(languageCodes)('that the bot sent in “%s” is taken back, without its own columns', async (language) => {
    const rows = Array.from({ length: 11 }, (_, at) => `p${at}@quiz.example,Dr. Zoë Å ${at}`);
    const { account, plan } = await importing(['E-mail,Name', ...rows].join('\n'));
    const [, sent] = account.sendFile.mock.calls[0] as unknown as [string, { content: OutgoingTable }];
    const render = await createRenderIn(createCatalogues(), {
      formality: 'formal',
      names: standardNames,
      timeZone: 'UTC',
    })(language);
    const again = await importing(await workbookFile(sent.content.table, { name: 'x', render, timeZone: 'UTC' }));
    expect(again.plan?.content.rows).toEqual(plan?.content.rows);
    expect(again.plan?.content.source).toEqual(plan?.content.source);
    expect(again.preview?.notices).toEqual([]);
  });

  test('takes memory and time as its rows do', async () => {
    const rows = Array.from({ length: 9_990 }, (_, at) => [
      `p${at}@quiz.example`,
      `Name ${at}`,
      'Åberg',
      at,
      day('2030-01-01'),
    ]);
    const content = await workbook([['E-mail', 'First name', 'Last name', 'Number', 'Start'], ...rows]);
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
    expect(await readTableFile(content, isKnownTitle)).toEqual({ problem: expect.stringContaining('5,000') });
    clearInterval(watch);
    expect((most - before) / 2 ** 20).toBeLessThan(150);
  });

  test.each<[string, () => Promise<Buffer>, string]>([
    ['that is a bomb', bomb, 'too large once it is unpacked'],
    ['whose directory lies', async () => lying(await bomb()), 'damaged'],
    [
      'of 30,000 sheets',
      async () =>
        changed(
          Object.fromEntries(
            Array.from({ length: 30_000 }, (_, at) => [
              `xl/worksheets/sheet${at + 2}.xml`,
              [new Uint8Array(0), { level: 0 }],
            ]),
          ),
        ),
      'more than 50 sheets',
    ],
    ['with macros', async () => changed({ 'xl/vbaProject.bin': strToU8('x') }), 'has macros'],
    ['with links', async () => changed({ 'xl/externalLinks/externalLink1.xml': strToU8('<a/>') }), 'from other files'],
    ['that is cut', async () => (await workbook(people)).subarray(0, -30), 'damaged or incomplete'],
    ['that is cut in the middle', async () => (await workbook(people)).subarray(0, 700), 'damaged or incomplete'],
    ['without a sheet', async () => changed({ 'xl/worksheets/sheet1.xml': strToU8('<') }), 'damaged'],
    [
      'with a cell at its far end',
      async () => changed(sheetOf(`<row r="1048576">${cell('XFD1048576', 'x')}</row>`)),
      '10,000 rows',
    ],
    ['with a wide row', async () => changed(sheetOf(`<row r="1">${cell('XFD1', 'x')}</row>`)), '200 columns'],
    [
      'whose cells are long',
      async () => changed(sheetOf(`<row r="1">${cell('A1', 'x'.repeat(30_000))}</row>`)),
      'damaged',
    ],
    ['that is empty', async () => workbook([]), 'The file is empty.'],
    ['of Numbers', async () => Buffer.from(zipSync({ 'Index/Document.iwa': strToU8('x') })), 'a Numbers file'],
    ['that is text', async () => Buffer.from(zipSync({ 'word/document.xml': strToU8('x') })), 'a Word file'],
    [
      'that is binary',
      async () => Buffer.from(zipSync({ 'xl/workbook.bin': strToU8('x') })),
      'a binary workbook (.xlsb)',
    ],
    ['of LibreOffice', async () => Buffer.from(zipSync({ 'content.xml': strToU8('x') })), 'an OpenDocument file'],
    ['that is any archive', async () => Buffer.from(zipSync({ 'a.txt': strToU8('x') })), 'a zip file'],
    ['that is old', async () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an old Excel file (.xls)'],
  ])('%s is refused within a second of processor time, in a sentence', async (_, content, part) => {
    const bytes = await content();
    const before = process.cpuUsage();
    const table = await readTableFile(bytes, isKnownTitle);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
    const problem = 'problem' in table ? inEnglish(table.problem) : '';
    expect(problem).toContain(part);
    expect(problem).toMatch(/^[A-Z].*\.$/);
  });

  function lying(content: Buffer): Buffer {
    const copy = Buffer.from(content);
    for (
      let at = copy.indexOf('PK\u0001\u0002', 0, 'latin1');
      at >= 0;
      at = copy.indexOf('PK\u0001\u0002', at + 4, 'latin1')
    )
      if (copy.readUInt32LE(at + 24) === bombBytes) copy.writeUInt32LE(1_000, at + 24);
    return copy;
  }
});
