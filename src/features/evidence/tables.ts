import type { CampaignAttempt, MemberMessage, ObligationState, Stay } from '../../domain/campaign.ts';
import { notKnown, notNeeded, whyUnreached } from '../../domain/campaign-messages.ts';
import { say, inEnglish } from '../../domain/said.ts';
import { outcomeStates } from '../../operations/wording/result-words.ts';
import type { Analysis, QuestionNumbers } from '../questions/operations/analysis.ts';
import { unreachedWords } from '../campaigns/pages/words.ts';
import { staysIn, type PersonFacts } from './facts.ts';
import { formatCsv, formatRows } from '../../operations/table-file.ts';

/** Empty where nothing is known, or there is nothing. */
type Cell = string | number | null | undefined;

/** A column of a table. Cells of moments are milliseconds since the epoch, or words. */
export interface Column<Row> {
  title: string;
  kind?: 'moment';
  of: (row: Row) => Cell;
  /** How many rows have which value of this column is counted under this name. */
  counted?: string;
}

/** How many there are of what, by campaign: people, messages that arrived, and so on. */
export type Counts = Record<string, Record<string, number>>;

/** Writes a table row by row, as CSV. @param write takes the next part of a file; `isLast` ends it */
export function tableWriter<Row>(
  name: string,
  columns: readonly Column<Row>[],
  write: (file: string, text: string, isLast: boolean) => void,
) {
  const file = `${name}.csv`;
  const titles = columns.map(({ title, kind }) => (kind === 'moment' ? `${title} (UTC)` : title));
  write(file, formatCsv([titles]), false);
  const written = (cell: Cell, kind?: 'moment') =>
    kind === 'moment' && typeof cell === 'number' ? new Date(cell).toISOString() : (cell ?? '');
  const add = (rows: readonly Row[]) =>
    write(file, formatRows(rows.map((row) => columns.map(({ of, kind }) => written(of(row), kind)))), false);
  return {
    add,
    /** Adds rows of a campaign and counts them, as `verify.mjs` does: `obligations`, and `obligations stateAtEnd overdue`. */
    count(rows: readonly Row[], campaignId: string, counts: Counts): void {
      add(rows);
      const ofCampaign = (counts[campaignId] ??= {});
      for (const row of rows)
        for (const what of [
          name,
          ...columns.flatMap(({ of, counted }) =>
            counted === undefined ? [] : inEnglish(`${name} ${counted} ${of(row)}`),
          ),
        ])
          ofCampaign[what] = (ofCampaign[what] ?? 0) + 1;
    },
    end: () => write(file, '', true),
  };
}

/** A moment as tables have it, in UTC. */
export function isoTime(atMs: number | null | undefined): string | null {
  return atMs === null || atMs === undefined ? null : new Date(atMs).toISOString();
}

/** A table about people: its columns, and the rows of a person. */
export interface PersonTable<Row extends { person: PersonFacts } = never> {
  columns: readonly Column<Row>[];
  rowsOf: (person: PersonFacts) => readonly Row[];
}

/** `verify.mjs` and the summary count the states as they are called here. */
const stateWords = {
  'not required': say`not required`,
  'not yet due': say`not yet due`,
  excused: say`excused`,
  done: say`done`,
  marking: say`marking`,
  'not me': say`not me`,
  expiring: say`expiring`,
  due: say`due`,
  expired: say`expired`,
  overdue: say`overdue`,
} satisfies Record<ObligationState, string>;

const answers = {
  yes: say`yes`,
  no: say`no`,
  'not known': say`not known`,
} satisfies Record<PersonFacts['isLate'], string>;

interface OfPerson {
  person: PersonFacts;
}

const of = (read: (person: PersonFacts) => Cell) => (row: OfPerson) => read(row.person);

/** Which campaign, and who. */
const whoColumns: readonly Column<OfPerson>[] = [
  { title: say`Campaign`, of: of(({ campaign }) => campaign.id) },
  { title: say`Quiz`, of: of(({ campaign }) => campaign.quiz.name) },
  { title: say`User ID`, of: of(({ member }) => member.userId) },
  { title: say`Person`, of: of(({ member }) => member.name) },
];

/** One row for each time in which a person was in the audience. */
export const populationTable: PersonTable<OfPerson & { stay: Stay }> = {
  columns: [
    ...whoColumns,
    { title: 'Groups', of: ({ person }) => person.member.groups.join(', ') },
    { title: 'In the audience from', kind: 'moment', of: ({ stay }) => stay.from },
    { title: 'In the audience to', kind: 'moment', of: ({ stay }) => stay.to },
    { title: 'Can get messages', of: of(canGetMessages) },
  ],
  rowsOf: (person) => staysIn(person.member, person.period).map((stay) => ({ person, stay })),
};

/** One row for each person and campaign: the table that people get as a workbook, in their language. */
export const obligationsTable: PersonTable<OfPerson> = {
  columns: [
    ...whoColumns,
    { title: say`Since`, kind: 'moment', of: of(requiredSince) },
    { title: say`Due`, kind: 'moment', of: of(({ atEnd }) => atEnd.dueAt) },
    { title: say`First message arrived`, kind: 'moment', of: of(toldAt) },
    { title: say`Passed`, kind: 'moment', of: of(passedAt) },
    { title: say`Valid until`, kind: 'moment', of: of(({ now }) => now.validUntil) },
    {
      title: say`State at the end of the period`,
      counted: 'stateAtEnd',
      of: of(({ atEnd }) => stateWords[atEnd.state]),
    },
    { title: say`At`, kind: 'moment', of: of(({ endAt }) => endAt) },
    { title: say`State now`, counted: 'stateNow', of: of(({ now }) => stateWords[now.state]) },
    { title: say`As of`, kind: 'moment', of: of(({ asOf }) => asOf) },
    { title: say`Late`, counted: 'late', of: of(({ isLate }) => answers[isLate]) },
    { title: say`Can get messages`, counted: 'reached', of: of(canGetMessages) },
    { title: say`Expired`, of: of(({ atEnd }) => (atEnd.state === 'expired' ? answers.yes : answers.no)) },
    { title: say`Excused`, of: of(({ atEnd }) => (atEnd.state === 'excused' ? answers.yes : answers.no)) },
  ],
  rowsOf: (person) => [{ person }],
};

/** As things are now. */
export function canGetMessages({ member }: PersonFacts): string {
  return whyUnreached(member) === undefined ? answers.yes : answers.no;
}

function requiredSince({ member, atEnd, endAt }: PersonFacts): Cell {
  const stay = member.stays.findLast(({ from }) => from <= endAt);
  return atEnd.asksFrom ?? stay?.from;
}

/** Campaigns of versions up to 1.6 know when a message was sent, and not whether it arrived. */
function toldAt({ member: { messages } }: PersonFacts): Cell {
  const [first] = messages;
  if (first?.failure === notKnown) return say`not known`;
  return first?.failure === null ? first.at : null;
}

function passedAt({ pass }: PersonFacts): Cell {
  if (pass === undefined) return say`no pass known`;
  return pass.at ?? say`passed, not known when`;
}

interface MessageRow extends MemberMessage, OfPerson {
  result: 'arrived' | 'did not arrive' | 'waits' | 'not known';
}

/** One row for each message that was due in the period. @param platform its name */
export function messagesTable(platform: string): PersonTable<MessageRow> {
  return {
    columns: [
      ...whoColumns,
      {
        title: 'Message',
        of: ({ person, handedAt }) => (handedAt === person.member.messages[0]?.handedAt ? 'first message' : 'reminder'),
      },
      { title: 'Result', counted: 'result', of: ({ result }) => result },
      { title: 'Arrived', kind: 'moment', of: ({ result, at }) => (result === 'arrived' ? at : null) },
      { title: 'Given up', kind: 'moment', of: ({ result, at }) => (result === 'arrived' ? null : at) },
      {
        title: 'Why it did not arrive',
        of: ({ failure }) => (failure === null || failure === notKnown ? null : unreachedWords(failure, platform)),
      },
    ],
    rowsOf: messageRows,
  };
}

/** A message that was not needed any more is none. */
function messageRows(person: PersonFacts): MessageRow[] {
  const { member, period } = person;
  return member.messages.flatMap((message): MessageRow[] => {
    const { handedAt, at, failure } = message;
    const when = at ?? handedAt;
    if (when < period.since || when >= period.until || failure === notNeeded) return [];
    if (at === null) return [{ person, ...message, result: failure === notKnown ? 'not known' : 'waits' }];
    return [{ person, ...message, result: failure === null ? 'arrived' : 'did not arrive' }];
  });
}

/** One row for each attempt that the states rest on, also from before the period and after it. */
export const resultsTable: PersonTable<OfPerson & { attempt: CampaignAttempt }> = {
  columns: [
    ...whoColumns,
    { title: 'Attempt ID', of: ({ attempt }) => attempt.responseId },
    { title: 'Submitted', kind: 'moment', of: ({ attempt }) => attempt.submittedAt ?? 'not known' },
    { title: 'Result', counted: 'result', of: ({ attempt }) => outcomeStates[attempt.outcome] },
    { title: 'Percentage', of: ({ attempt }) => attempt.percentage },
    { title: 'Known since', kind: 'moment', of: ({ attempt }) => attempt.knownAt || null },
  ],
  rowsOf: (person) => person.member.attempts.map((attempt) => ({ person, attempt })),
};

interface ExcuseRow extends OfPerson {
  kind: 'excused' | 'said it isn’t for them';
  at: number;
  by: string;
  reason: string | null;
  until: number | null;
}

/** One row for each excuse, and for each “not me”, that stands. */
export function excusesTable(nameOf: (personId: string) => string): PersonTable<ExcuseRow> {
  return {
    columns: [
      ...whoColumns,
      { title: 'Kind', counted: 'kind', of: ({ kind }) => kind },
      { title: 'Because', of: ({ reason }) => reason },
      { title: 'By', of: ({ by }) => by },
      { title: 'At', kind: 'moment', of: ({ at }) => at },
      { title: 'Until', kind: 'moment', of: ({ until }) => until },
    ],
    rowsOf(person) {
      const { excused, saidNotMeAt, name } = person.member;
      const { until: end } = person.period;
      return [
        ...(excused !== null && excused.at < end
          ? [{ person, kind: 'excused' as const, ...excused, by: nameOf(excused.by), until: excused.until }]
          : []),
        ...(saidNotMeAt !== null && saidNotMeAt < end
          ? [{ person, kind: 'said it isn’t for them' as const, at: saidNotMeAt, by: name, reason: null, until: null }]
          : []),
      ];
    },
  };
}

/** What the answers to a quiz say of its questions, of the attempts that are read. */
export interface QuizQuestions {
  quiz: { id: string; name: string };
  attempts: number;
  read: number;
  analysis: Analysis;
  /** Whether the reader may see the right answers. */
  showsRight: boolean;
}

type QuestionRow = QuizQuestions & QuestionNumbers;

export const questionColumns: readonly Column<QuestionRow>[] = [
  { title: 'Quiz ID', of: ({ quiz }) => quiz.id },
  { title: 'Quiz', of: ({ quiz }) => quiz.name },
  { title: 'Attempts', of: ({ attempts }) => attempts },
  { title: 'Attempts read', of: ({ read }) => read },
  { title: 'Question', of: ({ question }) => question.text },
  { title: 'Asked', of: ({ asked }) => asked },
  { title: 'Right', of: ({ right }) => right },
  { title: 'Answered', of: ({ right, answered }) => (right === undefined ? answered : null) },
  { title: 'Wrong answer chosen most', of: ({ mistake }) => mistake?.text },
  { title: 'Chosen by', of: ({ mistake }) => mistake?.count },
  {
    title: 'Right answers',
    of: ({ question, showsRight }) =>
      showsRight ? question.options.flatMap(({ text, isRight }) => (isRight ? text : [])).join('; ') : null,
  },
];

/** One row for each question of a quiz that five attempts or more have. */
export function questionRows(questions: QuizQuestions): QuestionRow[] {
  const { marked, open } = questions.analysis;
  return [...marked, ...open].toSorted((a, b) => a.number - b.number).map((numbers) => ({ ...questions, ...numbers }));
}
