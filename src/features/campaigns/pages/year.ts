import { amount, countOf, joinSaid, say } from '../../../domain/said.ts';
import { clip } from '../../../domain/short-name.ts';
import { yearOf, type Year } from '../../../obligations/year.ts';
import { partId, type AudiencePart } from '../../../operations/fields/people.ts';
import { formStep, pageOf, pageSteps, runStep } from '../../../operations/next-step.ts';
import type { Chart, Page, Table } from '../../../operations/page.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { dateInWords, shortDay } from '../../../time/date-words.ts';
import { namesOf, type SeenMatrix } from './matrix.ts';

interface Shown extends SeenMatrix {
  /** Of whom it was asked; undefined: everyone. */
  people: readonly AudiencePart[] | undefined;
  /** The page of quizzes, from 1. */
  columns: number;
  /** In milliseconds since the epoch. */
  now: number;
  timeZone: string;
}

/** A table holds 20 columns. */
const quizzesOnPage = 19;
const longestQuiz = 30;
const namedInLine = 6;
const gapsAtMost = 8;

/** What is due and what expires, month by month, and from when on nobody has a pass. */
export function yearPage({ matrix, people, columns, now, timeZone }: Shown): Page {
  const year = yearOf(matrix, now, timeZone);
  const input: TextInput = people === undefined ? {} : { people: people.map(partId) };
  const quizzes = pageOf(year.quizzes, columns, quizzesOnPage);
  const { late } = matrix.people;
  return {
    heading: joinSaid([headingOf(people), totalWords(year)], ' '),
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

function headingOf(people: Shown['people']): string {
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
  const words = [
    ...(due > 0 ? [say`${amount(due)} due`] : []),
    ...(expiring > 0 ? [countOf(expiring, 'pass expires', 'passes expire')] : []),
  ];
  return joinSaid(words, ', ');
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
      const left = some.length - namedInLine;
      const parts = [
        ...some
          .slice(0, namedInLine)
          .map(
            ({ quiz, months: ofQuiz }) =>
              say`${clip(shownQuizName(quiz.name), longestQuiz)}: ${monthWords(ofQuiz[place]!)}`,
          ),
        ...(left > 0 ? [say`and ${amount(left)} more`] : []),
      ];
      return some.length === 0 ? [] : [joinSaid([say`• *${name}*`, ...parts], ' · ')];
    }),
  };
}

/** Empty where there is nothing. */
function monthWords({ due, expiring }: Month): string {
  return joinSaid(
    [...(due > 0 ? [say`${amount(due)} due`] : []), ...(expiring > 0 ? [countOf(expiring, 'expires', 'expire')] : [])],
    ', ',
  );
}
