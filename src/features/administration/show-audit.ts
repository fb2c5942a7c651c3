import { verifyChain, type AuditEntry } from '../../domain/audit-chain.ts';
import type { RecordedLink } from '../../domain/sealed-entry.ts';
import type { OperationContext } from '../../operations/context.ts';
import { formatCsv } from '../../operations/table-file.ts';
import { zoneOf } from '../../operations/dates/typed-time.ts';
import { made } from '../../operations/page.ts';
import { defineOperation } from '../../operations/operation.ts';
import { linksUpTo, type Records } from '../../operations/services/records.ts';
import { say, countOf } from '../../domain/said.ts';
import { auditCheckPage, auditPage } from './pages/audit.ts';
import { plainName, publicName } from '../../directory/names.ts';
import { filterParts, valuesIn } from '../../operations/clauses/filter-line.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import { momentsOf, readPeriod, strayPeriod } from '../../operations/fields/period.ts';
import { isMe } from '../../operations/fields/user.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';
import { mentionsInWords, parseMention, type Token } from '../../operations/typed-text.ts';

/** Entries shown at once; the CSV file has all. */
const shownAtMost = 30;
const pageSize = 500;

export const showAudit = defineOperation({
  name: 'show-audit',
  command: '/quiz-admin audit [filter]',
  synonyms: ['log', 'history', 'trail'],
  summary:
    'Show who did what. Filter by @person, a name, a quiz, an operation or since 7d; csv sends a file, verify checks that nothing was changed',
  title: say`Audit trail`,
  isCommon: true,
  access: 'read',
  right: 'administrator',
  submit: 'Show',
  fields: {
    filter: {
      kind: 'text',
      label: 'Only',
      hint: 'Any of: @person, a name, a quiz, close-quiz, since monday, csv. Or verify alone.',
      maxLength: 250,
      optional: true,
      isParsed: true,
    },
  },
  async run(context, { filter: typed = '' }) {
    const { records } = context;
    if (typed.trim().toLowerCase() === 'verify') {
      // The head first, so that entries added in the meantime do not count as missing.
      const head = await records.auditHead();
      const check = await verifyChain(linksUpTo(records, head.position), head);
      const missing = check.kind === 'whole' ? await records.missingAuditEnd() : undefined;
      if (missing === undefined) return { kind: 'page', ...auditCheckPage(check) };
      const at = Math.min(missing.knownPosition, missing.lastPosition + 1);
      return { kind: 'page', ...auditCheckPage({ kind: 'broken', at, problem: 'lost' }) };
    }
    const filter = parseAuditFilter(typed, {
      timeZone: zoneOf(context),
      nowMs: context.now(),
      me: context.actor.personId,
    });
    if (filter.isCsv) return sendTrail(context, filter);
    const fitting: RecordedLink[] = [];
    let glances = 0;
    for await (const { record } of recordsThatFit(context, filter)) {
      if (filter.words.length === 0 && isGlance(record.entry, records)) glances += 1;
      else if (fitting.push(record) > shownAtMost) break;
    }
    const shown = { records: fitting.slice(0, shownAtMost), hasMore: fitting.length > shownAtMost, glances };
    return { kind: 'page', ...auditPage(shown, records.operation) };
  },
});

/** A list or an overview that somebody looked at. What they read about somebody or a quiz names it. */
function isGlance({ operation, action, targets = [] }: AuditEntry, records: Pick<Records, 'operation'>): boolean {
  return action === 'done' && targets.length === 0 && records.operation(operation)?.access === 'read';
}

async function sendTrail(context: OperationContext, filter: AuditFilter) {
  const { sendFile } = context;
  const rows: (string | number)[][] = [];
  for await (const { record, nameOf } of recordsThatFit(context, filter)) rows.push(rowOf(record, nameOf));
  const what = countOf(rows.length, 'entry of the audit trail', 'entries of the audit trail');
  await sendFile({
    name: 'audit.csv',
    comment: what,
    content: Buffer.from(formatCsv([columns, ...rows.toReversed()])),
  });
  return made(say`Sent ${what} as a CSV file to our direct messages.`);
}

const columns = [
  'position',
  'at (UTC)',
  'by',
  'operation',
  'outcome',
  'through',
  'to',
  'details',
  'why',
  'request',
  'reference',
  'hash',
  'by (name)',
];

function rowOf({ position, hash, entry }: RecordedLink, nameOf: AuditPeople['nameOf']): (string | number)[] {
  const targets = entry.targets?.map(({ kind, name, id }) => `${kind} ${name} (${id})`) ?? [];
  const details = [
    ...(entry.details?.map(({ label, value }) => `${label}: ${value}`) ?? []),
    ...(entry.approvedBy === undefined
      ? []
      : [`Rule approved by: ${nameOf(entry.approvedBy) ?? ''} (${entry.approvedBy})`]),
  ];
  return [
    position,
    new Date(entry.at).toISOString(),
    entry.by ?? '',
    entry.operation,
    entry.action,
    entry.through,
    targets.join('; '),
    details.join('; '),
    entry.message ?? '',
    entry.request ?? '',
    entry.correlationId,
    hash,
    (entry.by !== undefined && nameOf(entry.by)) || '',
  ];
}

/** Latest first, without what the person may not read. */
async function* recordsThatFit(
  context: OperationContext,
  filter: AuditFilter,
): AsyncGenerator<{ record: RecordedLink } & Pick<AuditPeople, 'nameOf'>> {
  const { records, rights } = context;
  const people = await auditPeople(context, filter);
  for (let before: number | undefined; ;) {
    const links = await records.latestLinks(pageSize, before);
    if (filter.words.length > 0 || filter.isCsv) await people.learn(links.map(({ entry }) => entry));
    for (const { entry, ...link } of links)
      if (fitsAuditFilter(entry, filter, people))
        yield {
          record: { ...link, entry: rights.has('manage_users') ? entry : withoutUserDetails(entry, records) },
          nameOf: people.nameOf,
        };
    before = links.at(-1)?.position;
    if (before === undefined) return;
  }
}

/** Without what was entered about a user: user names, and addresses in part. */
function withoutUserDetails(entry: AuditEntry, records: Pick<Records, 'operation'>): AuditEntry {
  const isOfUsers = records.operation(entry.operation)?.right === 'manage_users';
  return isOfUsers ? { ...entry, details: undefined, message: undefined } : entry;
}

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
async function auditPeople(
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
