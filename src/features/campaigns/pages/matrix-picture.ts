import { amount, countOf, joinSaid, lengthInAnyLanguage, listed, say } from '../../../domain/said.ts';
import { groupShares, needsSomething, urgencies } from '../../../obligations/matrix.ts';
import type { GroupShare, Matrix, MatrixCell, Urgency } from '../../../obligations/matrix.ts';
import type { OutgoingPicture, PictureText, Shape } from '../../../operations/services/files.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortDay } from '../../../time/date-words.ts';
import { obligationWords } from './words.ts';
import { summaryOf } from './matrix.ts';

/**
 * How each state looks: a sign of 16 pixels in a box, so that nobody has to tell colors apart. What needs something is dark, the
 * rest light. Slack doesn’t say whether its reader has a light or a dark theme, so a picture brings its own paper, with an edge
 * that shows on both.
 */
export const looks: Readonly<Record<Urgency, { box: string; sign: string; path: string }>> = {
  late: { box: '#b3261e', sign: '#ffffff', path: 'M8 2.5V9.5M8 13V13.3' },
  soon: { box: '#a84300', sign: '#ffffff', path: 'M8 2A6 6 0 1 1 7.99 2ZM8 4.8V8L10.5 9.8' },
  expiring: { box: '#6b4fa0', sign: '#ffffff', path: 'M13 8A5 5 0 1 1 11.2 4.2M11.6 1.2V4.6H8.2' },
  'not me': { box: '#00687a', sign: '#ffffff', path: 'M5 5.5A3 3 0 1 1 9.4 8.1C8.4 8.7 8 9.2 8 10M8 13V13.3' },
  'out of reach': { box: '#4d4d52', sign: '#ffffff', path: 'M4 4L12 12M12 4L4 12' },
  due: { box: '#cfe2f7', sign: '#17406d', path: 'M8 3A5 5 0 1 1 7.99 3Z' },
  marking: { box: '#e5ddf2', sign: '#4a3576', path: 'M3.5 8H3.7M8 8H8.2M12.3 8H12.5' },
  excused: { box: '#e2e2e2', sign: '#4a4a4a', path: 'M4 8H12' },
  done: { box: '#d3ebd6', sign: '#1e5b2b', path: 'M3 8.5L6.5 12L13 4.5' },
  none: { box: '#eeeeee', sign: '#5a5a5a', path: 'M6 3.5V12.5M10 3.5V12.5' },
};
export const colors = { paper: '#f7f7f5', edge: '#85858a', ink: '#1d1c1d', faint: '#5c5c60' };

const wordsOf = {
  late: say`overdue or expired`,
  soon: say`due within a week`,
  expiring: say`to renew`,
  'not me': say`says it isn’t for them`,
  'out of reach': say`can’t be reached by message`,
  due: say`due later`,
  marking: say`to be marked`,
  excused: say`excused`,
  done: say`done`,
  none: say`not yet due`,
} as const satisfies Record<Urgency, string>;

/** A sentence says what is left out: a picture of everything could not be read. */
const [peopleAtMost, quizzesAtMost, groupsAtMost] = [40, 30, 15];
/** In pixels. Cells that are wide enough have words. */
const [margin, row, nameWidth, barWidth, contentWidth] = [24, 26, 220, 400, 1_000];
const [narrowCell, wideCell, signWidth] = [36, 195, 16];
const [slantedLength, slantedHeight] = [170, 132];
const legendColumns = 4;
/** As it is measured in any language, of 1,000: https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
const longestDescription = 880;

/** People × quizzes as a picture: what each sign means, a bar for everyone and each group, and those who need something first. */
export function matrixPicture(
  matrix: Matrix,
  { heading, now, timeZone }: { heading: string; now: number; timeZone: string },
): OutgoingPicture {
  const shares = groupShares(matrix);
  const [groups, bars] = [shares.length - 1, shares.slice(0, 1 + groupsAtMost)];
  const quizzes = matrix.quizzes.slice(0, quizzesAtMost);
  const rows = matrix.rows.slice(0, peopleAtMost);
  const hasWords = quizzes.length * wideCell <= contentWidth - nameWidth;
  const cellWidth = hasWords ? wideCell : narrowCell;
  const gridWidth = nameWidth + quizzes.length * cellWidth + (hasWords ? 0 : slantedHeight - cellWidth / 2);
  const width = Math.max(contentWidth, gridWidth) + 2 * margin;
  const dayOf = (moment: number) => shortDay(moment, now, timeZone);
  const left = leftWords([
    [groups, groupsAtMost, countOf(groups, 'group', 'groups')],
    [matrix.rows.length, peopleAtMost, countOf(matrix.rows.length, 'person', 'people')],
    [matrix.quizzes.length, quizzesAtMost, countOf(matrix.quizzes.length, 'quiz', 'quizzes')],
  ]);
  const shapes: Shape[] = [];
  let y = margin + 20;

  write(heading, margin, 0, { size: 18, isBold: true });
  write(summaryOf(matrix), margin, 26, { color: colors.faint });
  y += 40;
  legend();
  for (const share of bars) bar(share);
  y += 16;
  titles();
  for (const { name, cells } of rows) {
    write(listedName(name, true), margin, 18, { width: nameWidth - 10 });
    for (const place of quizzes.keys()) cellAt(margin + nameWidth + place * cellWidth, cells[place]);
    y += row;
  }
  if (left !== undefined) write(left, margin, 24, { color: colors.faint });
  const height = y + margin + (left === undefined ? 0 : 24);
  const paper: Shape[] = [
    { kind: 'box', x: 0, y: 0, width, height, color: colors.edge },
    { kind: 'box', x: 1, y: 1, width: width - 2, height: height - 2, color: colors.paper },
  ];
  return { picture: { width, height, shapes: [...paper, ...shapes] }, inWords: described() };

  function write(text: string, x: number, below: number, look: Partial<PictureText>): void {
    const usual = { width: width - x - margin, size: 14, color: colors.ink };
    shapes.push({ ...usual, ...look, kind: 'text', text, x, y: y + below });
  }

  /** A box with the sign of a state, if it has the room, and with words in it. */
  function box(urgency: Urgency, x: number, wide: number, words?: string): void {
    const { box: color, sign, path } = looks[urgency];
    shapes.push({ kind: 'box', x, y: y + 1, width: wide, height: row - 2, color });
    if (wide < signWidth) return;
    shapes.push({ kind: 'line', x: x + Math.min(9, (wide - signWidth) / 2), y: y + 5, path, color: sign });
    if (words !== undefined) write(words, x + 30, 18, { size: 13, color: sign, width: wide - 32 });
  }

  function legend(): void {
    const isShown = (urgency: Urgency) =>
      matrix.rows.some(({ cells }) => cells.some((one) => one?.urgency === urgency));
    const column = contentWidth / legendColumns;
    for (const [index, urgency] of urgencies.filter(isShown).entries()) {
      if (index > 0 && index % legendColumns === 0) y += row + 2;
      const x = margin + (index % legendColumns) * column;
      box(urgency, x, 28);
      write(wordsOf[urgency], x + 36, 18, { width: column - 44, size: 13 });
    }
    y += row + 14;
  }

  /** As much of a bar as people have each state, but at least three pixels of one that somebody has. */
  function bar({ name, counts, people }: GroupShare): void {
    write(name ?? say`Everyone`, margin, 18, { width: nameWidth - 10, isBold: name === undefined || undefined });
    const spare = barWidth - 3 * counts.filter((count) => count > 0).length;
    let x = margin + nameWidth;
    for (const [rank, count] of counts.entries()) {
      if (count === 0) continue;
      const wide = 3 + (count / people) * spare;
      box(urgencies[rank]!, x, wide - 1, wide >= 36 + 9 * String(count).length ? amount(count) : undefined);
      x += wide;
    }
    write(shareWords(counts, people), margin + nameWidth + barWidth + 12, 18, { size: 13 });
    y += row;
  }

  /** Over wide columns as they are, over narrow ones on a slant. */
  function titles(): void {
    const high = hasWords ? 60 : slantedHeight;
    for (const [place, { name }] of quizzes.entries()) {
      const x = margin + nameWidth + place * cellWidth;
      if (hasWords) write(shownQuizName(name), x, 16, { isBold: true, size: 13, lines: 3, width: cellWidth - 8 });
      else write(shownQuizName(name), x + cellWidth / 2 + 4, high - 6, { size: 13, width: slantedLength, turn: -45 });
    }
    y += high;
  }

  function cellAt(x: number, cell: MatrixCell | undefined): void {
    if (cell === undefined) write('–', x + cellWidth / 2 - 4, 18, { color: colors.faint });
    else box(cell.urgency, x, cellWidth - 2, hasWords ? obligationWords(cell.obligation, dayOf) : undefined);
  }

  /** As much as a description holds: everyone, the groups, and then the people. */
  function described(): string {
    const lines = [
      say`${heading}. ${summaryOf(matrix)}`,
      ...bars.slice(1).map(({ name = '', counts, people }) => say`${name}: ${shareWords(counts, people)}`),
      ...rows.map(({ name, cells }) => say`${listedName(name, true)}: ${needs(cells)}`),
    ];
    const last = say`The Excel file has all of them.`;
    let length = lengthInAnyLanguage(last);
    const end = lines.findIndex((line) => (length += lengthInAnyLanguage(line) + 1) > longestDescription);
    return joinSaid(
      end === -1 && left === undefined ? lines : [...lines.slice(0, end === -1 ? undefined : end), last],
      '\n',
    );
  }

  function needs(cells: Matrix['rows'][number]['cells']): string {
    const needed = matrix.quizzes.flatMap(({ name }, place) => {
      const cell = cells[place];
      if (cell === undefined || !needsSomething(cell)) return [];
      return [say`${shownQuizName(name)} ${obligationWords(cell.obligation, dayOf)}`];
    });
    return needed.length === 0 ? say`nothing to do` : joinSaid(needed, ', ');
  }
}

function shareWords([late = 0]: readonly number[], people: number): string {
  return say`${amount(late)} of ${countOf(people, 'person', 'people')} overdue or expired`;
}

/** What the picture leaves out; undefined where it has everything. */
function leftWords(parts: readonly (readonly [all: number, shown: number, words: string])[]): string | undefined {
  const cut = parts.filter(([all, shown]) => all > shown).map(([, shown, words]) => say`${amount(shown)} of ${words}`);
  return cut.length === 0
    ? undefined
    : say`The picture has ${listed(cut)}, those that need something first. The Excel file has all of them.`;
}
