import { countOf, say, amount, shortName, named, phraseList, namedList } from '../../domain/said.ts';
import {
  idOfRow,
  nameOfRow,
  type BatchPlan,
  type BatchRow,
  type ImportedRowKind,
  type ImportSummary,
} from '../../domain/batch.ts';
import type { OperationContext } from '../../operations/context.ts';
import { fileKind, sourceName, type FileSource } from '../../operations/fields/file.ts';
import { groupsKind, quizzesKind } from '../../operations/fields/things.ts';
import type { OperationResult } from '../../operations/page.ts';
import { outgoingTable } from '../../operations/table-file.ts';
import type { FileTable } from '../../operations/services/files.ts';
import { judgedPlan, previewOf } from '../../operations/define-plan.ts';
import { given, type TextInput } from '../../operations/text-input.ts';
import type { Quiz, Group } from '../../quiz-api/records.ts';
import { createUser } from '../users/create-user.ts';
import type { PlannedRow } from './plan-rows.ts';
import { importResult } from './user-rows.ts';
import { keptSource, type ImportSource } from './source-rows.ts';
import type { Columns } from './columns.ts';
import { encodingNames, type Letters } from './letters.ts';
import { columnWords } from './titles.ts';

/** What a person entered in the form of an import. */
export interface EnteredImport {
  file: FileSource;
  user_type: string;
  groups: Group[] | undefined;
  quizzes: Quiz[] | undefined;
  welcome: string[] | undefined;
  existing: string[] | undefined;
  columns: string[] | undefined;
}

const problemsKept = 20;
const namesShown = 3;
/** Of so few rows, the preview says everything, and there is no file. */
const fewRows = 10;

/** Shows what an import would do, stores it for its maker to start, and sends them every row as a file. */
export async function importPreview(
  context: OperationContext,
  input: EnteredImport,
  source: ImportSource,
  asRead: readonly PlannedRow[],
): Promise<OperationResult> {
  const kept = keptSource(source);
  const privileged = asRead.filter(({ makesStaff }) => makesStaff).map(({ row }) => nameOfRow(row));
  const lacksNames = lackOfNames(asRead);
  const judgedRows = await judgedPlan(context, {
    operation: importUsers,
    ...importWords(asRead, sourceName(input.file)),
    rows: asRead.map(({ row }) => row),
    privileged,
    source: kept,
  });
  const planned = asRead.map((row, at) => judged(row, judgedRows.rows[at]!));
  const isShort = planned.length <= fewRows;
  const isSent = isShort || (await sendRows(context, input.file, importResult(kept, planned.map(previewOfRow))));
  const problems = planned.filter(({ kind }) => problemKinds.has(kind));
  const gone = planned.filter(({ kind }) => kind === 'gone').toSorted((a, b) => toSuspend(b) - toSuspend(a));
  const imported: ImportSummary = {
    source: sourceName(input.file),
    hasLines: input.file.kind === 'file',
    counts: countsOf(planned),
    problems: problems.map(toldRow),
    gone: gone.length > 0 ? gone.map((row) => ({ ...toldRow(row), suspend: row.suspend })) : undefined,
    privileged,
    notices: [
      ...renameNotices(planned),
      ...sharingNotices(planned, context.platform.name),
      ...(source.letters
        ? [
            say`The file isn’t in UTF-8, and the bot reads its letters as ${encodingNames[source.letters.encoding]}. If a name is wrong, press *Columns…* and choose how they are read.`,
          ]
        : []),
      ...sheetNotices(source.sheets),
      ...besidesNotices(source.besides),
      ...columnNotices(source.columns),
      ...(planned.some(({ row }) => isMailed(row)) ? [mailedNotice] : []),
      ...(isSent ? [] : [say`The bot couldn’t send you the file with every row.`]),
    ],
    lacksNames,
    names: namesOf(planned, source.letters),
    people: isShort ? planned.flatMap(unproblematic) : undefined,
    withoutMail: planned.filter(({ row }) => lacksMail(row)).length,
  };
  const rows = lacksNames ? judgedRows.rows.map(withoutChange) : judgedRows.rows;
  const stored = {
    ...imported,
    problems: imported.problems.slice(0, problemsKept),
    problemCount: problems.length,
    gone: imported.gone?.slice(0, problemsKept),
  };
  const entered = { operation: importUsers, input: inputOf(input) };
  return previewOf(context, { ...judgedRows, rows, imported: stored }, entered);
}

/** The name of the operation, which imports this file. */
const importUsers = 'import-users';

async function sendRows(context: OperationContext, file: FileSource, table: FileTable): Promise<boolean> {
  const name = file.kind === 'file' ? file.name.replace(/\.\w{1,5}$/, '') : sourceName(file).slice(1);
  return context
    .sendFile({
      name: say`${name} (preview)`,
      comment: say`What your import would do, row by row. Nothing has changed yet.`,
      content: outgoingTable(context, table),
    })
    .then(() => true)
    .catch(() => false);
}

/** Where most of the new users would have no name: nobody wants that, so a column is missing. */
function lackOfNames(planned: readonly PlannedRow[]): ImportSummary['lacksNames'] {
  const created = planned.filter(({ kind }) => kind === 'create');
  const count = created.filter(({ person }) => person === undefined).length;
  return count > created.length / 2 ? { count, total: created.length } : undefined;
}

function unproblematic({ kind, row }: PlannedRow): NonNullable<ImportSummary['people']> {
  return kind !== 'gone' && !problemKinds.has(kind) ? [{ ...ofRow(row), kind, person: nameOfRow(row) }] : [];
}

/** Those first who can sign in. */
function toSuspend({ suspend }: PlannedRow): number {
  return suspend === undefined ? 0 : 1;
}

function toldRow({ line, row, person, note }: PlannedRow): ImportSummary['problems'][number] {
  return { line, ...ofRow(row), person, note };
}

/** Whose row it is. */
function ofRow(row: BatchRow): { of?: string } {
  const of = idOfRow(row);
  return of === undefined ? {} : { of };
}

/** A row that cannot be started, whoever names its plan. */
function withoutChange(row: BatchRow): BatchRow {
  return row.kind === 'none'
    ? row
    : { kind: 'none', name: row.name, outcome: { kind: 'skipped', error: say`Most rows have no name.` } };
}

/** Those first with letters that could be read in another way, then those of which the bot left something out or turned something round. */
function namesOf(planned: readonly PlannedRow[], letters: Letters | undefined): NonNullable<ImportSummary['names']> {
  const isOfLetters = (text: string) => letters !== undefined && /[^\0-\x7F]/.test(text);
  const read = planned.flatMap(({ row, readAs }) => {
    if (readAs === undefined) return [];
    const { first, last } = readAs;
    const written = readAs.written ?? (isOfLetters(first + last) ? `${first} ${last}`.trim() : undefined);
    return written === undefined ? [] : [{ ...ofRow(row), first, last, written }];
  });
  const rank = ({ written, first, last }: (typeof read)[number]) =>
    isOfLetters(written) ? 0 : written !== `${first} ${last}` ? 1 : written.split(' ').length > 2 ? 2 : 3;
  return read.toSorted((a, b) => rank(a) - rank(b)).slice(0, namesShown);
}

function sharingNotices(planned: readonly PlannedRow[], platform: string): string[] {
  const count = planned.filter(({ shares }) => shares).length;
  if (count === 0) return [];
  return [
    say`${countOf(count, 'new user', 'new users')} would share an e-mail address with someone. In ${platform}, an address is its oldest user’s; the others take their quizzes with their user names.`,
  ];
}

function sheetNotices(sheets: ImportSource['sheets']): string[] {
  if (sheets === undefined) return [];
  const { names, at } = sheets;
  return [say`The bot reads the sheet ${named(names[at] ?? '')}. To read another one, press *Columns…*`];
}

const besidesShown = 3;

/** The rows that the bot takes for no people, by their line and first cell. */
function besidesNotices(rows: ImportSource['besides'] = []): string[] {
  const shown = rows.slice(0, besidesShown).map(({ line, cells }) => {
    const first = cells.find((cell) => cell.trim() !== '') ?? '';
    return say`Line ${line}, which begins with “${shortName(first, 40)}”, isn’t a person, so the bot ignores it.`;
  });
  const left = rows.length - shown.length;
  return [...shown, ...(left > 0 ? [say`The bot ignores ${amount(left)} more lines that aren’t people.`] : [])];
}

const mailedNotice = say`The quiz service e-mails the new users their passwords as it creates them.`;

function isMailed(row: BatchRow): boolean {
  return row.kind === 'change' && (row.changes[0].input['welcome']?.includes('send') ?? false);
}

/** Whether the row creates a user with an e-mail address to whom the service mails no password. */
function lacksMail(row: BatchRow): boolean {
  if (row.kind === 'none') return false;
  const [{ operation, input }] = row.changes;
  if (operation !== createUser.name || isMailed(row)) return false;
  return [...(input['user_name'] ?? []), ...(input['email_address'] ?? [])].some((address) => address.includes('@'));
}

/** The row as it was judged: what the person may not do is left out. */
function judged(planned: PlannedRow, row: BatchRow): PlannedRow {
  if (planned.row.kind === 'none' || row.kind === 'change') return { ...planned, row };
  const { line, person, readAs } = planned;
  return {
    line,
    kind: 'invalid',
    note: row.outcome.error ?? '',
    row,
    person,
    readAs,
  };
}

/** “create 38 users and update 2 users from ⁨new-hires.csv⁩”, and that it is done. */
function importWords(rows: readonly PlannedRow[], source: string): Pick<BatchPlan, 'action' | 'done'> {
  const countOfKind = (kind: ImportedRowKind) => rows.filter((row) => row.kind === kind).length;
  const [created, updated] = [countOfKind('create'), countOfKind('update')];
  const [toCreate, toUpdate] = [countOf(created, 'user', 'users'), countOf(updated, 'user', 'users')];
  const from = named(source);
  const parts = [...(created > 0 ? [say`create ${toCreate}`] : []), ...(updated > 0 ? [say`update ${toUpdate}`] : [])];
  return {
    action: say`${phraseList(parts)} from ${from}`,
    done:
      updated === 0
        ? say`created ${toCreate} from ${from}`
        : created === 0
          ? say`updated ${toUpdate} from ${from}`
          : say`created ${toCreate} and updated ${toUpdate} from ${from}`,
  };
}

const problemKinds: ReadonlySet<ImportedRowKind> = new Set([
  'conflict',
  'no address',
  'invalid',
  'repeated',
  'outsider',
]);

function previewOfRow({ kind, note, row, readAs }: PlannedRow): Parameters<typeof importResult>[1][number] {
  const { userId = '' } = row.kind === 'none' ? row.outcome : row;
  const [first, last] = [readAs?.first, readAs?.last].map((part = '') => (part === '' ? '–' : part));
  const name = readAs?.written && say`first name: ${first ?? ''}, last name: ${last ?? ''}`;
  return { outcome: previewWords[kind], userId, error: note, readAs: name };
}

const previewWords: Record<ImportedRowKind, string> = {
  create: say`would be created`,
  update: say`would be updated`,
  same: say`unchanged`,
  differs: say`left as it is`,
  conflict: say`conflict`,
  repeated: say`repeated`,
  outsider: say`left out`,
  gone: say`left out`,
  'no address': say`no address`,
  invalid: say`invalid`,
};

function countsOf(planned: readonly PlannedRow[]): Partial<Record<ImportedRowKind, number>> {
  const counts: Partial<Record<ImportedRowKind, number>> = {};
  for (const { kind } of planned) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** What was entered, for the form that changes it. */
export function inputOf({
  file,
  user_type,
  groups = [],
  quizzes = [],
  welcome = [],
  existing = [],
  columns = [],
}: EnteredImport): TextInput {
  return given({
    file: fileKind.identify(file),
    user_type,
    groups: groupsKind.identify(groups),
    quizzes: quizzesKind.identify(quizzes),
    welcome,
    existing,
    columns,
  });
}

const renamesAtMost = 5;

/** What became of the columns that the import does not use, a sentence each. */
export function columnNotices({
  unknown,
  jobs,
  withoutTypes,
  unused,
  secret,
}: Pick<Columns, 'unknown' | 'jobs' | 'withoutTypes' | 'unused' | 'secret'>): string[] {
  const columns = (titles: readonly string[]) =>
    titles.length === 1 ? say`the column ${namedList(titles)}` : say`the columns ${namedList(titles, 5)}`;
  return [
    ...(jobs.length > 0
      ? [
          say`The bot takes ${columns(jobs)} for job titles and ignores ${jobs.length === 1 ? 'it' : 'them'}: a job title makes nobody a trainer. A column “User type” does.`,
        ]
      : []),
    ...withoutTypes.map(
      (title) => say`The column ${named(title)} names no type or right of this quiz account, so the bot ignores it.`,
    ),
    ...unused.map(
      ({ title, holds, instead }) =>
        say`The bot takes ${columnWords[holds]} from ${named(instead)}, so it ignores ${named(title)}.`,
    ),
    ...(unknown.length > 0
      ? [say`The bot doesn’t know ${columns(unknown)} and ignores ${unknown.length === 1 ? 'it' : 'them'}.`]
      : []),
    ...(secret.length > 0
      ? [say`The bot dropped ${columns(secret)}: it generates passwords itself, and stores none.`]
      : []),
  ];
}

/** Users who would have another first and last name. It is the same person who married, or an address that was given away. */
function renameNotices(planned: readonly PlannedRow[]): string[] {
  const renamed = planned.flatMap(({ line, kind, row, renames }) =>
    renames ? [{ line, kind, of: (name: string) => nameOfRow({ ...row, name }), ...renames }] : [],
  );
  const left = renamed.length - renamesAtMost;
  return [
    ...renamed
      .slice(0, renamesAtMost)
      .map(({ line, kind, of, from, to }) =>
        kind === 'update'
          ? say`Line ${line}: ${named(of(from))} would become ${named(of(to))}, and keeps their results.`
          : say`Line ${line}: ${named(of(from))} is ${named(of(to))} in the file.`,
      ),
    ...(left > 0 ? [say`${amount(left)} more users have another name in the file.`] : []),
  ];
}
