import { amount, countOf, joinSaid, say, namedList, clip, shortName } from '../../../domain/said.ts';
import { needsSomething, type Matrix, type MatrixCell, type MatrixRow } from '../../../obligations/matrix.ts';
import { partId, partName, type AudiencePart } from '../../../operations/fields/people.ts';
import { formStep, pageOf, pageSteps, runStep } from '../../../operations/page.ts';
import type { Paged, Page, Step, Chart, Table } from '../../../operations/page.ts';
import { given, type TextInput } from '../../../operations/text-input.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortDay, dateInWords } from '../../../time/date-words.ts';
import { iconOf, obligationWords } from './words.ts';
import { yearOf, type Year } from '../../../obligations/year.ts';

/** The matrix of the campaigns that run and that the person sees. */
export interface SeenMatrix {
  matrix: Matrix;
  /** How many of the people who were named are in none of these campaigns. */
  absent: number;
}

/** What is shown of the matrix, and of whom. */
interface Shown extends SeenMatrix {
  /** Of whom it was asked; undefined: everyone. */
  people: readonly AudiencePart[] | undefined;
  /** The filter, one of its options. */
  only: string | undefined;
  /** From 1. */
  page: number;
  /** The page of quizzes, from 1. */
  columns: number;
  /** In milliseconds since the epoch. */
  now: number;
  timeZone: string;
}

type DayOf = (moment: number) => string;
/** With their places in the rows. */
type ShownQuizzes = readonly (readonly [place: number, quiz: Matrix['quizzes'][number]])[];

/** In characters. The longest cell is `➖ excused until 28 Sept 2027`. */
const longestName = 40;
const longestQuiz = 30;
const longestCell = 29;
/** A table holds 20 columns and 10,000 characters. */
const quizzesOnPage = 19;
const charactersOnPage = 10_000;
const rowsAtMost = 40;
/** Of the rest, a line says how many there are. */
const namedInLine = 4;
const namedInLineOfMany = 2;
const longestInput = 1_800;

/** People × quizzes, page by page, with a way to remind and to excuse people. */
export function matrixPage(shown: Shown): Page {
  const { matrix, people, only, absent, now, timeZone } = shown;
  if (matrix.rows.length === 0) return emptyPage(shown);
  const quizzes = pageOf([...matrix.quizzes.entries()], shown.columns, quizzesOnPage);
  const rows = pageOf(matrix.rows, shown.page, rowsOnPage(Math.min(matrix.quizzes.length, quizzesOnPage)));
  const input = given({ people: people?.map(partId), only });
  const position = { ...input, page: [String(rows.page)], columns: [String(quizzes.page)] };
  const dayOf = (moment: number) => shortDay(moment, now, timeZone);
  const heading = headingOf(shown);
  const hasDashes = rows.shown.some(({ cells }) => quizzes.shown.some(([place]) => cells[place] === undefined));
  return {
    heading: say`${heading}\n${summaryOf(matrix)}`,
    notification: heading,
    parts: [
      {
        table: {
          caption: say`Training matrix, those who need something first`,
          columns: [
            { title: say`Person`, cells: rows.shown.map(({ name }) => clip(listedName(name, true), longestName)) },
            ...quizzes.shown.map(([place, { name }]) => ({
              title: clip(shownQuizName(name), longestQuiz),
              cells: rows.shown.map(({ cells }) => cellOf(cells[place], dayOf)),
            })),
          ],
          lines: rows.shown.map((row) =>
            lineOf(row, quizzes.shown, dayOf, rows.shown.length > 20 ? namedInLineOfMany : namedInLine),
          ),
        },
        steps: [
          ...pageSteps({ name: 'show-matrix' }, position, rows),
          ...pageSteps({ name: 'show-matrix' }, position, quizzes, {
            field: 'columns',
            previous: say`← Quizzes`,
            next: say`Quizzes →`,
          }),
        ],
        notes: [
          positionWords(rows, quizzes, matrix, hasDashes),
          absent > 0 &&
            say`${amount(absent)} ${absent === 1 ? 'person is' : 'people are'} in no campaign that runs and that you can see.`,
        ],
      },
    ],
    steps: stepsFor(rows.shown, input),
  };
}

/** So many that the table is never too large, whatever its cells say. */
function rowsOnPage(quizzes: number): number {
  const left = charactersOnPage - longestName - quizzes * longestQuiz;
  return Math.min(rowsAtMost, Math.floor(left / (longestName + quizzes * longestCell)));
}

function headingOf({ people, only, matrix }: Shown): string {
  const counts = [
    countOf(matrix.rows.length, 'person', 'people'),
    countOf(matrix.quizzes.length, 'quiz', 'quizzes'),
  ].join(', ');
  if (people === undefined)
    return only === undefined ? say`📋 *Training matrix*: ${counts}` : say`⏰ *Who is overdue*: ${counts}`;
  return only === undefined
    ? say`📋 *Training matrix* for ${namesOf(people)}: ${counts}`
    : say`⏰ *Who is overdue* for ${namesOf(people)}: ${counts}`;
}

/** Whom a page is about. */
function namesOf(people: readonly AudiencePart[]): string {
  return joinSaid(
    people.map((part) => say`*${shortName(partName(part), 60)}*`),
    ', ',
  );
}

export function summaryOf({ people: { late, soon, expiring, 'out of reach': unreached } }: Matrix): string {
  const parts = [
    late > 0 && say`⏰ ${amount(late)} ${late === 1 ? 'person is' : 'people are'} overdue or expired`,
    soon > 0 && say`⏳ ${amount(soon)} ${soon === 1 ? 'has' : 'have'} something due within a week`,
    unreached > 0 && say`📵 ${amount(unreached)} can’t be reached by message`,
    expiring > 0 && say`🔁 ${amount(expiring)} ${expiring === 1 ? 'has' : 'have'} something to renew`,
  ];
  return joinSaid(parts, ' · ') || say`✅ Nobody is late, and nothing is due within a week.`;
}

/** A dash: no campaign asks for it. */
function cellOf(cell: MatrixCell | undefined, dayOf: DayOf): string {
  return cell === undefined ? '–' : clip(`${iconOf(cell)} ${obligationWords(cell.obligation, dayOf)}`, longestCell);
}

/** A person in one line, where there are no tables: what they have to do, and how much else there is. */
function lineOf({ name, cells }: MatrixRow, quizzes: ShownQuizzes, dayOf: DayOf, most: number): string {
  const shown = quizzes.flatMap(([place, quiz]) => {
    const cell = cells[place];
    return cell === undefined ? [] : [{ cell, quiz }];
  });
  const needed = shown.filter(({ cell }) => needsSomething(cell));
  const others = shown.length - needed.length;
  const left = needed.length - most;
  return joinSaid(
    [
      say`• *${listedName(name, true)}*`,
      ...needed
        .slice(0, most)
        .map(
          ({ cell, quiz }) =>
            say`${iconOf(cell)} ${clip(shownQuizName(quiz.name), longestQuiz)} ${obligationWords(cell.obligation, dayOf)}`,
        ),
      left > 0 && say`${amount(left)} more to do`,
      others > 0 && say`✅ ${amount(others)} ${others === 1 ? 'quiz needs' : 'quizzes need'} nothing`,
    ],
    ' · ',
  );
}

function positionWords(rows: Paged<MatrixRow>, quizzes: Paged<unknown>, matrix: Matrix, hasDashes: boolean): string {
  const parts = [
    rows.pages > 1 && say`Page ${rows.page} of ${rows.pages} of ${countOf(matrix.rows.length, 'person', 'people')}`,
    quizzes.pages > 1 &&
      say`page ${quizzes.page} of ${quizzes.pages} of ${countOf(matrix.quizzes.length, 'quiz', 'quizzes')}`,
    hasDashes && say`“–” means that no campaign that you can see asks them for it.`,
  ];
  return joinSaid(parts, ' · ');
}

/** The form that reminds has those of the page who are late; whom to excuse is chosen there. */
function stepsFor(rows: readonly MatrixRow[], input: TextInput): Step[] {
  const late = rows.filter(({ cells }) => cells.some((cell) => cell?.urgency === 'late'));
  const people: string[] = [];
  for (const { userId } of late) if (JSON.stringify([...people, userId]).length <= longestInput) people.push(userId);
  return [
    formStep(say`Remind…`, { name: 'remind-campaign' }, people.length > 0 ? { people } : {}),
    formStep(say`Excuse…`, { name: 'excuse-campaign' }, {}),
    runStep(say`Picture`, { name: 'export-matrix' }, { ...input, csv: ['picture'] }),
    runStep(say`Excel file`, { name: 'export-matrix' }, input),
    runStep(say`The year`, { name: 'show-year' }, input.people === undefined ? {} : { people: input.people }),
    formStep(say`Filter…`, { name: 'show-matrix' }, input),
  ];
}

function emptyPage({ people, only }: Shown): Page {
  if (only !== undefined)
    return {
      heading: say`✅ ${
        people === undefined
          ? say`Nobody is overdue in a campaign that you can see.`
          : say`Nobody of ${namedList(people.map(partName))} is overdue in a campaign that you can see.`
      }`,
    };
  return {
    heading:
      people === undefined
        ? say`📭 No campaign runs that you can see, so nobody has to take anything for one.`
        : say`📭 No campaign that runs and that you can see asks any of them for a quiz for ${namesOf(people)}.`,
    steps: [
      formStep(
        say`Start a campaign…`,
        { name: 'start-campaign' },
        people === undefined ? {} : { to: people.map(partId) },
      ),
    ],
  };
}

const gapsAtMost = 8;
/** Of a month. */
const quizzesInLine = 6;

/** What is due and what expires, month by month, and from when on nobody has a pass. */
export function yearPage({ matrix, people, columns, now, timeZone }: Omit<Shown, 'only' | 'page'>): Page {
  const year = yearOf(matrix, now, timeZone);
  const input: TextInput = people === undefined ? {} : { people: people.map(partId) };
  const quizzes = pageOf(year.quizzes, columns, quizzesOnPage);
  const { late } = matrix.people;
  return {
    heading: joinSaid([yearHeading(people), totalWords(year)], ' '),
    parts: [
      { lines: [late > 0 && say`⏰ ${amount(late)} ${late === 1 ? 'person is' : 'people are'} overdue already.`] },
      { lines: year.gaps.map((gap) => gapLine(gap, now, timeZone)), most: gapsAtMost },
      ...(year.quizzes.length === 0
        ? []
        : [
            {
              chart: yearChart(year, timeZone),
              table: yearTable(year, quizzes.shown, timeZone),
              steps: pageSteps({ name: 'show-year' }, input, quizzes, {
                field: 'columns',
                previous: say`← Quizzes`,
                next: say`Quizzes →`,
              }),
            },
          ]),
    ],
    steps: [
      runStep(say`Training matrix`, { name: 'show-matrix' }, input),
      formStep(say`Filter…`, { name: 'show-year' }, input),
    ],
    notes: [say`In campaigns that run and that you can see, if nobody takes a quiz until then.`],
  };
}

function yearHeading(people: Shown['people']): string {
  return people === undefined
    ? say`🗓️ *The next twelve months*:`
    : say`🗓️ *The next twelve months* for ${namesOf(people)}:`;
}

type Month = Year['quizzes'][number]['months'][number];

/** Of some quizzes together, by the place of a month. */
function sumOf(quizzes: Year['quizzes'], place: number): Month {
  return quizzes.reduce(
    (sum, { months }) => ({ due: sum.due + months[place]!.due, expiring: sum.expiring + months[place]!.expiring }),
    { due: 0, expiring: 0 },
  );
}

function totalWords({ quizzes, months }: Year): string {
  const sums = months.map((_, place) => sumOf(quizzes, place));
  const due = sums.reduce((sum, month) => sum + month.due, 0);
  const expiring = sums.reduce((sum, month) => sum + month.expiring, 0);
  if (due + expiring === 0) return say`nothing is due, and nothing expires.`;
  return joinSaid(
    [due > 0 && say`${amount(due)} due`, expiring > 0 && countOf(expiring, 'pass expires', 'passes expire')],
    ', ',
  );
}

function gapLine({ quiz, group, from }: Year['gaps'][number], now: number, timeZone: string): string {
  const name = say`*${shownQuizName(quiz.name)}*`;
  const lastDay = shortDay(from - 1, now, timeZone);
  if (group === undefined)
    return from <= now
      ? say`⚠️ Nobody has ${name}: the last pass expired ${lastDay}.`
      : say`⚠️ Nobody has ${name} after ${lastDay}.`;
  const groupName = say`*${shownQuizName(group)}*`;
  return from <= now
    ? say`⚠️ Nobody in ${groupName} has ${name}: the last pass expired ${lastDay}.`
    : say`⚠️ Nobody in ${groupName} has ${name} after ${lastDay}.`;
}

function yearChart({ months, quizzes }: Year, timeZone: string): Chart {
  const sums = months.map((_, place) => sumOf(quizzes, place));
  return {
    title: say`Due and expiring, month by month`,
    name: say`Due`,
    points: months.map((at, place) => ({
      label: dateInWords(at, 'monthOfYear', timeZone),
      value: sums[place]!.due,
    })),
    beside: { name: say`Expiring`, values: sums.map(({ expiring }) => expiring) },
    xLabel: say`Month`,
    yLabel: say`People`,
  };
}

/** A row for each month; a line for each with something. */
function yearTable({ months, quizzes: all }: Year, shown: Year['quizzes'], timeZone: string): Table {
  const names = months.map((at) => dateInWords(at, 'month', timeZone));
  return {
    caption: say`What is due and what expires, month by month`,
    columns: [
      { title: say`Month`, cells: names },
      ...shown.map(({ quiz, months: ofQuiz }) => ({
        title: clip(shownQuizName(quiz.name), longestQuiz),
        cells: ofQuiz.map((month) => monthWords(month) || '–'),
      })),
    ],
    lines: names.flatMap((name, place) => {
      const some = all.filter(({ months: ofQuiz }) => monthWords(ofQuiz[place]!) !== '');
      const left = some.length - quizzesInLine;
      const parts = [
        ...some
          .slice(0, quizzesInLine)
          .map(
            ({ quiz, months: ofQuiz }) =>
              say`${clip(shownQuizName(quiz.name), longestQuiz)}: ${monthWords(ofQuiz[place]!)}`,
          ),
        left > 0 && say`and ${amount(left)} more`,
      ];
      return some.length === 0 ? [] : [joinSaid([say`• *${name}*`, ...parts], ' · ')];
    }),
  };
}

/** Empty where there is nothing. */
function monthWords({ due, expiring }: Month): string {
  return joinSaid([due > 0 && say`${amount(due)} due`, expiring > 0 && countOf(expiring, 'expires', 'expire')], ', ');
}
