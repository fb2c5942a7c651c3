import { parseAuditEntry, verifyChain, type AuditEntry, type ChainLink } from '../../domain/audit-chain.ts';
import type { OperationContext, Records, Right } from '../../operations/context.ts';
import { createUser } from '../users/create-user.ts';
import { formatCsv } from '../../operations/csv.ts';
import { zoneOf } from '../../operations/dates/person-zone.ts';
import { longestTime } from '../../operations/dates/time-expression.ts';
import { pastDays, resolveTime } from '../../operations/dates/typed-time.ts';
import { isMe } from '../../operations/fields/user.ts';
import { wallClock } from '../../time/wall-clock.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { listUsers } from '../users/list-users.ts';
import type { AuditRecord } from '../../operations/operation-result.ts';
import { defineOperation } from '../../operations/operation.ts';
import { linksUpTo } from '../../operations/trail-links.ts';
import { parseMention, partsOf } from '../../operations/typed-text.ts';
import { updateUser } from '../users/update-user.ts';
import { deleteUser } from '../users/delete-user.ts';
import { findUser } from '../users/find-user.ts';
import { reinstateUser, suspendUser } from '../users/suspend-and-reinstate.ts';
import { resetPassword } from '../users/reset-password.ts';
import { showUser } from '../users/show-user.ts';

/** Entries shown at once; the CSV file has all. */
const shownAtMost = 30;
const pageSize = 500;

export const showAudit = defineOperation({
  name: 'show-audit',
  command: '/quiz-admin audit [filter]',
  synonyms: ['log', 'history', 'trail'],
  summary:
    'Show who did what. Filter by @person, operation or since 7d; csv sends a file, verify checks that nothing was changed',
  title: 'Audit trail',
  isCommon: true,
  access: 'read',
  right: 'administrator',
  submit: 'Show',
  uses: ['records', 'sendFile'],
  fields: {
    filter: {
      kind: 'text',
      label: 'Only',
      hint: 'Any of: @person, close-quiz, since monday, csv. Or verify alone.',
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
      if (missing === undefined) return { kind: 'audit-check', check };
      return {
        kind: 'audit-check',
        check: { kind: 'broken', at: Math.min(missing.knownPosition, missing.lastPosition + 1), problem: 'lost' },
      };
    }
    const filter = parseAuditFilter(typed, {
      timeZone: zoneOf(context),
      nowMs: context.now(),
      me: context.actor.personId,
    });
    if (filter.isCsv) return sendTrail(context, filter);
    const fitting: AuditRecord[] = [];
    for await (const record of recordsThatFit(records, filter, context.rights))
      if (fitting.push(record) > shownAtMost) break;
    return { kind: 'audit', records: fitting.slice(0, shownAtMost), hasMore: fitting.length > shownAtMost };
  },
});

/** Which entries of the audit trail to show, and in which form. A missing property narrows nothing. */
export interface AuditFilter {
  /** Id of the person who acted. */
  by?: string;
  /** Name of the operation. */
  operation?: string;
  /** Milliseconds since the epoch; `untilMs` is the first moment after. */
  sinceMs?: number;
  untilMs?: number;
  isCsv: boolean;
}

/**
 * Reads a filter as people type it: a mention or `me`, the name of an operation, `since monday`, `since 7d` or `last week`, and
 * `csv`, in any order.
 * @throws {InvalidInputError}
 */
export function parseAuditFilter(
  text: string,
  { timeZone, nowMs, me }: { timeZone: string; nowMs: number; me?: string },
): AuditFilter {
  const filter: AuditFilter = { isCsv: false };
  const words = partsOf(text).map(({ text: word }) => word);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const mention = parseMention(word);
    const days = longestTime([word, ...words.slice(0, 9)]);
    const past = days && pastDays(days.time, { timeZone, nowMs });
    if (mention?.kind === 'person') filter.by = mention.id;
    else if (isMe(word) && me !== undefined) filter.by = me;
    else if (word.toLowerCase() === 'csv') filter.isCsv = true;
    else if (word.toLowerCase() === 'since') filter.sinceMs = takeSince(words, { timeZone, nowMs });
    else if (days && past) {
      const clock = wallClock(timeZone);
      words.splice(0, days.length - 1);
      filter.sinceMs = clock.firstMomentOf(past.first);
      if (past.last !== undefined) filter.untilMs = clock.firstMomentOf(past.last + dayMs);
    } else if (/^[a-z]+(-[a-z]+)+$/i.test(word)) filter.operation = word.toLowerCase();
    else
      throw invalid(
        `I can’t read “${word}”. Filter by @person, an operation such as close-quiz, or since 7d, and add csv for a file.`,
      );
  }
  return filter;
}

export function fitsAuditFilter({ by, operation, at }: AuditEntry, filter: AuditFilter): boolean {
  if (filter.by !== undefined && by !== filter.by) return false;
  if (filter.operation !== undefined && operation !== filter.operation) return false;
  if (filter.untilMs !== undefined && at >= filter.untilMs) return false;
  return filter.sinceMs === undefined || at >= filter.sinceMs;
}

const dayMs = 24 * 60 * 60_000;

/** Takes the time from the words that follow “since”. @returns milliseconds since the epoch */
function takeSince(words: string[], { timeZone, nowMs }: { timeZone: string; nowMs: number }): number {
  const found = longestTime(words.slice(0, 10));
  if (found === undefined)
    throw invalid('After “since” comes a day or a time, such as since monday, since 15 nov or since 7d.');
  words.splice(0, found.length);
  const time = resolveTime(found.time, { nowMs, timeZone, direction: 'past' });
  if (time.kind === 'problem') throw invalid(time.message);
  return time.atMs;
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError('filter', message);
}

async function sendTrail({ records, rights, sendFile }: OperationContext<'records' | 'sendFile'>, filter: AuditFilter) {
  const rows: (string | number)[][] = [];
  for await (const { link, entry } of recordsThatFit(records, filter, rights)) rows.push(rowOf(link, entry));
  const what = `${rows.length} ${rows.length === 1 ? 'entry' : 'entries'} of the audit trail`;
  await sendFile({
    name: 'audit.csv',
    comment: what,
    content: Buffer.from(formatCsv([columns, ...rows.toReversed()])),
  });
  return { kind: 'done', message: `Sent ${what} as a CSV file to our direct messages.` } as const;
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
];

function rowOf({ position, hash }: ChainLink, entry: AuditEntry): (string | number)[] {
  const targets = entry.targets?.map(({ kind, name, id }) => `${kind} ${name} (${id})`) ?? [];
  const details = entry.details?.map(({ label, value }) => `${label}: ${value}`) ?? [];
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
  ];
}

/** Latest first, without what a person with these rights may not read. */
async function* recordsThatFit(
  records: Records,
  filter: AuditFilter,
  rights: ReadonlySet<Right>,
): AsyncGenerator<AuditRecord> {
  for (let before: number | undefined; ;) {
    const links = await records.latestLinks(pageSize, before);
    for (const link of links) {
      const entry = parseAuditEntry(link.text);
      if (fitsAuditFilter(entry, filter))
        yield { link, entry: rights.has('manage_users') ? entry : withoutUserDetails(entry) };
    }
    before = links.at(-1)?.position;
    if (before === undefined) return;
  }
}

const operationsOnUsers = new Set(
  [listUsers, showUser, findUser, createUser, updateUser, suspendUser, reinstateUser, resetPassword, deleteUser].map(
    ({ name }) => name,
  ),
);

/** Without what was entered about a user: user names, and addresses in part. */
function withoutUserDetails(entry: AuditEntry): AuditEntry {
  return operationsOnUsers.has(entry.operation) ? { ...entry, details: undefined, message: undefined } : entry;
}
