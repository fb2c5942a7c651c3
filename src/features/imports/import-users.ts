import type { BatchRow } from '../../domain/batch.ts';
import { named, namedList, phraseList } from '../../domain/sentence.ts';
import type { OperationContext } from '../../operations/context.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { judgedPlan } from '../../operations/planned-rows.ts';
import { previewOf } from '../../operations/plans/preview.ts';
import { fileKind, sourceName, type FileSource } from '../../operations/fields/file.ts';
import { groupKind } from '../../operations/fields/group.ts';
import { groupsKind, quizzesKind } from '../../operations/fields/several.ts';
import type { Group, UserType } from '../../quiz-api/users.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { ImportedRowKind, OperationResult } from '../../operations/operation-result.ts';
import { parseMention, tokenize } from '../../operations/typed-text.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { userTypes } from '../users/user-options.ts';
import type { Columns } from './columns.ts';
import { planRows, type PlannedRow } from './plan-rows.ts';
import { keptSource, resultFile } from './result-file.ts';
import { readSource, type ImportSource } from './source-rows.ts';

/** Shows what an import would do. Nothing changes until the person starts it. */
export const importUsers = defineOperation({
  name: 'import-users',
  command: '/quiz-user import [from #channel]',
  summary: 'Create many users from a CSV file, a channel or a user group; you see everything before it starts',
  access: 'read',
  right: 'manage_users',
  submit: 'Preview',
  parse: parseImport,
  uses: ['judge', 'membersOf', 'plans', 'profilesOf', 'readFile', 'sendFile'],
  fields: {
    file: {
      kind: 'file',
      label: 'CSV file',
      hint: 'A row with titles, then one person per row: first name, last name, e-mail. Up to 5,000 rows and 5 MB.',
      extensions: ['csv', 'tsv', 'txt'],
    },
    user_type: {
      kind: 'choice',
      label: 'Type of new users',
      hint: 'A “Type” column in the file overrides this.',
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
  },
  async run(context, input) {
    refuseWithoutRights(context, input);
    const source = await readSource(input.file, context);
    const { header, rows, columns } = source;
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
    return preview(context, input, source, planned);
  },
});

interface Given {
  file: FileSource;
  user_type: string;
  groups: Group[] | undefined;
  quizzes: Quiz[] | undefined;
  welcome: string[] | undefined;
  existing: string[] | undefined;
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
      'Type `/quiz-user import` to choose a CSV file, or name a channel or user group: `/quiz-user import from #new-hires`',
    );
  }
  return [{ file: [source.text], user_type: ['respondent'] }];
}

function refuseWithoutRights({ rights }: OperationContext, { groups = [], quizzes = [] }: Given): void {
  if (groups.length > 0 && !rights.has('manage_groups')) throw new InvalidInputError('groups', noGroups);
  if (quizzes.length > 0 && !rights.has('edit_quizzes')) throw new InvalidInputError('quizzes', noQuizzes);
}

/** A column is refused as a whole: otherwise every row would say the same. */
function refuseColumnsWithoutRights({ rights }: OperationContext, { places }: Columns): void {
  if (places.has('groups') && !groupKind.canName(rights, { kind: 'group', label: '' }))
    throw new InvalidInputError('file', `${noGroups} Leave out the column with groups.`);
  if (places.has('quizzes') && !rights.has('edit_quizzes'))
    throw new InvalidInputError('file', `${noQuizzes} Leave out the column with quizzes.`);
}

const noGroups = 'You can’t manage groups, so you can’t add people to them.';
const noQuizzes = 'You can’t edit quizzes, so you can’t assign them.';

async function preview(
  context: OperationContext<'judge' | 'plans' | 'sendFile'>,
  input: Given,
  source: ImportSource,
  asRead: readonly PlannedRow[],
): Promise<OperationResult> {
  const kept = keptSource(source);
  const privileged = asRead.filter(({ makesStaff }) => makesStaff).map(({ row }) => row.name);
  const plan = await judgedPlan(context, {
    operation: importUsers.name,
    action: importAction(asRead, sourceName(input.file)),
    rows: asRead.map(({ row }) => row),
    privileged,
    source: kept,
  });
  const planned = asRead.map((row, at) => judged(row, plan.rows[at]!));
  const name = input.file.kind === 'file' ? input.file.name.replace(/\.\w{1,5}$/, '') : sourceName(input.file).slice(1);
  const isSent = await context
    .sendFile({
      name: `${name} (preview).csv`,
      comment: 'What your import would do, row by row. Nothing has changed yet.',
      content: resultFile(kept, planned.map(previewOfRow)),
    })
    .then(() => true)
    .catch(() => false);
  const entered = { operation: importUsers.name, input: inputOf(input) };
  return previewOf(context, plan, entered, {
    imported: {
      source: sourceName(input.file),
      hasLines: input.file.kind === 'file',
      counts: countsOf(planned),
      problems: planned.filter(({ kind }) => problemKinds.has(kind)).map(({ line, note }) => ({ line, note })),
      privileged,
      notices: [
        ...noticesOf(source.columns),
        ...(isSent ? [] : ['The bot couldn’t send you the file with every row.']),
      ],
    },
  });
}

/** The row as it was judged: what the person may not do is left out. */
function judged(planned: PlannedRow, row: BatchRow): PlannedRow {
  if (planned.row.kind === 'none' || row.kind === 'change') return { ...planned, row };
  return { line: planned.line, kind: 'invalid', note: row.outcome.error ?? '', row };
}

/** “create 38 users and update 2 users from ⁨new-hires.csv⁩” */
function importAction(rows: readonly PlannedRow[], source: string): string {
  const parts = (['create', 'update'] as const).flatMap((kind) => {
    const count = rows.filter((row) => row.kind === kind).length;
    return count === 0 ? [] : [`${kind} ${count === 1 ? '1 user' : `${count.toLocaleString('en')} users`}`];
  });
  return `${phraseList(parts)} from ${named(source)}`;
}

const problemKinds: ReadonlySet<ImportedRowKind> = new Set([
  'conflict',
  'no address',
  'invalid',
  'repeated',
  'outsider',
]);

function previewOfRow({ kind, note, row }: PlannedRow): { outcome: string; userId: string; error: string } {
  const { userId = '' } = row.kind === 'none' ? row.outcome : row;
  return { outcome: previewWords[kind], userId, error: note };
}

const previewWords: Record<ImportedRowKind, string> = {
  create: 'would be created',
  update: 'would be updated',
  same: 'unchanged',
  differs: 'left as it is',
  conflict: 'conflict',
  repeated: 'repeated',
  outsider: 'left out',
  'no address': 'no address',
  invalid: 'invalid',
};

function countsOf(planned: readonly PlannedRow[]): Partial<Record<ImportedRowKind, number>> {
  const counts: Partial<Record<ImportedRowKind, number>> = {};
  for (const { kind } of planned) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function noticesOf({ unknown, secret }: Columns): string[] {
  const columns = (titles: readonly string[]) =>
    `${titles.length === 1 ? 'the column' : 'the columns'} ${namedList(titles, 5)}`;
  return [
    ...(unknown.length > 0
      ? [`The bot doesn’t know ${columns(unknown)} and ignores ${unknown.length === 1 ? 'it' : 'them'}.`]
      : []),
    ...(secret.length > 0
      ? [`The bot dropped ${columns(secret)}: it generates passwords itself, and stores none.`]
      : []),
  ];
}

/** What was entered, for the form that changes it. */
function inputOf({ file, user_type, groups = [], quizzes = [], welcome = [], existing = [] }: Given): TextInput {
  return {
    file: fileKind.identify(file),
    user_type: [user_type],
    ...(groups.length > 0 && { groups: groupsKind.identify(groups) }),
    ...(quizzes.length > 0 && { quizzes: quizzesKind.identify(quizzes) }),
    ...(welcome.length > 0 && { welcome }),
    ...(existing.length > 0 && { existing }),
  };
}
