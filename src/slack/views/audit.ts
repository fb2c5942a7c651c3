import type { OperationResult } from '../../operations/operation-result.ts';
import type { AuditAction, AuditEntry } from '../../domain/audit-chain.ts';
import { countOf } from './amounts.ts';
import { operationWords } from './request-words.ts';
import { textMessage, type Message } from './message.ts';
import { moment } from './moments.ts';
import { context, md, mention, section, sections, shortText, type Mrkdwn } from './mrkdwn.ts';

const signs: Record<AuditAction, string> = {
  done: '✅',
  refused: '🚫',
  failed: '⚠️',
  requested: '🙋',
  approved: '👍',
  denied: '⛔',
  withdrawn: '↩️',
  expired: '⌛',
};

/** One audit entry in one line. */
export function auditLine(entry: AuditEntry, timeZone: string): Mrkdwn {
  const who = entry.by ? mention(entry.by) : md`The bot`;
  const targets = entry.targets?.map(({ name }) => name).slice(0, 5).join(', ');
  const what = md`${operationWords(entry.operation)}${targets ? `: ${shortText(targets, 150)}` : ''}`;
  const why = entry.message ? md` · ${shortText(entry.message, 150)}` : md``;
  return md`${signs[entry.action]} ${moment(new Date(entry.at), timeZone)} · ${who} · *${what}* · ${entry.action}${why} · ${entry.correlationId}`;
}

/** A list of audit entries. */
export function auditMessage({ records, hasMore }: Extract<OperationResult, { kind: 'audit' }>, timeZone: string): Message {
  if (records.length === 0) return textMessage('🗒️', 'The audit trail has no such entry.');
  const heading = md`*The audit trail*, the latest first`;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...sections(records.map(({ entry }) => auditLine(entry, timeZone))),
      ...(hasMore ? [context(md`There is more: \`/quiz-admin audit since 7d\` narrows it, \`/quiz-admin audit csv\` sends all.`)] : []),
    ],
  };
}

const problems = { gap: 'an entry is missing', change: 'an entry was changed', end: 'the end does not fit', lost: 'entries that were recorded are missing or replaced' } as const;

/** The result of verifying the audit trail. */
export function auditCheckMessage({ check }: Extract<OperationResult, { kind: 'audit-check' }>): Message {
  if (check.kind === 'whole') {
    const last = check.hash ? ` The last hash is ${check.hash.slice(0, 16)}…; it stands in the log, too.` : '';
    return textMessage('✅', `The audit trail is whole: ${countOf(check.count, 'entry', 'entries')}, none missing, none changed.${last}`);
  }
  return textMessage('🚨', `The audit trail is broken at entry ${check.at}: ${problems[check.problem]}. Compare it with the log, which has every entry’s hash.`);
}
