import { say, clip, onOneLine, shortName } from '../../domain/said.ts';
import type { OperationContext } from '../../operations/context.ts';
import { InvalidInputError, type TextInput } from '../../operations/text-input.ts';
import { sourceName } from '../../operations/fields/file.ts';
import { groupKind } from '../../operations/fields/things.ts';
import { defineOperation, ofPreview } from '../../operations/operation.ts';
import { parseMention, tokenize } from '../../operations/typed-text.ts';
import type { UserType } from '../../quiz-api/records.ts';
import { userTypes } from '../../operations/wording/words.ts';
import {
  areMostlyNames,
  cellsOf,
  choosable,
  titleOf,
  type Columns,
  type Choice,
  looksLikePassword,
} from './columns.ts';
import { importPreview, inputOf, type EnteredImport } from './import-preview.ts';
import { planRows } from './plan-rows.ts';
import { findPeople, readTable, type ImportSource } from './source-rows.ts';
import { encodingNames, type Letters } from './letters.ts';
import { formStep, type OperationResult } from '../../operations/page.ts';
import type { ChoiceField } from '../../operations/fields/choice.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import { meaningOf } from './titles.ts';

/** Shows what an import would do. Nothing changes until the person starts it. */
export const importUsers = defineOperation({
  name: 'import-users',
  command: '/quiz-user import [from #channel]',
  synonyms: ['upload'],
  summary:
    'Create many users from an Excel or CSV file, a channel or a user group; you see everything before it starts',
  ...ofPreview,
  right: 'manage_users',
  parse: parseImport,
  fields: {
    file: {
      kind: 'file',
      label: 'Excel or CSV file',
      hint: 'As your HR tool exports it: a row with titles, then one person per row. Up to 5,000 rows and 5 MB.',
      extensions: ['xlsx', 'csv', 'tsv', 'txt'],
    },
    user_type: {
      kind: 'choice',
      label: 'Type of new users',
      hint: 'A column “User type” in the file overrides this. A job title never does.',
      options: userTypes,
      usual: 'respondent',
    },
    groups: {
      kind: 'groups',
      label: 'Groups for everyone',
      hint: 'A “Groups” column in the file can add more.',
      optional: true,
    },
    quizzes: {
      kind: 'quizzes',
      label: 'Quizzes for everyone',
      hint: 'A “Quizzes” column in the file can add more.',
      optional: true,
    },
    welcome: {
      kind: 'flags',
      label: 'Passwords',
      options: [
        {
          value: 'send',
          label: 'Send them in welcome e-mails',
          hint: 'Otherwise the bot offers each new user theirs in a direct message.',
        },
      ],
      optional: true,
    },
    existing: {
      kind: 'flags',
      label: 'Existing users',
      options: [{ value: 'update', label: 'Update what differs', hint: 'Otherwise they stay as they are.' }],
      optional: true,
    },
    columns: { kind: 'columns', label: 'Columns', optional: true, typedOnly: true },
  },
  async run(context, input) {
    refuseWithoutRights(context, input);
    const { columns: said = [] } = input;
    const table = await readTable(input.file, context, said);
    if (table.letters?.isSure === false) return askingForLetters(table.letters, input);
    if (table.sheets?.isSure === false) return askingForSheet(table.sheets, input);
    const source = findPeople(table, said);
    const { header, rows, columns } = source;
    if (said.includes('ask') || columns.question !== undefined) return askingForColumns(source, input);
    refuseColumnsWithoutRights(context, columns);
    const users = await context.directory.users.fresh(context.call);
    const planned = await planRows(
      rows,
      columns,
      header.length,
      {
        userType: input.user_type as UserType,
        groups: (input.groups ?? []).map(({ group_id, group_name }) => ({ id: group_id, name: group_name })),
        quizzes: (input.quizzes ?? []).map(({ quiz_id, name }) => ({ id: quiz_id, name })),
        updatesExisting: input.existing?.includes('update') ?? false,
        sendsWelcome: input.welcome?.includes('send') ?? false,
      },
      users,
      context,
    );
    return importPreview(context, input, source, planned);
  },
});

/** The page that asks what each column of a file holds. */
export function askingForColumns(source: ImportSource, input: EnteredImport): OperationResult {
  const question = source.columns.question ?? say`Say what each column holds.`;
  return asking(
    say`❓ ${question} What do the columns of *${nameOf(input)}* hold?`,
    {
      ...(source.letters && lettersField(source.letters)),
      ...(source.sheets && sheetField(source.sheets)),
      ...columnFields(source),
    },
    input,
  );
}

/** The page that asks how the letters of a file are written, before anything else. */
export function askingForLetters(letters: Letters, input: EnteredImport): OperationResult {
  return asking(
    say`❓ *${nameOf(input)}* isn’t in UTF-8, and its names can be read in several ways. Which is right?`,
    lettersField(letters),
    input,
  );
}

/** The page that asks which sheet of a workbook has the people. */
function askingForSheet(sheets: NonNullable<ImportSource['sheets']>, input: EnteredImport): OperationResult {
  return asking(say`❓ *${nameOf(input)}* has several sheets. Which has the people?`, sheetField(sheets), input);
}

function asking(heading: string, fields: Fields, input: EnteredImport): OperationResult {
  const entered = inputOf({ ...input, columns: undefined });
  const columns = ['ask', ...(input.columns ?? []).filter((text) => text !== 'ask')];
  const opens = formStep(say`Open the form…`, { name: 'import-users' }, { ...entered, columns });
  return {
    kind: 'page',
    heading,
    steps: [{ ...opens, style: 'primary' }],
    ask: { fields, entered, submit: say`Preview` },
  };
}

const sourceLength = 80;

function nameOf({ file }: EnteredImport): string {
  return shortName(sourceName(file), sourceLength);
}

function lettersField({ encoding, readings }: Letters): Record<string, ChoiceField> {
  const options = readings.map((reading) => ({
    value: `letters=${reading.encoding}`,
    label: say`${shortName(reading.words.join(', '), sampleLength)} (${encodingNames[reading.encoding]})`,
  }));
  const usual = options.find(({ value }) => value === `letters=${encoding}`) ?? options[0];
  const hint = say`Choose the line in which the names are right. If there’s none, save the list as CSV UTF-8.`;
  return {
    'columns letters': { kind: 'choice', label: say`Letters`, hint, options, ...(usual && { usual: usual.value }) },
  };
}

function sheetField({ names, at }: NonNullable<ImportSource['sheets']>): Record<string, ChoiceField> {
  const options = names.map((name, place) => ({ value: `sheet=${place + 1}`, label: shortName(name, sampleLength) }));
  return { 'columns sheet': { kind: 'choice', label: say`Sheet`, options, usual: `sheet=${at + 1}` } };
}

/** Reads `from #new-hires`; nothing at all opens the form. @throws {InvalidInputError} */
function parseImport(line: string): readonly [TextInput] {
  const tokens = tokenize(line).filter(({ kind, text }) => !(kind === 'word' && text.toLowerCase() === 'from'));
  const [source, ...more] = tokens;
  if (source === undefined) return [{}];
  const mention = parseMention(source.text);
  if (more.length > 0 || mention === undefined || mention.kind === 'person') {
    throw new InvalidInputError(
      'file',
      say`Type \`/quiz-user import\` to choose a file, or name a channel or user group: \`/quiz-user import from #new-hires\``,
    );
  }
  return [{ file: [source.text], user_type: ['respondent'] }];
}

function refuseWithoutRights(
  { rights }: OperationContext,
  { groups = [], quizzes = [] }: Pick<EnteredImport, 'groups' | 'quizzes'>,
): void {
  if (groups.length > 0 && !rights.has('manage_groups')) throw new InvalidInputError('groups', noGroups);
  if (quizzes.length > 0 && !rights.has('edit_quizzes')) throw new InvalidInputError('quizzes', noQuizzes);
}

/** A column is refused as a whole: otherwise every row would say the same. */
function refuseColumnsWithoutRights({ rights }: OperationContext, { places }: Columns): void {
  if (places.has('groups') && !groupKind.canName(rights, { kind: 'group', label: '' }))
    throw new InvalidInputError('file', `${noGroups} ${say`Leave out the column with groups.`}`);
  if (places.has('quizzes') && !rights.has('edit_quizzes'))
    throw new InvalidInputError('file', `${noQuizzes} ${say`Leave out the column with quizzes.`}`);
}

const noGroups = say`You can’t manage groups, so you can’t add people to them.`;
const noQuizzes = say`You can’t edit quizzes, so you can’t assign them.`;

/** A form has no more inputs. The columns that the bot takes for something come first. */
const columnsAtMost = 40;
const samplesAtMost = 3;
const sampleLength = 40;
const titleLength = 100;
const nameColumns = ['first_name', 'last_name', 'name', 'name_last_first'] as const;

const labels: Readonly<Record<Choice, string>> = {
  none: say`Not needed`,
  email_address: say`E-mail address`,
  first_name: say`First name`,
  last_name: say`Last name`,
  second_last_name: say`Second last name`,
  name: say`Whole name (first name first)`,
  name_last_first: say`Whole name (last name first)`,
  user_name: say`User name`,
  groups: say`Groups`,
  quizzes: say`Quizzes`,
};

/**
 * A field for each column that a person can say something about: not those with passwords, types and rights, nor those without
 * a single cell. In the order of the file.
 */
function columnFields(source: ImportSource): Fields {
  const { header, columns } = source;
  const holds = new Map([...columns.places].map(([column, place]) => [place, column]));
  const ofAbsences = new Set(columns.absences.map(({ place }) => place));
  const asked = columns.readable.flatMap((place) => {
    const known = choosable.find((column) => column === holds.get(place));
    const samples = samplesOf(cellsOf(source, place));
    const isFixed =
      known === undefined && (holds.has(place) || ofAbsences.has(place) || isOfRights(header[place] ?? ''));
    return isFixed || samples.length === 0
      ? []
      : [{ place, samples, guess: known ?? guessByCells(cellsOf(source, place), columns.places) }];
  });
  const isUnknown = ({ guess }: (typeof asked)[number]) => (guess === 'none' ? 1 : 0);
  const shown = asked
    .toSorted((a, b) => isUnknown(a) - isUnknown(b) || a.place - b.place)
    .slice(0, columnsAtMost)
    .toSorted((a, b) => a.place - b.place);
  return Object.fromEntries(
    shown.map(({ place, samples, guess }): [string, ChoiceField] => [
      `columns ${place}`,
      {
        kind: 'choice',
        label: say`${shortName(titleOf(header, place), titleLength)}`,
        hint: say`Such as ${samples.join(' · ')}`,
        options: (['none', ...choosable] as const).map((one) => ({ value: `${place}=${one}`, label: labels[one] })),
        usual: `${place}=${guess}`,
      },
    ]),
  );
}

function samplesOf(cells: readonly string[]): string[] {
  const different = [...new Set(cells.filter((cell) => cell !== '' && !looksLikePassword(cell)))];
  return different.slice(0, samplesAtMost).map((cell) => clip(onOneLine(cell).trim(), sampleLength));
}

function isOfRights(title: string): boolean {
  const column = meaningOf(title)?.column;
  return column !== undefined && !choosable.some((one) => one === column);
}

/** By most of the cells: addresses, and whole names where no column has a name. */
function guessByCells(cells: readonly string[], places: ImportSource['columns']['places']): Choice {
  const filled = cells.filter((cell) => cell !== '');
  const areMostly = (pattern: RegExp) => filled.filter((cell) => pattern.test(cell)).length > filled.length / 2;
  if (!places.has('email_address') && areMostly(/^\S+@\S+\.\S+$/)) return 'email_address';
  const hasName = nameColumns.some((column) => places.has(column));
  return !hasName && areMostly(/^\p{L}[^\d@]*[ ,]+\p{Lu}[^\d@]*$/u) && areMostlyNames(cells) ? 'name' : 'none';
}
