import { say } from '../../domain/said.ts';
import { clip, onOneLine } from '../../domain/short-name.ts';
import type { AskedColumn } from '../../operations/operation-result.ts';
import { areMostlyNames, cellsOf, choosable, titleOf, type Choice } from './columns.ts';
import { looksLikePassword } from './secret-values.ts';
import type { ImportSource } from './source-rows.ts';
import { meaningOf } from './titles.ts';

/** A form has no more inputs. The columns that the bot takes for something come first. */
const columnsAtMost = 40;
const samplesAtMost = 3;
const sampleLength = 40;
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

const options: AskedColumn['options'] = (['none', ...choosable] as const).map((value) => ({
  value,
  label: labels[value],
}));

/**
 * The columns that a person can say something about: not those with passwords, types and rights, nor those without a single
 * cell. In the order of the file.
 */
export function askedColumns(source: ImportSource): AskedColumn[] {
  const { header, columns } = source;
  const holds = new Map([...columns.places].map(([column, place]) => [place, column]));
  const asked = columns.readable.flatMap((place): AskedColumn[] => {
    const guess = choosable.find((column) => column === holds.get(place));
    const samples = samplesOf(cellsOf(source, place));
    const isFixed = guess === undefined && (holds.has(place) || isOfRights(header[place] ?? ''));
    if (isFixed || samples.length === 0) return [];
    return [
      {
        place,
        title: titleOf(header, place),
        samples,
        guess: guess ?? guessByCells(cellsOf(source, place), columns.places),
        options,
      },
    ];
  });
  const isGuessed = ({ guess }: AskedColumn) => (guess === 'none' ? 1 : 0);
  return asked
    .toSorted((a, b) => isGuessed(a) - isGuessed(b) || a.place - b.place)
    .slice(0, columnsAtMost)
    .toSorted((a, b) => a.place - b.place);
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
