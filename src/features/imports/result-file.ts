import { asSaid, say } from '../../domain/said.ts';
import type { BatchPlan, BatchRow, RowOutcome } from '../../domain/batch.ts';
import { withoutAddedApostrophes } from '../../operations/table-file.ts';
import type { FileTable } from '../../operations/services/files.ts';
import { readAsColumn, resultColumns, looksLikePassword } from './columns.ts';
import type { Column } from './titles.ts';
import type { ImportSource } from './source-rows.ts';

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

/**
 * The rows of an import as a table like the one they came from, with what became of each. It can be corrected and imported
 * again as it is.
 *
 * @param outcomes in the order of the rows, in the bot’s words
 */
export function importResult(
  { header, cells }: NonNullable<BatchPlan['source']>,
  outcomes: readonly { outcome: string; userId: string; error: string; readAs?: string | undefined }[],
): FileTable {
  const showsNames = outcomes.some(({ readAs }) => readAs !== undefined);
  const titles = [...header, ...resultColumns, ...(showsNames ? [readAsColumn] : [])];
  return {
    columns: titles.map((title) => ({ title, kind: 'text' })),
    parts: [
      cells.map((row, at) => {
        const { outcome = '', userId = '', error = '', readAs = '' } = outcomes[at] ?? {};
        return [
          ...header.map((_, place) => row[place] ?? ''),
          outcome,
          userId,
          asSaid(error),
          ...(showsNames ? [readAs] : []),
        ];
      }),
    ],
  };
}

/** What became of a row of an import, for `resultFile`. */
export function rowResult(
  row: BatchRow,
  { kind, userId = '', isWithoutPassword, error = isWithoutPassword ? withoutPassword : '' }: RowOutcome,
): { outcome: string; userId: string; error: string } {
  const known = row.kind === 'change' ? row.userId : undefined;
  return {
    outcome: kind === 'done' ? (known === undefined ? say`created` : say`updated`) : outcomeWords[kind],
    userId: userId || (known ?? ''),
    error,
  };
}

const withoutPassword = say`The bot couldn’t message them, so they have no password yet. /quiz-user reset-password sets one.`;

export const outcomeWords = {
  waiting: say`not begun`,
  trying: say`not confirmed`,
  done: say`done`,
  same: say`unchanged`,
  failed: say`failed`,
  skipped: say`left out`,
} satisfies Record<RowOutcome['kind'], string>;
