import { parseAuditEntry, verifyChain, type AuditEntry, type ChainLink } from '../domain/audit-chain.ts';
import { fitsAuditFilter, parseAuditFilter, type AuditFilter } from './audit-filter.ts';
import { defineOperation, type OperationContext } from './operation.ts';
import type { Records } from './records.ts';
import type { AuditRecord } from './operation-result.ts';
import { formatCsv } from './results/csv.ts';

/** Entries shown at once; the CSV file has all. */
const shownAtMost = 30;
const pageSize = 500;

export const listRequests = defineOperation({
  name: 'list-requests',
  command: '/quiz-admin approvals',
  summary: 'What waits for somebody’s approval',
  access: 'read',
  right: 'staff',
  submit: 'List',
  fields: {},
  async run({ records }) {
    return { kind: 'requests', requests: await records.openRequests() };
  },
});

export const showAudit = defineOperation({
  name: 'show-audit',
  command: '/quiz-admin audit [filter]',
  summary: 'Who did what: by @somebody, an operation, since 2026-11-01 or 7d; csv sends a file, verify checks that nothing was changed',
  access: 'read',
  right: 'administrator',
  submit: 'Show',
  fields: { filter: { kind: 'text', label: 'Only', hint: '@somebody, close-quiz, since 2026-11-01, since 7d, csv, or verify', maxLength: 250, optional: true } },
  async run(context, { filter: typed = '' }) {
    const { records } = context;
    if (typed.trim().toLowerCase() === 'verify') {
      // The head first: entries that come meanwhile are not missing.
      const head = await records.auditHead();
      return { kind: 'audit-check', check: await verifyChain(linksUpTo(records, head.position), head) };
    }
    const filter = parseAuditFilter(typed, { timeZone: context.timeZone, nowMs: context.now() });
    if (filter.isCsv) return sendTrail(context, filter);
    const fitting: AuditRecord[] = [];
    for await (const record of recordsThatFit(records, filter)) if (fitting.push(record) > shownAtMost) break;
    return { kind: 'audit', records: fitting.slice(0, shownAtMost), hasMore: fitting.length > shownAtMost };
  },
});

export const showStatus = defineOperation({
  name: 'show-status',
  command: '/quiz-admin status',
  summary: 'How the bot is doing: quiz service, requests left, webhooks, alerts, approvals, audit trail',
  access: 'read',
  right: 'administrator',
  submit: 'Show',
  fields: {},
  async run({ records }) {
    const [status, requests, head] = await Promise.all([records.status(), records.openRequests(), records.auditHead()]);
    return { kind: 'status', status, openRequests: requests.length, auditEntries: head.position };
  },
});

export const whoAmI = defineOperation({
  name: 'who-am-i',
  command: '/quiz-admin whoami',
  summary: 'Who you are in the quiz account, and what you may do',
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  async run({ actor, rights }) {
    return { kind: 'who', actor, rights: [...rights] };
  },
});

async function sendTrail({ records, sendFile }: OperationContext, filter: AuditFilter) {
  const rows: (string | number)[][] = [];
  for await (const { link, entry } of recordsThatFit(records, filter)) rows.push(rowOf(link, entry));
  const what = `${rows.length} ${rows.length === 1 ? 'entry' : 'entries'} of the audit trail`;
  await sendFile({ name: 'audit.csv', comment: what, content: Buffer.from(formatCsv([columns, ...rows.toReversed()])) });
  return { kind: 'done', message: `${what}: the CSV file is in our direct messages.` } as const;
}

const columns = ['position', 'at (UTC)', 'by', 'operation', 'outcome', 'through', 'to', 'details', 'why', 'request', 'reference', 'hash'];

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

/** The latest first. */
async function* recordsThatFit(records: Records, filter: AuditFilter): AsyncGenerator<AuditRecord> {
  for (let before: number | undefined; ; ) {
    const links = await records.latestLinks(pageSize, before);
    for (const link of links) {
      const entry = parseAuditEntry(link.text);
      if (fitsAuditFilter(entry, filter)) yield { link, entry };
    }
    before = links.at(-1)?.position;
    if (before === undefined) return;
  }
}

async function* linksUpTo(records: Records, last: number): AsyncGenerator<ChainLink> {
  for (let after = 0; ; ) {
    const links = (await records.linksSince(after, pageSize)).filter(({ position }) => position <= last);
    yield* links;
    after = links.at(-1)?.position ?? last;
    if (after >= last) return;
  }
}
