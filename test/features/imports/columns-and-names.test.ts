import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { addressId } from '../../../src/domain/erasure.ts';
import type { BatchRow } from '../../../src/domain/batch.ts';
import { inEnglish, plainSentence } from '../../../src/domain/said.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { teamId } from '../../support/house.ts';
import { ada, askedBy, chosen, importing, operation } from './importing.ts';
import { splitName, tidyParts } from '../../../src/features/imports/read-person.ts';
import { areMostlyPasswords, looksLikePassword } from '../../../src/features/imports/columns.ts';
import { absenceIn, findAbsences, isSecretTitle } from '../../../src/features/imports/titles.ts';

describe('an import of a file', () => {
  test('asks again where the answer leaves no address, or two columns for one thing', async () => {
    const content = 'Familie;Rufzeichen;Elektropost\nMeier;Anna;anna@quiz.example\n';
    const question = async (columns: string[]) =>
      askedBy((await importing(content, { input: { columns } })).outcome)?.question;
    expect(await question(['0=last_name', '1=first_name', '2=none'])).toBe(
      '❓ No column says that it has e-mail addresses or user names. What do the columns of *new-hires.csv* hold?',
    );
    expect(await question(['0=last_name', '1=last_name', '2=email_address'])).toBe(
      '❓ The columns “Familie” and “Rufzeichen” both hold the last name. What do the columns of *new-hires.csv* hold?',
    );
    expect(await question(['0=last_name', '1=first_name', '2=email_address'])).toBe(undefined);
  });

  test('takes no type or right from what a person says of a column', async () => {
    const content = 'Name;E-Mail;Rolle\nAnna Meier;anna@quiz.example;Administrator\n';
    const { outcome } = await importing(content, { input: { columns: ['0=name', '1=email_address', '2=user_type'] } });
    expect(outcome).toMatchObject({
      result: { kind: 'preview', plan: { imported: { privileged: [], counts: { create: 1 } } } },
    });
  });

  test('says first that most rows would have no name, and cannot be started then', async () => {
    const { preview, account, outcome } = await importing(
      'E-mail,Name\na@quiz.example,\nb@quiz.example,\nc@quiz.example,Cy\n',
    );
    expect(preview).toMatchObject({ lacksNames: { count: 2, total: 3 }, counts: { create: 3 }, canStart: false });
    const { id } = (outcome as { result: { id: string } }).result;
    const forged = await account.execute({
      operation: operationNamed('run-batch')!,
      inputs: [{ plan: [id] }],
      personId: ada,
      teamId,
      through: 'choice',
    });
    expect(forged.kind === 'done' && forged.result.kind === 'done' && forged.result.isStarted).toBe(false);
    expect((await importing('E-mail,Name\na@quiz.example,\nb@quiz.example,Bo\n')).preview).toMatchObject({
      canStart: true,
    });
  });

  test('takes a person whose both names changed for the same person, and says so', async () => {
    const content = 'E-mail,First name,Last name\nrosa@quiz.example,Rosalia,Reis\n';
    const { preview } = await importing(content);
    expect(preview?.counts).toEqual({ differs: 1 });
    expect(preview?.notices.map(plainSentence)).toEqual(['Line 2: “Rosa Almeida” is “Rosalia Reis” in the file.']);
    const updating = await importing(content, { input: { existing: ['update'] } });
    expect(updating.preview?.counts).toEqual({ update: 1 });
    expect(updating.preview?.notices.map(plainSentence)).toEqual([
      'Line 2: “Rosa Almeida” would become “Rosalia Reis”, and keeps their results.',
    ]);
    expect(updating.plan?.content.rows).toMatchObject([
      { changes: [{ operation: 'update-user', input: { first_name: ['Rosalia'], last_name: ['Reis'] } }] },
    ]);
  });

  test('shows how it read names, in the preview and in its file', async () => {
    const { preview, table } = await importing(
      'Name,E-mail\nAnna Meier,anna@quiz.example\nDr. Bo Berg,bo@quiz.example\n"Smith, John, Jr.",john@quiz.example\n',
    );
    expect(preview?.names).toEqual([
      { of: addressId('bo@quiz.example'), written: 'Dr. Bo Berg', first: 'Bo', last: 'Berg' },
      { of: addressId('john@quiz.example'), written: 'Smith, John, Jr.', first: 'John', last: 'Smith Jr.' },
      { of: addressId('anna@quiz.example'), written: 'Anna Meier', first: 'Anna', last: 'Meier' },
    ]);
    expect(table?.split('\r\n').slice(0, 3)).toEqual([
      'Name,E-mail,outcome,user_id,error,read_as',
      'Anna Meier,anna@quiz.example,would be created,,,"first name: Anna, last name: Meier"',
      'Dr. Bo Berg,bo@quiz.example,would be created,,,"first name: Bo, last name: Berg"',
    ]);
    const again = await importing(table ?? '');
    expect(again.preview).toMatchObject({ counts: { create: 3 }, notices: [] });
    expect(again.table).toBe(table);
  });

  test('with nothing to do is not found again, and takes no place of one that is', async () => {
    const found = async (account: Awaited<ReturnType<typeof importing>>['account']) =>
      (await account.permissions.openPreviews(operation, { personId: ada, teamId })).length;
    const idle = await importing('E-mail,Name\nada@quiz.example,Ada\nbad,Bo\n');
    expect(idle.preview).toMatchObject({ counts: { invalid: 1 }, canStart: false });
    expect(await found(idle.account)).toBe(0);
    const open = await importing('E-mail,Name\nzoe@quiz.example,Zoe Park\n');
    expect(await found(open.account)).toBe(1);
  });
});

describe('a whole name', () => {
  test.each([
    ['Anna Meier', 'Anna', 'Meier'],
    ['Dr. Anna Meier', 'Anna', 'Meier'],
    ['Prof. Dr. rer. nat. Anna Meier', 'Anna', 'Meier'],
    ['Dipl.-Ing. Max Groß', 'Max', 'Groß'],
    ['Mme Anne Dupont', 'Anne', 'Dupont'],
    ['Dott.ssa Giulia De Rossi', 'Giulia', 'De Rossi'],
    ['Herr Meier', '', 'Meier'],
    ['Meier, Anna', 'Anna', 'Meier'],
    ['Meier, Dr. Anna', 'Anna', 'Meier'],
    ['Smith, John, Jr.', 'John', 'Smith Jr.'],
    ['Smith Jr., John', 'John', 'Smith Jr.'],
    ['John Smith, Jr.', 'John', 'Smith Jr.'],
    ['John Smith III', 'John', 'Smith III'],
    ['Jane Doe, PhD', 'Jane', 'Doe'],
    ['Jane Doe MBA', 'Jane', 'Doe'],
    ['Jack Ma', 'Jack', 'Ma'],
    ['Mag Ruffman', 'Mag', 'Ruffman'],
    ['García Márquez, Gabriel José', 'Gabriel José', 'García Márquez'],
    ['Gabriel García Márquez', 'Gabriel', 'García Márquez'],
    ['Gabriel José García Márquez', 'Gabriel José', 'García Márquez'],
    ['Ana Maria da Silva', 'Ana Maria', 'da Silva'],
    ['Jan Willem van den Berg', 'Jan Willem', 'van den Berg'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Jean-Pierre DUPONT', 'Jean-Pierre', 'DUPONT'],
    ['DUPONT LEGRAND Anne', 'Anne', 'DUPONT LEGRAND'],
    ['ANNA MEIER', 'ANNA', 'MEIER'],
    ['Anna Meier (extern)', 'Anna', 'Meier'],
    ['Anna', 'Anna', ''],
    ['王小明', '王小明', ''],
    ['Dr.', 'Dr.', ''],
  ])('“%s” is %s | %s', (whole, first, last) => {
    expect(splitName(whole)).toEqual({ first, last });
  });

  test.each([
    ['Meier Anna Maria', 'Anna Maria', 'Meier'],
    ['van der Berg Sanne', 'Sanne', 'van der Berg'],
    ['Meier, Anna', 'Anna', 'Meier'],
    ['Dr. Meier Anna', 'Anna', 'Meier'],
    ['Meier', '', 'Meier'],
  ])('with the last name first, “%s” is %s | %s', (whole, first, last) => {
    expect(splitName(whole, 'last first')).toEqual({ first, last });
  });

  test('loses no word that is neither a title nor a degree, in any order', () => {
    const words = fc.array(fc.constantFrom('Anna', 'García', 'van', 'de', 'MEIER', 'Jr.', 'O’Neil', 'Ó', '李'), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        words,
        fc.constantFrom('first last' as const, 'last first' as const),
        fc.boolean(),
        (all, order, hasComma) => {
          const whole = hasComma ? `${all[0]}, ${all.slice(1).join(' ')}` : all.join(' ');
          const { first, last } = splitName(whole, order);
          expect(`${first} ${last}`.trim().split(/\s+/).toSorted()).toEqual(all.toSorted());
        },
      ),
    );
  });
});

test.each([
  [
    { first: 'Dr. Anna', last: 'Meier' },
    { first: 'Anna', last: 'Meier' },
  ],
  [
    { first: 'Jane', last: 'Doe, PhD' },
    { first: 'Jane', last: 'Doe' },
  ],
  [
    { first: 'John', last: 'Smith, Jr.' },
    { first: 'John', last: 'Smith Jr.' },
  ],
  [
    { first: 'María José', last: 'García López' },
    { first: 'María José', last: 'García López' },
  ],
  [
    { first: '', last: '' },
    { first: '', last: '' },
  ],
])('the parts %j are %j', (written, tidied) => {
  expect(tidyParts(written)).toEqual(tidied);
});

const saidBy = (title: string, cell: string) => {
  const columns = findAbsences([title], () => [cell], new Set());
  const absence = absenceIn([cell], columns, '2026-11-30');
  return absence === undefined ? 'here' : absence.isUnclear ? 'unclear' : 'gone';
};

describe('a column that says who is gone', () => {
  test.each([
    ['Termination Date', '2026-11-29', 'gone'],
    ['Termination Date', '2026-11-30', 'here'],
    ['Termination Date', '2026-12-31T00:00:00', 'here'],
    ['Termination Date', '9999-12-31', 'here'],
    ['Termination Date', '', 'here'],
    ['Termination Date', 'open', 'here'],
    ['Termination Date', '29 Nov 2026', 'gone'],
    ['Termination Date', 'Dec 1, 2026', 'here'],
    ['Termination Date', '46355', 'gone'],
    ['Termination Date', '46357', 'here'],
    // 3 April or 4 March: both are past.
    ['End date', '03/04/2026', 'gone'],
    // 12 January 2026 or 1 December.
    ['End date', '12/01/2026', 'unclear'],
    ['End date', '31/12/2026', 'here'],
    ['End date', '2026-13-45', 'unclear'],
    ['Austritt', '29.11.26', 'gone'],
    ['Austritt', '1.12.2026', 'here'],
    ['Terminated', 'Yes', 'gone'],
    ['Terminated', '2026-01-31', 'gone'],
    ['Terminated', 'perhaps', 'unclear'],
    ['Suspended', '0', 'here'],
    ['Gesperrt', 'ja', 'gone'],
    ['Active', 'FALSE', 'gone'],
    ['Active', 'Full-time', 'here'],
    ['Attivo', 'Vero', 'here'],
    ['Attivo', 'Falso', 'gone'],
    ['Employee status', 'Terminated - voluntary', 'gone'],
    ['Employee status', 'On leave', 'here'],
    ['Estado', 'Baja', 'gone'],
    ['Status', 'Nieaktywny', 'gone'],
    ['Estado', 'Baja California', 'here'],
    ['Type', 'Multi-Channel Guest', 'gone'],
    ['Type', 'Trainer', 'here'],
    ['Notes', 'Terminated', 'here'],
  ])('%s: %s means %s', (title, cell, verdict) => {
    expect(saidBy(title, cell)).toBe(verdict);
  });
});

describe('a column of passwords', () => {
  test.each(
    [
      'Secret-1! Summer2026! Xk29fLq8 hunter2#Hunter pa$$w0rdX Tr0ub4dor&3 XzxLSTBDxDSfzAGR',
      'vB7kQ2mZr9TfWc4H',
    ].flatMap((line) => line.split(' ')),
  )('“%s” looks like a password', (text) => {
    expect(looksLikePassword(text)).toBe(true);
  });

  test.each([
    'Meier',
    'anna@quiz.example',
    '01.12.2026',
    '2026-12-01T08:00:00Z',
    '+49-170-1234567',
    'Bahnhofstr.12',
    'Bahnhofstraße 12',
    'KST-4711',
    'DE89370400440532013000',
    'RSSGLI90A41H501X',
    '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    'https://quiz.example/Anna1?x=Y2',
    'McDonald',
    'DeLaCruzGarcia',
    'iPhoneXSMax',
    'Müller-Lüdenscheidt',
    'Full-Time',
    'ameier01',
    '',
  ])('“%s” does not', (text) => {
    expect(looksLikePassword(text)).toBe(false);
  });

  test('a column is one of passwords where most of its cells could be', () => {
    expect(areMostlyPasswords(['Sommer2026', 'Winter2026', ''])).toBe(true);
    expect(areMostlyPasswords(['Sommer2026', 'Küche', 'Lager'])).toBe(false);
    expect(areMostlyPasswords(['', ''])).toBe(false);
  });

  test.each(
    [
      'Password, Initial password, initialPassword, Passwort, Startpasswort, Kennwort, Mot de passe, MDP',
      'Contraseña, Clave, Wachtwoord, Parola d’ordine, Senha, Palavra-passe, Hasło, PIN',
      'Password [Required], API key',
    ].flatMap((line) => line.split(', ')),
  )('a column “%s” is dropped', (title) => {
    expect(isSecretTitle(title)).toBe(true);
  });

  test.each(['Pinneberg', 'Name', 'Spinner', 'Passfoto', 'Secretary', 'E-Mail'])('a column “%s” is not', (title) => {
    expect(isSecretTitle(title)).toBe(false);
  });
});

const hrFiles = readFileSync('test/features/imports/hr-files.txt', 'utf8')
  .trimEnd()
  .split('\n\n# ')
  .slice(1)
  .map((text) => {
    const [name = '', ...lines] = text.split('\n');
    const marked = (mark: string) => lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));
    const content = lines.filter((line) => !/^(?:# |=> |says: |asks: |answer: )/.test(line));
    return {
      name,
      content: `${content.join('\n')}\n`,
      rows: marked('=> '),
      says: marked('says: '),
      question: marked('asks: ')[0],
      answers: Object.fromEntries(marked('answer: ').map((answer) => answer.split(' = ') as [string, string])),
    };
  });

test('the files are of many tools', () => expect(hrFiles.length).toBeGreaterThanOrEqual(60));

describe('a file of an HR tool', () => {
  test.each(hrFiles)('$name is read, and no password in it is kept', async (file) => {
    const first = await importing(file.content);
    const asked = askedBy(first.outcome);
    expect(asked?.question).toBe(file.question && `❓ ${file.question} What do the columns of *new-hires.csv* hold?`);
    const answers = asked && chosen(asked, file.answers);
    const { preview, table, plan, account } = answers
      ? await importing(file.content, { input: { columns: answers } })
      : first;
    const problems = new Map(
      [...(preview?.problems ?? []), ...(preview?.gone ?? [])].map(({ line, person, note }) => [
        person,
        `Line ${line}, ${person}: ${plainSentence(inEnglish(note))}`,
      ]),
    );
    expect(plan?.content.rows.map((row) => (row.kind === 'none' ? problems.get(row.name) : rowInWords(row)))).toEqual(
      file.rows,
    );
    const said = preview?.notices.map(plainSentence).join('\n') ?? '';
    for (const part of file.says) expect(said).toContain(part);
    expect(preview?.privileged.length).toBe(file.rows.filter((row) => row.includes('type=')).length);
    // No password of a file, and nothing that looks like one.
    expect(JSON.stringify([preview, table, plan, account.logged(), await account.record()])).not.toMatch(/canary/);
  });
});

function rowInWords(row: Extract<BatchRow, { kind: 'change' }>): string {
  const [{ input }, ...others] = row.changes;
  const [type = ''] = input['user_type'] ?? [];
  const groups = others.flatMap((change) => change.input['group'] ?? []);
  return [
    [input['first_name'], input['last_name'], input['user_name']].map((texts) => texts?.[0] ?? '').join('|'),
    ...(input['email_address'] ? [`e-mail=${input['email_address'].join()}`] : []),
    ...(type === 'respondent' ? [] : [`type=${type}`]),
    ...(groups.length > 0 ? [`groups=${groups.join()}`] : []),
  ].join(' ');
}
