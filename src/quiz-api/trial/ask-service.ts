import type * as z from 'zod';
import { Agent } from 'undici';
import { publicCodeOf } from '../../domain/finding.ts';
import { answerOf, type TrialAnswer } from '../../domain/trial.ts';
import { accountDatesIn } from '../account-dates.ts';
import { endpoints } from '../endpoints.ts';
import { idOf, isObject } from '../fields.ts';
import { quizSchemaOf } from '../quizzes.ts';
import { listedResponseSchemaOf, questionSchema } from '../responses.ts';
import { assignedQuizSchemaOf, groupSchema, userSchemaOf, userWithResultsSchemaOf } from '../users.ts';
import { createRawReader, type RawList, type RawReader, type TrialService } from './raw-lists.ts';
import { shapeDifferences } from './shape-differences.ts';
import * as specified from './specification.ts';
import { zoneAnswer } from './zone-answer.ts';

export interface ServiceTrial {
  answers: TrialAnswer[];
  requests: number;
  /** Whether a text is the name of somebody in the account. */
  isName: (text: string) => boolean;
}

/** Of each kind of list that there is one of for each quiz, response or user: with all others, fewer than 60 requests. */
const listsAtMost = 5;
/** Many quizzes have no responses. */
const responseListsAtMost = 12;

/** What a list is compared with. */
interface Compared {
  question: string;
  shape: specified.Shape;
  schema: z.ZodType;
  relies: string;
  /** The field that no two of these records have the same value in. */
  idField?: string;
  read: () => Promise<RawList>;
}

/**
 * Compares what the real service sends with the specification. Reads only; the answers name fields and kinds of values, and
 * no value that could be personal.
 */
export async function askService(
  service: TrialService,
  { signal, now, tell }: { signal: AbortSignal; now: () => number; tell: (line: string) => void },
): Promise<ServiceTrial> {
  const dispatcher = new Agent();
  const reader = createRawReader(service, { dispatcher, now, signal });
  const names = new Set<string>();
  const all: unknown[] = [];
  const answers: TrialAnswer[] = [];
  const isName = (text: string) => names.has(text.toLowerCase());
  const dates = accountDatesIn(service.timeZone);

  async function compare({ question, shape, schema, relies, idField, read }: Compared): Promise<unknown[]> {
    let records: unknown[] = [];
    const answer = await answerOf(
      { question, relies },
      signal,
      async () => {
        const list = await read();
        ({ records } = list);
        all.push(...records);
        noteNames(records, names);
        const left = records.filter((record) => !schema.safeParse(record).success).length;
        return {
          state: left === 0 ? 'expected' : 'other',
          found: [
            `${counted(records.length, 'record')}. ${records.length === 0 ? 'There was nothing to compare.' : left === 0 ? 'The bot reads all of them.' : `The bot leaves out ${left}.`}`,
            ...list.forms,
            ...twice(records, idField),
            ...shapeDifferences(records, shape, isName),
          ],
        };
      },
      publicCodeOf,
    );
    answers.push(answer);
    return records;
  }

  try {
    tell('Reading the lists of the quiz service…');
    const users = await compare({
      question: 'The list of users',
      shape: specified.userShape,
      schema: userSchemaOf(dates),
      relies: 'Rights, people and pickers: src/quiz-api/users.ts.',
      idField: 'user_id',
      read: async () => reader.list(endpoints.users.list.path),
    });
    const quizzes = await compare({
      question: 'The list of quizzes',
      shape: specified.quizShape,
      schema: quizSchemaOf(dates),
      relies: 'Pickers and quizzes that people name: src/quiz-api/quizzes.ts.',
      idField: 'quiz_id',
      read: async () => reader.list(endpoints.quizzes.list.path),
    });
    await compare({
      question: 'The list of groups',
      shape: specified.groupShape,
      schema: groupSchema,
      relies: 'Groups, and what trainers see: src/quiz-api/users.ts.',
      idField: 'group_id',
      read: async () => reader.list(endpoints.groups.list.path),
    });
    const quizIds = someIds(quizzes, 'quiz_id');
    const userIds = someIds(users, 'user_id');
    const takenIds = someIds(quizzes, 'quiz_id', responseListsAtMost);
    const responses = await compare({
      question: `The responses of ${counted(takenIds.length, 'quiz', 'quizzes')}`,
      shape: specified.responseShape,
      schema: listedResponseSchemaOf(dates),
      relies: 'Results, campaigns, digests and the backfill: src/quiz-api/responses.ts.',
      idField: 'response_id',
      read: async () =>
        merged(
          reader,
          endpoints.responses.list.path,
          takenIds.map((id) => [id]),
        ),
    });
    const attempts = someAttempts(responses);
    await compare({
      question: `The questions of ${counted(attempts.length, 'response')}`,
      shape: specified.questionShape,
      schema: questionSchema,
      relies: 'View attempt, and files: src/quiz-api/responses.ts.',
      read: async () => merged(reader, endpoints.responses.questions.path, attempts),
    });
    await compare({
      question: `${counted(attempts.length, 'response')}, each by itself`,
      shape: specified.responseShape,
      schema: listedResponseSchemaOf(dates),
      relies: 'Webhooks that are only hints are confirmed with it: src/features/alerts/fan-out.ts.',
      read: async () => single(reader, endpoints.responses.get.path, attempts),
    });
    await compare({
      question: `${counted(userIds.length, 'user')}, each by itself`,
      shape: specified.singleUserShape,
      schema: userWithResultsSchemaOf(dates),
      relies: 'Rights right before a change, and /quiz mine: src/quiz-api/users.ts.',
      read: async () =>
        single(
          reader,
          endpoints.users.get.path,
          userIds.map((id) => [id]),
        ),
    });
    await compare({
      question: `The assigned quizzes of ${counted(userIds.length, 'user')}`,
      shape: specified.assignedQuizShape,
      schema: assignedQuizSchemaOf(dates),
      relies: 'Assignments that are looked up after a lost answer: src/quiz-api/users.ts.',
      read: async () =>
        merged(
          reader,
          endpoints.users.quizzes.path,
          userIds.map((id) => [id]),
        ),
    });
    await compare({
      question: `The groups of ${counted(quizIds.length, 'quiz', 'quizzes')}`,
      shape: specified.groupShape,
      schema: groupSchema,
      relies: 'Who has a quiz by group: src/quiz-api/users.ts.',
      read: async () =>
        merged(
          reader,
          endpoints.quizzes.groups.path,
          quizIds.map((id) => [id]),
        ),
    });
    answers.push(zoneAnswer(all, service.timeZone, now()));
    return { answers, requests: reader.requests(), isName };
  } finally {
    await dispatcher.close();
  }
}

async function merged(reader: RawReader, path: string, paths: readonly (readonly string[])[]): Promise<RawList> {
  const lists: RawList[] = [];
  for (const ids of paths) lists.push(await reader.list(path, ids));
  return {
    records: lists.flatMap(({ records }) => records),
    forms: [...new Set(lists.flatMap(({ forms }) => forms))].map(
      (form) => `${form}, in ${lists.filter(({ forms }) => forms.includes(form)).length} of ${lists.length} lists`,
    ),
  };
}

async function single(reader: RawReader, path: string, paths: readonly (readonly string[])[]): Promise<RawList> {
  const records: unknown[] = [];
  for (const ids of paths) records.push(await reader.one(path, ids));
  return { records, forms: [] };
}

function counted(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : more}`;
}

/** Items from the whole of a list: its newest and oldest records may differ. */
function some<Item>(items: readonly Item[], most = listsAtMost): Item[] {
  const every = Math.max(1, (items.length - 1) / (most - 1));
  return items.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every)).slice(0, most);
}

function idIn(record: unknown, field: string): string[] {
  const id = isObject(record) ? idOf(record[field]) : undefined;
  return id === undefined ? [] : [id];
}

function someIds(records: readonly unknown[], field: string, most?: number): string[] {
  return some(
    records.flatMap((record) => idIn(record, field)),
    most,
  );
}

function someAttempts(responses: readonly unknown[]): string[][] {
  const paths = responses.map((response) => [...idIn(response, 'quiz_id'), ...idIn(response, 'response_id')]);
  return some(paths.filter((path) => path.length === 2));
}

/** Records of the same list with the same ID. */
function twice(records: readonly unknown[], idField: string | undefined): string[] {
  if (idField === undefined) return [];
  const ids = records.flatMap((record) => idIn(record, idField));
  const again = ids.length - new Set(ids).size;
  return again > 0 ? [`${idField}: ${counted(again, 'record')} with an ID that came before`] : [];
}

const nameFields = [
  'first_name',
  'last_name',
  'user_name',
  'email_address',
  'organization',
  'name',
  'group_name',
  'quiz_name',
];

function noteNames(records: readonly unknown[], names: Set<string>): void {
  for (const record of records)
    for (const field of nameFields) {
      const name = isObject(record) ? record[field] : undefined;
      if (typeof name !== 'string') continue;
      for (const part of [name, ...name.split(/\P{L}+/u)]) if (part !== '') names.add(part.toLowerCase());
    }
}
