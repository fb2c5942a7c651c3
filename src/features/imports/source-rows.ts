import { named } from '../../domain/sentence.ts';
import type { OperationContext, Profile } from '../../operations/context.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { sourceName, type FileSource } from '../../operations/fields/file.ts';
import type { Mention } from '../../operations/typed-text.ts';
import { findColumns, isKnownTitle, type Columns } from './columns.ts';
import { readCsvTable, rowsAtMost } from './csv-table.ts';
import type { SourceRow } from './plan-rows.ts';

/** People to import, from a file or from the platform. */
export interface ImportSource {
  header: readonly string[];
  rows: readonly SourceRow[];
  columns: Columns;
}

/**
 * Reads the file, or the profiles of the people in a channel or user group, as if they were a file.
 *
 * @throws {InvalidInputError} for the field `file`
 */
export async function readSource(
  source: FileSource,
  context: OperationContext<'membersOf' | 'profilesOf' | 'readFile'>,
): Promise<ImportSource> {
  const table = source.kind === 'file' ? await readFile(source, context) : await readMembers(source.mention, context);
  if ('problem' in table) throw new InvalidInputError('file', table.problem);
  if (table.rows.length === 0)
    throw new InvalidInputError(
      'file',
      source.kind === 'file'
        ? 'The file has a first row with titles, and nothing below it.'
        : `Nobody is in ${sourceName(source)}.`,
    );
  const columns = findColumns(table);
  if ('problem' in columns) throw new InvalidInputError('file', columns.problem);
  return { ...table, columns };
}

type Table = Pick<ImportSource, 'header' | 'rows'> | { problem: string };

async function readFile(
  file: Extract<FileSource, { kind: 'file' }>,
  { readFile: read }: OperationContext<'readFile'>,
): Promise<Table> {
  const content = await read(file);
  return 'problem' in content ? content : readCsvTable(content.content, isKnownTitle);
}

const memberColumns = ['First name', 'Last name', 'E-mail'];

async function readMembers(
  mention: Mention,
  { actor, membersOf, profilesOf, platform }: OperationContext<'membersOf' | 'profilesOf'>,
): Promise<Table> {
  const members = await membersOf(mention, actor.personId, { atMost: rowsAtMost });
  if ('problem' in members) return members;
  if (members.personIds.length > rowsAtMost)
    return {
      problem: `More than ${rowsAtMost.toLocaleString('en')} people are in ${sourceName({ kind: 'members', mention })}.`,
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
        ...(leftOut !== undefined && { leftOut }),
      };
    }),
  };
}

function whyLeftOut({ outsider, emailAddress, firstName, lastName }: Profile, platform: string): string | undefined {
  const name = named(`${firstName} ${lastName}`.trim());
  if (outsider === 'guest') return `${name} is a guest in ${platform}.`;
  if (outsider === 'stranger') return `${name} is from another company.`;
  if (outsider === 'deactivated') return `${name}’s ${platform} account is deactivated.`;
  return emailAddress === undefined ? `${platform} has no confirmed e-mail address of ${name}.` : undefined;
}
