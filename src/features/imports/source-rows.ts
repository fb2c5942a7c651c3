import { withoutAddedApostrophes } from '../../operations/table-file.ts';
import type { BatchPlan } from '../../domain/batch.ts';
import { amount, say, named } from '../../domain/said.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Profile } from '../../operations/services/people.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import { rowsAtMost, sourceName, type FileSource } from '../../operations/fields/file.ts';
import type { Mention } from '../../operations/typed-text.ts';
import { isFullAddress } from '../../domain/address.ts';
import {
  choosable,
  findColumns,
  isKnownTitle,
  looksLikePassword,
  type Choice,
  type Choices,
  type Columns,
} from './columns.ts';
import type { CsvRow, CsvTable } from './csv-table.ts';
import { isEncoding, type Letters } from './letters.ts';
import { meaningOf, type Column } from './titles.ts';
import type { SourceRow } from './plan-rows.ts';

/** People to import, from a file or from the platform. */
export interface ImportSource {
  header: readonly string[];
  rows: readonly SourceRow[];
  columns: Columns;
  /** As in `CsvTable`. */
  besides?: readonly CsvRow[];
  /** How the letters of a file were read that is not in Unicode. */
  letters?: Letters | undefined;
  sheets?: CsvTable['sheets'];
}

/**
 * Reads the file, or the profiles of the people in a channel or user group, as if they were a file.
 *
 * @param said what the person said of the file: `3=email_address`, `letters=windows-1250`, `sheet=2` for the second
 * @throws {InvalidInputError} for the field `file`
 */
export async function readTable(
  source: FileSource,
  context: OperationContext,
  said: readonly string[] = [],
): Promise<Table> {
  const table =
    source.kind === 'file' ? await readFile(source, context, said) : await readMembers(source.mention, context);
  if ('problem' in table) throw new InvalidInputError('file', table.problem);
  if (table.rows.length === 0)
    throw new InvalidInputError(
      'file',
      source.kind === 'file'
        ? say`The file has a first row with titles, and nothing below it.`
        : say`Nobody is in ${sourceName(source)}.`,
    );
  return table;
}

/** Finds the columns of a table, and its people. @param said as in `readTable` @throws {InvalidInputError} for the field `file` */
export function findPeople(table: Table, said: readonly string[]): ImportSource {
  const choices = choicesIn(said);
  const columns = findColumns(table, choices.size === 0 ? undefined : choices);
  if ('problem' in columns) throw new InvalidInputError('file', columns.problem);
  return {
    ...table,
    rows: table.rows.slice(isOfLabels(table.rows[0], columns) ? 1 : 0),
    columns,
  };
}

function choicesIn(said: readonly string[]): Choices {
  return new Map(
    said.flatMap((text): [number, Choice][] => {
      const [, place, choice = ''] = /^(\d+)=(\w+)$/.exec(text) ?? [];
      return place !== undefined && isChoice(choice) ? [[Number(place), choice]] : [];
    }),
  );
}

function isChoice(text: string): text is Choice {
  return text === 'none' || choosable.some((column) => column === text);
}

/** Whether a row names the columns once more, as the second row of SAP SuccessFactors does. */
function isOfLabels(row: SourceRow | undefined, { places }: Columns): boolean {
  const alike = [...places].filter(([column, place]) => {
    const label = meaningOf(row?.cells[place] ?? '');
    return label?.column === column || (label?.isPartOrWhole === true && /name/.test(column));
  });
  return alike.length > 1;
}

type Table = Omit<ImportSource, 'columns'>;
type TableOrProblem = Table | { problem: string };

async function readFile(
  file: Extract<FileSource, { kind: 'file' }>,
  { readFile: read }: OperationContext,
  said: readonly string[],
): Promise<TableOrProblem> {
  const content = await read(file);
  if ('problem' in content) return content;
  const { readTableFile } = await import('./csv-table.ts');
  const letters = said.map((text) => text.replace(/^letters=/, '')).find(isEncoding);
  const [sheet] = said.flatMap((text) => (text.startsWith('sheet=') ? [Number(text.slice('sheet='.length)) - 1] : []));
  const table = await readTableFile(content.content, isKnownTitle, { letters, sheet });
  return 'problem' in table ? table : withTitles(table);
}

/** A first row with an e-mail address is a person, and the file has no titles. */
function withTitles(table: Table): Table {
  const { header, rows } = table;
  if (!header.some(isFullAddress)) return table;
  return { ...table, header: header.map(() => ''), rows: [{ line: 1, cells: header }, ...rows] };
}

const memberColumns = ['First name', 'Last name', 'E-mail'];

async function readMembers(
  mention: Mention,
  { actor, membersOf, profilesOf, platform }: OperationContext,
): Promise<TableOrProblem> {
  const members = await membersOf(mention, actor.personId, { atMost: rowsAtMost });
  if ('problem' in members) return members;
  if (members.personIds.length > rowsAtMost)
    return {
      problem: say`More than ${amount(rowsAtMost)} people are in ${sourceName({ kind: 'members', mention })}.`,
    };
  const profiles = await profilesOf(members.personIds);
  // Bots are in every channel, and nobody wants them in the quiz account.
  const people = profiles.filter(({ outsider }) => outsider !== 'bot');
  return {
    header: memberColumns,
    rows: people.map((profile, at): SourceRow => {
      const leftOut = whyLeftOut(profile, platform.name);
      return {
        line: at + 2,
        cells: [profile.firstName, profile.lastName, leftOut === undefined ? (profile.emailAddress ?? '') : ''],
        leftOut,
      };
    }),
  };
}

function whyLeftOut({ outsider, emailAddress, firstName, lastName }: Profile, platform: string): string | undefined {
  const name = named(`${firstName} ${lastName}`.trim());
  if (outsider === 'guest') return say`${name} is a guest in ${platform}.`;
  if (outsider === 'stranger') return say`${name} is from another company.`;
  if (outsider === 'deactivated') return say`${name}’s ${platform} account is deactivated.`;
  return emailAddress === undefined ? say`${platform} has no confirmed e-mail address of ${name}.` : undefined;
}

/** Their cells can be of letters and digits in any order. */
const exemptColumns = ['user_name', 'groups', 'quizzes'] as const satisfies readonly Column[];

/**
 * The columns of the file that the bot stores and the result shows again. A
 * cell that looks like a password is left empty, unless it may be a user name or the name of a group or quiz.
 */
export function keptSource({
  header,
  rows,
  columns: { kept, isResult, places },
}: ImportSource): NonNullable<BatchPlan['source']> {
  const exempt = new Set(exemptColumns.map((column) => places.get(column)));
  const cellOf = (cells: readonly string[], place: number) => {
    const cell = isResult ? withoutAddedApostrophes(cells[place] ?? '') : (cells[place] ?? '');
    return !exempt.has(place) && looksLikePassword(cell.trim()) ? '' : cell;
  };
  return {
    header: kept.map((place) => header[place] ?? ''),
    cells: rows.map(({ cells }) => kept.map((place) => cellOf(cells, place))),
  };
}
