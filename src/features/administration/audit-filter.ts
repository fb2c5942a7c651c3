import { plainName, publicName } from '../../directory/names.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { OperationContext } from '../../operations/context.ts';
import { filterParts, valuesIn } from '../../operations/clauses/filter-line.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import { momentsOf, readPeriod, strayPeriod } from '../../operations/fields/period.ts';
import { isMe } from '../../operations/fields/user.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';
import { mentionsInWords, parseMention, type Token } from '../../operations/typed-text.ts';
import { say } from '../../domain/said.ts';

/** Which entries of the audit trail to show, and in which form. */
export interface AuditFilter {
  /** ID of a person who acted, or whom it is about. */
  person: string | undefined;
  /** Words of names of people, quizzes or other things, or of operations; each has to fit. */
  words: readonly string[];
  /** Milliseconds since the epoch; `toMs` is the first moment after. */
  fromMs: number;
  toMs: number;
  isCsv: boolean;
}

/** What stands alone in a filter. */
const parts = {
  person: { kind: 'user', label: '', clause: { words: [], example: '@rosa', standsAlone: true } },
  period: { kind: 'period', label: '', clause: { words: [], example: 'since 7d', standsAlone: true } },
  csv: {
    kind: 'choice',
    label: '',
    options: [{ value: 'csv', label: 'CSV' }],
    clause: { words: [], example: 'csv', standsAlone: true },
  },
} as const satisfies Fields;

/** What people type before a name. */
const fillers = ['by', 'of', 'for', 'about', 'from', 'on', 'and'];

/**
 * Reads a filter as people type it: a mention or `me`, words of a name, of a quiz or of an operation, `since monday`, `since 7d` or
 * `last week`, and `csv`, in any order.
 * @throws {InvalidInputError}
 */
export function parseAuditFilter(
  text: string,
  { timeZone, nowMs, me }: { timeZone: string; nowMs: number; me: string },
): AuditFilter {
  const found = filterParts(text, parts);
  const { person, period, csv } = valuesIn(found, text, parts);
  const names = found.filter(({ kind }) => kind === 'name').map(({ token }) => token);
  const isOwn = ({ kind, text: word }: Token) => kind === 'word' && isMe(word);
  const others = names.filter((token) => !isOwn(token) && !isFiller(token));
  const unread = others.find(({ kind, text: word }) => kind === 'mention' || (kind === 'word' && /[<>]/.test(word)));
  if (unread) throw unreadable(unread.text);
  return {
    person: names.some(isOwn) ? me : person && parseMention(person.join())?.id,
    words: others
      .flatMap(({ text: name }) => plainName(name.replace(/^@(?=\S)/, '')).split(/[\s,;-]+/))
      .filter((word) => word !== ''),
    ...momentsOf(readPeriod(strayPeriod(others) ?? period ?? [], { timeZone, nowMs }), timeZone),
    isCsv: csv !== undefined,
  };
}

function isFiller({ kind, text }: Token): boolean {
  return kind === 'word' && (fillers.includes(text.toLowerCase()) || meansOneOf(text, fillers));
}

function unreadable(word: string): InvalidInputError {
  return new InvalidInputError(
    'filter',
    say`I can’t read “${mentionsInWords(word)}”. Filter by @person, a name, a quiz, an operation such as close-quiz, or since 7d, and add csv for a file.`,
  );
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
  { person, words, fromMs, toMs }: AuditFilter,
  people: AuditPeople = { nameOf: () => undefined },
): boolean {
  if (entry.at < fromMs || entry.at >= toMs) return false;
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
