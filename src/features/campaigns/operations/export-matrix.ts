import { countOf, inEnglish, say } from '../../../domain/said.ts';
import type { Matrix } from '../../../obligations/matrix.ts';
import { wallClock } from '../../../time/wall-clock.ts';
import { formatCsv } from '../../../operations/csv.ts';
import { zoneOf } from '../../../operations/dates/person-zone.ts';
import { saidTime } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { peopleWords } from './campaign-words.ts';
import { obligationWords } from './obligation-words.ts';
import { matrixPeople, onlyField, seenMatrix } from './seen-matrix.ts';

export const exportMatrix = defineOperation({
  name: 'export-matrix',
  command: '/quiz-campaign matrix-csv [people]',
  summary: 'Get who has to take which quiz as a CSV file, in a direct message',
  title: say`Who has to take what`,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  isTyped: false,
  forPeopleOnly: true,
  uses: ['campaigns', 'sendFile'],
  fields: { people: matrixPeople, only: onlyField },
  async run(context, { people, only }) {
    const { matrix } = await seenMatrix(context, people, only);
    const { rows, quizzes } = matrix;
    if (rows.length === 0)
      throw new InvalidInputError('people', say`None of these people is in a campaign that runs and that you can see.`);
    const timeZone = zoneOf(context);
    const [who, what] = [peopleWords(rows.length), countOf(quizzes.length, 'quiz', 'quizzes')];
    const nowMs = context.now();
    await context.sendFile({
      name: 'Who has to take what.csv',
      comment: say`Who has to take what: ${who} and ${what}, as of ${saidTime(nowMs, { nowMs, timeZone })}`,
      content: Buffer.from(formatCsv(matrixTable(matrix, timeZone))),
    });
    return { kind: 'done', message: say`Sent you ${who} and ${what}. The CSV file is in your direct messages.` };
  },
});

/** A header row, and a row for each person. Empty where no campaign asks the person for the quiz. Days are those of the zone. */
function matrixTable({ quizzes, rows }: Matrix, timeZone: string): string[][] {
  const clock = wallClock(timeZone);
  const dayOf = (moment: number) => new Date(clock.shownAt(moment)).toISOString().slice(0, 'yyyy-MM-dd'.length);
  return [
    ['Person', 'Groups', ...quizzes.map(({ name }) => name)],
    ...rows.map(({ name, groups, cells }) => [
      name,
      groups.join(', '),
      ...cells.map((cell) => (cell === undefined ? '' : inEnglish(obligationWords(cell.obligation, dayOf)))),
    ]),
  ];
}
