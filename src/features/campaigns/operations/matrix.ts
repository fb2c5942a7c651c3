import { countOf, markedDate, say } from '../../../domain/said.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import { readPage, type TextInput } from '../../../operations/text-input.ts';
import { matrixPage, type SeenMatrix } from '../pages/matrix.ts';
import { matrixPicture } from '../pages/matrix-picture.ts';
import { lateOnly, startMatrix, type Matrix } from '../../../obligations/matrix.ts';
import { wallClock } from '../../../time/wall-clock.ts';
import { csvOrPictureField, outgoingTable } from '../../../operations/table-file.ts';
import type { FileTable } from '../../../operations/services/files.ts';
import { zoneOf } from '../../../operations/dates/time-of-day.ts';
import { saidTime } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { peopleWords, obligationWords } from './campaign-words.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OperationContext } from '../../../operations/context.ts';
import type { DoneResult } from '../../../operations/operation-result.ts';
import { audienceKind, type AudienceField, type AudiencePart } from '../../../operations/fields/people.ts';
import { takeOption, type ChoiceField } from '../../../operations/fields/choice.ts';
import { visibleRunning } from '../../../operations/fields/campaign.ts';
import { meaningAmong } from '../../../operations/other-words/meanings.ts';
import { tokenize } from '../../../operations/typed-text.ts';

/** For whom the matrix is shown. */
export const matrixPeople = {
  kind: 'audience',
  from: 'account',
  label: 'Users and groups',
  hint: 'Only these people. Leave empty for everyone.',
  optional: true,
} as const satisfies AudienceField;

/** Whom and what the matrix leaves out. */
const onlyField = {
  kind: 'choice',
  label: 'Only',
  options: [{ value: 'overdue', label: 'Overdue' }],
  optional: true,
} as const satisfies ChoiceField;

export const pageField = { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true } as const;

/** Who has to take what, in all campaigns that run and that the person sees. */
export const showMatrix: Operation = defineOperation({
  name: 'show-matrix',
  command: '/quiz-campaign matrix [for people] [overdue]',
  synonyms: ['everyone', 'obligations'],
  summary:
    'Show who has to take which quiz, and by when, in all campaigns: overdue, or for Kitchen; picture sends a picture, csv a plain file',
  hintForAgents:
    'Costs the quiz service nothing. To remind or excuse people in all their campaigns, use remind-campaign and excuse-campaign without a campaign.',
  title: say`Training matrix`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: {
    people: matrixPeople,
    only: onlyField,
    csv: csvOrPictureField,
    page: pageField,
    columns: { ...pageField, label: 'Page of quizzes' },
  },
  parse: parsePeople,
  async run(context, { people, only, csv, page, columns }) {
    if (csv !== undefined) return sendMatrix(context, { people, only, csv });
    return {
      kind: 'page',
      ...matrixPage({
        ...(await seenMatrix(context, people, only)),
        people,
        only,
        page: readPage(page),
        columns: readPage(columns),
        now: context.now(),
        timeZone: context.timeZone,
      }),
    };
  },
});

export const exportMatrix = defineOperation({
  name: 'export-matrix',
  command: '/quiz-campaign matrix-csv [people]',
  summary: 'Get the training matrix as an Excel file, in a direct message',
  title: say`Training matrix`,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  isTyped: false,
  forPeopleOnly: true,
  fields: { people: matrixPeople, only: onlyField, csv: csvOrPictureField },
  run: sendMatrix,
});

async function sendMatrix(
  context: OperationContext,
  {
    people,
    only,
    csv,
  }: { people: readonly AudiencePart[] | undefined; only: string | undefined; csv: string | undefined },
): Promise<DoneResult> {
  const { matrix } = await seenMatrix(context, people, only);
  const { rows, quizzes } = matrix;
  if (rows.length === 0)
    throw new InvalidInputError('people', say`None of these people is in a campaign that runs and that you can see.`);
  const timeZone = zoneOf(context);
  const [who, what] = [peopleWords(rows.length), countOf(quizzes.length, 'quiz', 'quizzes')];
  const nowMs = context.now();
  const heading = say`Training matrix: ${who} and ${what}, as of ${saidTime(nowMs, { nowMs, timeZone })}`;
  const content =
    csv === 'picture'
      ? matrixPicture(matrix, { heading, now: nowMs, timeZone })
      : outgoingTable(context, matrixTable(matrix, csv === undefined ? timeZone : context.timeZone), csv);
  await context.sendFile({ name: say`Training matrix`, comment: heading, content });
  return { kind: 'done', message: say`Sent you ${who} and ${what}. The file is in your direct messages.` };
}

/** A row for each person. Empty where no campaign asks the person for the quiz. Days are those of the zone. */
function matrixTable({ quizzes, rows }: Matrix, timeZone: string): FileTable {
  const clock = wallClock(timeZone);
  const dayOf = (atMs: number) => {
    const isoDay = new Date(clock.shownAt(atMs)).toISOString().slice(0, 'yyyy-MM-dd'.length);
    return markedDate(isoDay, { form: 'day', atMs, zone: timeZone });
  };
  const titles = [say`Person`, say`Groups`, ...quizzes.map(({ name }) => name)];
  return {
    columns: titles.map((title) => ({ title, kind: 'text' })),
    parts: [
      rows.map(({ name, groups, cells }) => [
        name,
        groups.join(', '),
        ...cells.map((cell) => (cell === undefined ? '' : obligationWords(cell.obligation, dayOf))),
      ]),
    ],
  };
}

/** What the reader sees of it. Reads the store alone: the service is not asked for anything. */
export async function seenMatrix(
  context: OperationContext,
  people: readonly AudiencePart[] | undefined,
  only?: string,
): Promise<SeenMatrix> {
  const named = people && new Set(people.flatMap((part) => part.people.map(({ userId }) => userId)));
  const building = startMatrix(context.now(), (userId) => named?.has(userId) ?? true);
  for (const campaign of await visibleRunning(context)) {
    building.add(campaign);
    await nextTurn();
  }
  const matrix = building.finish();
  const absent = named === undefined ? 0 : named.size - matrix.rows.length;
  return { matrix: only === 'overdue' ? lateOnly(matrix) : matrix, absent };
}

/** Reads `for Kitchen, Rosa`, `overdue for Kitchen` and `Kitchen overdue`; “overdue” can also be part of a name. */
function parsePeople(line: string): [TextInput, ...TextInput[]] {
  const [likeliest, ...others] = namesIn(line);
  const tokens = tokenize(line);
  const last = tokens.length - 1;
  const first = takeOption(tokens, 0, onlyField);
  const taken = first ?? (last > 0 ? takeOption(tokens, last, onlyField) : undefined);
  if (taken === undefined) return [likeliest, ...others];
  const left =
    first === undefined ? line.slice(0, tokens[last]?.start) : line.slice(tokens[taken.end]?.start ?? line.length);
  const [likeliestLeft, ...othersLeft] = namesIn(left).map((input): TextInput => ({
    ...input,
    only: [...taken.texts],
  }));
  return [likeliestLeft!, ...othersLeft, likeliest, ...others];
}

/** Reads `for Kitchen, Rosa`; without the word, too. */
export function namesIn(line: string): [TextInput, ...TextInput[]] {
  const names = line.trim().replace(/^(?:for|of|in)(?:\s+|$)/i, '');
  const tokens = tokenize(names);
  const inOther = meaningAmong(tokens, 0, ['for', 'of', 'in'])?.length ?? 0;
  const others = inOther === 0 ? '' : names.slice(tokens[inOther]?.start ?? names.length);
  const input = { people: audienceKind.split(names, matrixPeople) };
  return [names === '' ? {} : input, ...(others === '' ? [] : [{ people: audienceKind.split(others, matrixPeople) }])];
}
