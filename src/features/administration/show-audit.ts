import { verifyChain, type AuditEntry } from '../../domain/audit-chain.ts';
import { auditPeople, fitsAuditFilter, parseAuditFilter, type AuditFilter, type AuditPeople } from './audit-filter.ts';
import type { OperationContext } from '../../operations/context.ts';
import { createUser } from '../users/create-user.ts';
import { formatCsv } from '../../operations/table-file.ts';
import { zoneOf } from '../../operations/dates/time-of-day.ts';
import { listUsers } from '../users/list-users.ts';
import type { AuditRecord } from '../../operations/operation-result.ts';
import { defineOperation } from '../../operations/operation.ts';
import { linksUpTo, type Records } from '../../operations/services/records.ts';
import { updateUser } from '../users/update-user.ts';
import { erasePerson } from '../erasing/operations/erase-person.ts';
import { deleteUser } from '../users/delete-user.ts';
import { findUser, showUser } from '../users/show-user.ts';
import { reinstateUser, suspendUser } from '../users/suspend-and-reinstate.ts';
import { resetPassword } from '../users/reset-password.ts';
import { say, countOf } from '../../domain/said.ts';
import { auditCheckPage, auditPage } from './pages/audit.ts';

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
    const fitting: AuditRecord[] = [];
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
  return { kind: 'done', message: say`Sent ${what} as a CSV file to our direct messages.` } as const;
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

function rowOf({ link: { position, hash }, entry }: AuditRecord, nameOf: AuditPeople['nameOf']): (string | number)[] {
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
): AsyncGenerator<{ record: AuditRecord } & Pick<AuditPeople, 'nameOf'>> {
  const { records, rights } = context;
  const people = await auditPeople(context, filter);
  for (let before: number | undefined; ;) {
    const links = await records.latestLinks(pageSize, before);
    if (filter.words.length > 0 || filter.isCsv) await people.learn(links.map(({ entry }) => entry));
    for (const { position, text, hash, entry } of links)
      if (fitsAuditFilter(entry, filter, people))
        yield {
          record: {
            link: { position, text, hash },
            entry: rights.has('manage_users') ? entry : withoutUserDetails(entry),
          },
          nameOf: people.nameOf,
        };
    before = links.at(-1)?.position;
    if (before === undefined) return;
  }
}

const operationsOnUsers = new Set(
  [
    listUsers,
    showUser,
    findUser,
    createUser,
    updateUser,
    suspendUser,
    reinstateUser,
    resetPassword,
    deleteUser,
    erasePerson,
  ].map(({ name }) => name),
);

/** Without what was entered about a user: user names, and addresses in part. */
function withoutUserDetails(entry: AuditEntry): AuditEntry {
  return operationsOnUsers.has(entry.operation) ? { ...entry, details: undefined, message: undefined } : entry;
}
