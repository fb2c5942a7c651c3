import { nameOfRow } from '../../domain/batch.ts';
import { amount, say } from '../../domain/said.ts';
import { named, namedList } from '../../domain/sentence.ts';
import type { Columns } from './columns.ts';
import type { PlannedRow } from './plan-rows.ts';
import { columnWords } from './titles.ts';

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
export function renameNotices(planned: readonly PlannedRow[]): string[] {
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
