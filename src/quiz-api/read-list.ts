import { invalidAnswer } from './answers.ts';
import { pageOf, type ListPage, type Unreadable } from './list-answer.ts';
import type { CallOptions, ServiceCall, Transport } from './transport.ts';
import { say } from '../domain/said.ts';
import type { QuizResponse } from './responses.ts';
import type { User } from './records.ts';

import type * as z from 'zod';

/** How the records of a list are read. */
export interface ListOf<T> extends ServiceCall {
  schema: z.ZodType<T>;
  /** Returns a record that needs no schema; undefined for the others. */
  usual?: ((value: unknown) => T | undefined) | undefined;
  /** Returns what memory keeps of a record. */
  keep?: (record: T) => T;
  /** What the records are. */
  list: CountedList;
  /** Whether the records are also in a list of their own, where they are counted. */
  isPart?: boolean | undefined;
}

/** Reads a list with all its pages, without the records that cannot be read. */
export type ReadList = <T>(list: ListOf<T>, options: CallOptions | undefined) => Promise<T[]>;

/** At 60 requests a minute, a longer list takes the best part of an hour. */
const pagesAtMost = 1_000;

/**
 * The specification does not show pages. Where an answer names a next page, each page is a request of its own, with the
 * same deadline for all.
 *
 * @param deps.origin where the service is; pages elsewhere are not read, so that the key goes nowhere else
 */
export function createReadList(deps: {
  transport: Transport;
  origin: string;
  basePath: string;
  unreadable: ReturnType<typeof createUnreadableRecords>;
}): ReadList {
  const { transport, unreadable } = deps;

  return async ({ schema, usual, keep, list, isPart = false, ...call }, options) => {
    const read = pageOf(schema, { usual, keep });
    const readPage = async (page: string | undefined, paid = options) => transport.call({ ...call, page, read }, paid);
    const whole = await readPage(undefined);
    // A list counts as one request of whoever asks for it, however many pages it has.
    const others = options && { ...options, personId: undefined };
    const seen = new Set([deps.basePath + call.path]);
    for (let last: ListPage<unknown> = whole; last.next !== undefined;) {
      const page = nextPage(last.next, call.path);
      if (page === undefined) throw invalidAnswer(call, 'next', 'the next page is at another address');
      if (seen.has(page)) throw invalidAnswer(call, 'next', 'the next page is one that came before');
      if (seen.size >= pagesAtMost) throw invalidAnswer(call, 'next', `the list has more than ${pagesAtMost} pages`);
      seen.add(page);
      const found = await readPage(page, others);
      for (const item of found.items) whole.items.push(item);
      whole.unreadable.count += found.unreadable.count;
      whole.unreadable.reason ||= found.unreadable.reason;
      last = found;
    }
    const missing = (whole.total ?? 0) - whole.items.length - whole.unreadable.count;
    if (missing > 0) {
      whole.unreadable.count += missing;
      whole.unreadable.reason ||= say`the service counts more records than it sends`;
    }
    const records = { list, ...whole.unreadable };
    if (!isPart) unreadable.take(list, call.path, whole.unreadable);
    else if (records.count > 0) unreadable.announce(records);
    return whole.items;
  };

  /**
   * The path and query of the next page; undefined if it is elsewhere, also on the same host: the key opens no more there than
   * the API. A text that is no address is taken for a cursor.
   */
  function nextPage(next: string | number, path: string): string | undefined {
    const first = deps.basePath + path;
    if (typeof next === 'number') return `${first}?page=${next}`;
    if (!/^(?:https?:|\/|\?)/i.test(next)) return `${first}?cursor=${encodeURIComponent(next)}`;
    const url = URL.parse(next, deps.origin + first);
    // A service behind a proxy may write http where it is reached by https: the request goes to the origin in any case.
    return url !== null && url.host === new URL(deps.origin).host && isOfApi(url.pathname)
      ? url.pathname + url.search
      : undefined;
  }

  /** `URL` has resolved the dots. Proxies may read an encoded slash as one, with the dots beside it. */
  function isOfApi(pathname: string): boolean {
    return pathname.startsWith(`${deps.basePath}/v1/`) && !/%2f|%5c/i.test(pathname);
  }
}

/** The lists whose unreadable records are counted. */
const countedLists = ['users', 'quizzes', 'groups', 'responses', 'questions'] as const;
type CountedList = (typeof countedLists)[number];

/** The records that the latest reading of a list left out. */
export interface UnreadableRecords extends Unreadable {
  list: CountedList;
}

/** The responses of a quiz are a list, and so are the questions of a response. The list read longest ago is dropped first. */
const pathsAtMost = 1_000;

/**
 * Knows which records could not be read.
 *
 * @param onFirst called once for each list and reason
 * @param onChange called when the counts change
 */
export function createUnreadableRecords(deps: {
  onFirst: (records: UnreadableRecords) => void;
  onChange: (records: UnreadableRecords[]) => void;
}) {
  const byPath = new Map<string, UnreadableRecords>();
  const known = new Set<string>();

  function counted(): UnreadableRecords[] {
    return countedLists.flatMap((list) => {
      const found = [...byPath.values()].filter((records) => records.list === list);
      const [first] = found;
      return first ? [{ list, reason: first.reason, count: found.reduce((sum, { count }) => sum + count, 0) }] : [];
    });
  }

  return {
    /** What the latest readings left out, a line for each list that has unreadable records. */
    counted,
    /** Takes what a reading of the list at this path left out. */
    take(list: CountedList, path: string, { count, reason }: Unreadable): void {
      const hadAny = byPath.delete(path);
      if (count === 0 && !hadAny) return;
      const records = { list, count, reason };
      if (count > 0) {
        byPath.set(path, records);
        announce(records);
      }
      for (const oldest of byPath.keys()) if (byPath.size > pathsAtMost) byPath.delete(oldest);
      deps.onChange(counted());
    },
    announce,
  };

  /** Announces a reason when it is new. Reasons are made of the names of fields, so there are few. */
  function announce(records: UnreadableRecords): void {
    const key = `${records.list} ${records.reason}`;
    if (known.has(key)) return;
    known.add(key);
    deps.onFirst(records);
  }
}

/**
 * Gives equal texts as the same string, so that memory holds a name, a zone or the ID of a quiz once. Meant for the reading
 * of a single list, and for fields that repeat: the texts are kept for as long as the function.
 */
export type ShareText = (text: string) => string;

/** Equal texts up to this length, `JSON.parse` of V8 gives as the same string by itself. */
const longestSharedByParsing = 10;

export function createShareText(): ShareText {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length <= longestSharedByParsing) return text;
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return same ?? text;
  };
}

/**
 * Makes a user of a list small, in place: what users have in common is the same string, and empty lists are the same list.
 * Of a user in a list of 100,000, that halves what memory holds.
 */
export function compactUser(user: User, share: ShareText): User {
  user.user_type = share(user.user_type);
  if (user.email_address === user.user_name) user.email_address = user.user_name;
  user.first_name = share(user.first_name);
  user.last_name = share(user.last_name);
  user.organization = share(user.organization);
  user.time_zone = share(user.time_zone);
  for (const quiz of user.quizzes) {
    quiz.quiz_id = share(quiz.quiz_id);
    quiz.name = share(quiz.name);
  }
  for (const group of user.groups) {
    group.group_id = share(group.group_id);
    group.group_name = share(group.group_name);
  }
  user.quizzes = sharedIfEmpty(user.quizzes);
  user.groups = sharedIfEmpty(user.groups);
  user.trainerquizzes = sharedIfEmpty(user.trainerquizzes);
  user.trainergroups = sharedIfEmpty(user.trainergroups);
  return user;
}

/**
 * Makes a response of a list small, in place: what responses have in common is the same string. That halves what memory
 * holds of a list of 50,000.
 */
export function compactResponse(response: QuizResponse, share: ShareText): QuizResponse {
  response.quiz_id = share(response.quiz_id);
  response.quiz_name = share(response.quiz_name);
  response.first_name = share(response.first_name);
  response.last_name = share(response.last_name);
  if (response.user_name === response.email_address) response.user_name = response.email_address;
  response.grade = share(response.grade);
  response.ip_address = share(response.ip_address);
  response.publish_type = share(response.publish_type);
  response.access_code = share(response.access_code);
  response.registration_fields = sharedIfEmpty(response.registration_fields);
  for (const field of response.registration_fields) field.name = share(field.name);
  return response;
}

/** The list itself, or for an empty list one that all records share. */
function sharedIfEmpty<Item>(items: Item[]): Item[] {
  // Nobody changes the lists of a record in place, and a frozen list keeps it that way.
  return items.length === 0 ? none : items;
}

const none: never[] = [];
Object.freeze(none);
