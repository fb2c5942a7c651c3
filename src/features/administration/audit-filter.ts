import { plainName, publicName } from '../../directory/names.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { OperationContext } from '../../operations/context.ts';
import { longestTime } from '../../operations/dates/time-expression.ts';
import { pastDays, resolveTime } from '../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { isMe } from '../../operations/fields/user.ts';
import { meaningAmong, meansOneOf } from '../../operations/other-words/meanings.ts';
import { mentionsInWords, parseMention, partsOf, type Token } from '../../operations/typed-text.ts';
import { wallClock } from '../../time/wall-clock.ts';
import { say } from '../../domain/said.ts';

/** Which entries of the audit trail to show, and in which form. A missing property narrows nothing. */
export interface AuditFilter {
  /** ID of a person who acted, or whom it is about. */
  person?: string;
  /** Words of names of people, quizzes or other things, or of operations; each has to fit. */
  words?: readonly string[];
  /** Milliseconds since the epoch; `untilMs` is the first moment after. */
  sinceMs?: number;
  untilMs?: number;
  isCsv: boolean;
}

/** What people type before a name. */
const fillers: ReadonlySet<string> = new Set(['by', 'of', 'for', 'about', 'from', 'on', 'and']);

/**
 * Reads a filter as people type it: a mention or `me`, words of a name, of a quiz or of an operation, `since monday`, `since 7d` or
 * `last week`, and `csv`, in any order.
 * @throws {InvalidInputError}
 */
export function parseAuditFilter(
  text: string,
  { timeZone, nowMs, me }: { timeZone: string; nowMs: number; me?: string },
): AuditFilter {
  const filter: AuditFilter = { isCsv: false };
  const names: string[] = [];
  const tokens = partsOf(text);
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    const { kind, text: word } = token;
    const following = tokens.slice(0, 9).map((other) => other.text);
    const mention = kind === 'quoted' ? undefined : parseMention(word);
    const days = kind === 'quoted' ? undefined : longestTime([word, ...following]);
    const since = kind === 'quoted' ? 0 : wordsOfSince([token, ...tokens]);
    const past = days && pastDays(days.time, { timeZone, nowMs });
    if (kind === 'quoted') names.push(word);
    else if (mention?.kind === 'person') filter.person = mention.id;
    else if (mention !== undefined || /[<>]/.test(word)) throw unreadable(word);
    else if (isMe(word) && me !== undefined) filter.person = me;
    else if (word.toLowerCase() === 'csv') filter.isCsv = true;
    else if (since > 0) {
      tokens.splice(0, since - 1);
      const next = tokens.slice(0, 10).map((other) => other.text);
      const begin = takeSince(next, { timeZone, nowMs });
      tokens.splice(0, begin.length);
      filter.sinceMs = begin.atMs;
    } else if (days && past) {
      const clock = wallClock(timeZone);
      tokens.splice(0, days.length - 1);
      filter.sinceMs = clock.firstMomentOf(past.first);
      if (past.last !== undefined) filter.untilMs = clock.firstMomentOf(past.last + dayMs);
    } else if (!fillers.has(word.toLowerCase()) && !meansOneOf(word, [...fillers]))
      names.push(word.replace(/^@(?=\S)/, ''));
  }
  const words = names.flatMap((name) => plainName(name).split(/[\s,;-]+/)).filter((word) => word !== '');
  return { ...filter, ...(words.length > 0 && { words }) };
}

const dayMs = 24 * 60 * 60_000;

/** How many words say “since”: in another language, they can be several, and a time has to come next. */
function wordsOfSince(tokens: readonly Token[]): number {
  if (tokens[0]?.text.toLowerCase() === 'since') return 1;
  const length = meaningAmong(tokens, 0, ['since'])?.length;
  if (length === undefined) return 0;
  return longestTime(tokens.slice(length, length + 9).map(({ text }) => text)) ? length : 0;
}

/** The time that words begin with, and how many they are. @returns `atMs`: milliseconds since the epoch */
function takeSince(
  words: readonly string[],
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): { atMs: number; length: number } {
  const found = longestTime([...words]);
  if (found === undefined)
    throw invalid(say`After “since” comes a day or a time, such as since monday, since 15 nov or since 7d.`);
  const time = resolveTime(found.time, { nowMs, timeZone, direction: 'past' });
  if (time.kind === 'problem') throw invalid(time.message);
  return { atMs: time.atMs, length: found.length };
}

function unreadable(word: string): InvalidInputError {
  return invalid(
    say`I can’t read “${mentionsInWords(word)}”. Filter by @person, a name, a quiz, an operation such as close-quiz, or since 7d, and add csv for a file.`,
  );
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError('filter', message);
}

/** What is known of people that entries name by their IDs alone. */
export interface AuditPeople {
  /** ID of the user who the person of the filter is; undefined for somebody without one. */
  userId?: string | undefined;
  /** The name of somebody who acted; undefined where it is not known. */
  nameOf(personId: string): string | undefined;
}

export function fitsAuditFilter(
  entry: AuditEntry,
  { person, words = [], sinceMs, untilMs }: AuditFilter,
  people: AuditPeople = { nameOf: () => undefined },
): boolean {
  if (untilMs !== undefined && entry.at >= untilMs) return false;
  if (sinceMs !== undefined && entry.at < sinceMs) return false;
  if (person !== undefined && ![entry.by, entry.approvedBy].includes(person) && !isAbout(entry, people.userId))
    return false;
  if (words.length === 0) return true;
  const texts = textsOf(entry, people);
  return words.every((word) => texts.includes(word));
}

function isAbout({ targets = [] }: AuditEntry, userId: string | undefined): boolean {
  return userId !== undefined && targets.some(({ kind, id }) => kind === 'user' && id === userId);
}

/** What an entry shows to everybody who may read it, without what was entered about users. */
function textsOf({ operation, change = '', targets = [], by }: AuditEntry, { nameOf }: AuditPeople): string {
  const who = by === undefined ? '' : (nameOf(by) ?? '');
  return plainName(
    [operation, operation.replaceAll('-', ' '), change, who, ...targets.map(({ name }) => name)].join(' '),
  );
}

/** Each costs a question to the platform, where its name is not at hand. */
const namedAtMost = 200;

/** Finds out who people are, each once; of those who act in a workspace there are few. */
export async function auditPeople(
  { identity, call }: Pick<OperationContext, 'identity' | 'call'>,
  { person }: AuditFilter,
): Promise<AuditPeople & { learn: (entries: readonly AuditEntry[]) => Promise<void> }> {
  const names = new Map<string, string | undefined>();
  const about = person === undefined ? undefined : await identity.actorOf(person, { fresh: false, call });
  return {
    userId: about?.user?.user_id,
    nameOf: (personId) => names.get(personId),
    async learn(entries) {
      const ids = new Set(
        entries.flatMap(({ by, approvedBy = by }) =>
          approvedBy === undefined || names.has(approvedBy) ? [] : [approvedBy],
        ),
      );
      for (const id of [...ids].slice(0, Math.max(0, namedAtMost - names.size))) {
        const { user, name } = await identity.actorOf(id, { fresh: false, isListed: true, call });
        names.set(id, user ? publicName(user) : name);
      }
    },
  };
}
