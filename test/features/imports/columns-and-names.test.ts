import { addressId } from '../../../src/domain/erasure.ts';
import { describe, expect, test } from 'vitest';
import { plainSentence } from '../../../src/domain/said.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { teamId } from '../../support/house.ts';
import { ada, askedBy, importing, operation } from './importing.ts';
import { splitName, tidyParts } from '../../../src/features/imports/read-person.ts';
import fc from 'fast-check';

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
