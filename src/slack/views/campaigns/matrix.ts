import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortDay } from '../../../time/date-words.ts';
import { clip, shortName } from '../../../domain/short-name.ts';
import type { ActionsBlock, DataTableBlock, KnownBlock } from '@slack/types';
import { excuseFromCampaign } from '../../../features/campaigns/operations/excuse-and-include.ts';
import { exportMatrix } from '../../../features/campaigns/operations/export-matrix.ts';
import { obligationWords } from '../../../features/campaigns/operations/obligation-words.ts';
import { remindCampaign } from '../../../features/campaigns/operations/remind.ts';
import { showMatrix } from '../../../features/campaigns/operations/show-matrix.ts';
import { startCampaign } from '../../../features/campaigns/operations/start-campaign.ts';
import { isAsked, needsSomething, type MatrixCell, type MatrixRow } from '../../../obligations/matrix.ts';
import { partId, partName } from '../../../operations/fields/audience.ts';
import { formStep, runStep } from '../../../operations/next-step.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { amount, countOf, say, joinSaid } from '../../../domain/said.ts';
import { namedList } from '../../../domain/sentence.ts';
import { characterLimit, columnLimit, fittingRows, textCell, unknownCell, type Cell } from '../blocks/data-table.ts';
import { actionButtons, buttonRow } from '../blocks/item-actions.ts';
import { fitsSlack, mostThat, textMessage, type Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';
import { pageButtons, pageOf, type Page } from '../blocks/pages.ts';
import { obligationIcons } from './obligation-lines.ts';

type Shown = Extract<OperationResult, { kind: 'matrix' }>;

/** In characters. The longest cell is `➖ excused until 28 Sept 2027`. */
const longestName = 40;
const longestQuiz = 30;
const longestCell = 29;
const rowsAtMost = 40;
const rowsInSlack = 10;
/** A line has no room for more; of the rest, it says how many there are. */
const namedInLine = 4;
const longestValue = 1_800;

/** People × quizzes, page by page, with a way to remind and to excuse people. */
export function matrixMessage(shown: Shown, offered: ReadonlySet<string>, timeZone: string): Message {
  const { matrix, people, only, page, columns, now } = shown;
  if (matrix.rows.length === 0) return emptyMessage(shown, offered);
  const quizzes = pageOf(matrix.quizzes, columns, columnLimit - 1);
  const rows = pageOf(matrix.rows, page, rowsOnPage(Math.min(matrix.quizzes.length, columnLimit - 1)));
  const raw: TextInput = { ...(people && { people: people.map(partId) }), ...(only !== undefined && { only: [only] }) };
  const dayOf = (moment: number) => shortDay(new Date(moment), now, timeZone);
  const counts = [countOf(matrix.rows.length, 'person', 'people'), countOf(matrix.quizzes.length, 'quiz', 'quizzes')];
  const heading = headingOf(shown, counts.join(', '));
  const top = [section(say`${heading}\n${summaryOf(shown)}`)];
  const position = { page: [String(rows.page)], columns: [String(quizzes.page)] };
  const ofPeople = pageButtons(showMatrix, { ...raw, ...position }, rows);
  const ofQuizzes = pageButtons(showMatrix, { ...raw, ...position }, quizzes, {
    field: 'columns',
    previous: say`← Quizzes`,
    next: say`Quizzes →`,
  });
  const actions = buttonRow(actionsFor(rows.shown, raw, offered));
  const absent = absentBlocks(shown);
  const table = tableOf(rows, quizzes, dayOf);
  const build = (lines: readonly string[]): KnownBlock[] => [
    ...top,
    ...sections(lines),
    ...(rows.pages > 1 ? [context(say`Page ${rows.page} of ${rows.pages}`)] : []),
    ...absent,
    ...buttonRow(ofPeople),
    ...actions,
  ];
  const linesWith = (most: number) => rows.shown.map((row) => lineOf(row, matrix.quizzes, dayOf, most));
  const named = mostThat(namedInLine, (most) => fitsSlack({ text: '', blocks: build(linesWith(most)) }));
  return {
    text: heading,
    blocks: [
      ...top,
      table,
      context(positionWords(rows, quizzes, shown)),
      ...absent,
      ...buttonRow([...ofPeople, ...ofQuizzes]),
      ...actions,
    ],
    plain: build(linesWith(named)),
  };
}

/** So many that the table is never too large for Slack, whatever its cells say. */
function rowsOnPage(columns: number): number {
  const left = characterLimit - longestName - columns * longestQuiz;
  return Math.min(rowsAtMost, Math.floor(left / (longestName + columns * longestCell)));
}

function headingOf({ people, only }: Shown, counts: string): string {
  if (people === undefined)
    return only === undefined ? say`📋 *Who has to take what*: ${counts}` : say`⏰ *Who is overdue*: ${counts}`;
  return only === undefined
    ? say`📋 *Who has to take what* for ${namesOf(people)}: ${counts}`
    : say`⏰ *Who is overdue* for ${namesOf(people)}: ${counts}`;
}

function namesOf(people: NonNullable<Shown['people']>): string {
  return joinSaid(
    people.map((part) => say`*${shortName(partName(part), 60)}*`),
    ', ',
  );
}

function summaryOf({ matrix: { people } }: Shown): string {
  const { late, soon, expiring } = people;
  const parts = [
    ...(late > 0 ? [say`⏰ ${amount(late)} ${late === 1 ? 'person is' : 'people are'} overdue or expired`] : []),
    ...(soon > 0 ? [say`⏳ ${amount(soon)} ${soon === 1 ? 'has' : 'have'} something due within a week`] : []),
    ...(expiring > 0 ? [say`🔁 ${amount(expiring)} ${expiring === 1 ? 'has' : 'have'} something to renew`] : []),
  ];
  return parts.length === 0 ? say`✅ Nobody is late, and nothing is due within a week.` : joinSaid(parts, ' · ');
}

function tableOf(
  rows: Page<MatrixRow>,
  quizzes: Page<Shown['matrix']['quizzes'][number]>,
  dayOf: (moment: number) => string,
): DataTableBlock {
  const first = (quizzes.page - 1) * (columnLimit - 1);
  const header = [say`Person`, ...quizzes.shown.map(({ name }) => clip(shownQuizName(name), longestQuiz))].map(
    textCell,
  );
  const cells = rows.shown.map((row) => [
    textCell(clip(listedName(row.name, true), longestName)),
    ...row.cells.slice(first, first + quizzes.shown.length).map((cell) => cellOf(cell, dayOf)),
  ]);
  return {
    type: 'data_table',
    caption: say`Who has to take what, those who need something first`,
    page_size: rowsInSlack,
    rows: fittingRows(header, cells),
  };
}

function cellOf(cell: MatrixCell | undefined, dayOf: (moment: number) => string): Cell {
  return cell === undefined ? unknownCell : textCell(clip(cellWords(cell, dayOf), longestCell));
}

function cellWords({ obligation }: MatrixCell, dayOf: (moment: number) => string): string {
  return `${obligationIcons[obligation.state]} ${obligationWords(obligation, dayOf)}`;
}

/** A person in one line, where there are no tables: what they have to do, and how much else there is. */
function lineOf(
  { name, cells }: MatrixRow,
  quizzes: Shown['matrix']['quizzes'],
  dayOf: (moment: number) => string,
  most: number,
): string {
  const needed = cells.flatMap((cell, place) =>
    cell && needsSomething(cell) ? [{ cell, quiz: quizzes[place]! }] : [],
  );
  const others = cells.filter((cell) => cell && !needsSomething(cell)).length;
  const left = needed.length - most;
  return joinSaid(
    [
      say`• *${listedName(name, true)}*`,
      ...needed
        .slice(0, most)
        .map(
          ({ cell, quiz }) =>
            say`${obligationIcons[cell.obligation.state]} ${clip(shownQuizName(quiz.name), longestQuiz)} ${obligationWords(cell.obligation, dayOf)}`,
        ),
      ...(left > 0 ? [say`${amount(left)} more to do`] : []),
      ...(others > 0 ? [say`✅ ${amount(others)} ${others === 1 ? 'quiz needs' : 'quizzes need'} nothing`] : []),
    ],
    ' · ',
  );
}

function positionWords(rows: Page<MatrixRow>, quizzes: Page<unknown>, { matrix }: Shown): string {
  const parts = [
    ...(rows.pages > 1
      ? [say`Page ${rows.page} of ${rows.pages} of ${countOf(matrix.rows.length, 'person', 'people')}`]
      : []),
    ...(quizzes.pages > 1
      ? [say`page ${quizzes.page} of ${quizzes.pages} of ${countOf(matrix.quizzes.length, 'quiz', 'quizzes')}`]
      : []),
    say`“–” means that no campaign that you can see asks them for it.`,
  ];
  return joinSaid(parts, ' · ');
}

function absentBlocks({ absent }: Shown): KnownBlock[] {
  return absent === 0
    ? []
    : [
        context(
          say`${amount(absent)} ${absent === 1 ? 'person is' : 'people are'} in no campaign that runs and that you can see.`,
        ),
      ];
}

/** The form that reminds has those of the page who are late; whom to excuse is chosen there. */
function actionsFor(
  rows: readonly MatrixRow[],
  raw: TextInput,
  offered: ReadonlySet<string>,
): ActionsBlock['elements'] {
  const late = rows.filter(({ cells }) => cells.some((cell) => cell?.urgency === 'late' && isAsked(cell)));
  const ids = late.map(({ userId }) => userId);
  const filled = mostThat(ids.length, (count) => JSON.stringify(ids.slice(0, count)).length <= longestValue);
  const chosen = ids.slice(0, filled);
  return actionButtons(
    say`people`,
    [
      formStep(say`Remind…`, remindCampaign, chosen.length > 0 ? { people: chosen } : {}),
      formStep(say`Excuse…`, excuseFromCampaign, {}),
      runStep(say`CSV file`, exportMatrix, raw),
      formStep(say`Filter…`, showMatrix, raw),
    ],
    offered,
  );
}

function emptyMessage({ people, only }: Shown, offered: ReadonlySet<string>): Message {
  if (only !== undefined)
    return textMessage(
      '✅',
      people === undefined
        ? say`Nobody is overdue in a campaign that you can see.`
        : say`Nobody of ${namedList(people.map(partName))} is overdue in a campaign that you can see.`,
    );
  const nothing =
    people === undefined
      ? say`📭 No campaign runs that you can see, so nobody has to take anything for one.`
      : say`📭 No campaign that runs and that you can see asks any of them for a quiz for ${namesOf(people)}.`;
  const steps = [
    formStep(say`Start a campaign…`, startCampaign, people === undefined ? {} : { to: people.map(partId) }),
  ];
  return {
    text: nothing,
    blocks: [section(nothing), ...buttonRow(actionButtons(say`for a quiz`, steps, offered))],
  };
}
