import type { KnownBlock } from '@slack/types';
import { fullName } from '../../directory/names.ts';
import type { AlertsStatus, WebhooksStatus } from '../../operations/records.ts';
import type { Result } from '../../operations/result.ts';
import type { AuditAction, AuditEntry } from '../../storage/audit-chain.ts';
import type { ApprovalRequest } from '../../storage/approval-request.ts';
import { reviewButton } from './approval.ts';
import { operationWords, reasonLine, requestTitle } from './approval-words.ts';
import { countOf } from './listing.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, md, mention, section, sections, shortName, shortText, type Mrkdwn } from './mrkdwn.ts';
import { sentenceMessage } from './sentence.ts';

type Of<Kind extends Result['kind']> = Extract<Result, { kind: Kind }>;

const requestsShown = 10;

/** What waits for approval, each with its Review button. */
export function requestsMessage({ requests }: Of<'requests'>, timeZone: string): Message {
  if (requests.length === 0) return sentenceMessage('✅', 'Nothing waits for approval.');
  const heading = md`*${countOf(requests.length, 'request', 'requests')}* for approval`;
  const left = requests.length - requestsShown;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...requests.slice(0, requestsShown).flatMap((request) => requestBlocks(request, timeZone)),
      ...(left > 0 ? [context(md`…and ${left} more.`)] : []),
    ],
  };
}

/** One of several requests: who wants what, why and until when. */
export function requestBlocks(request: ApprovalRequest, timeZone: string): KnownBlock[] {
  const until = md`until ${moment(new Date(request.expiresAt), timeZone)}`;
  return [section(md`🙋 ${mention(request.requesterId)}: *${requestTitle(request)}* · ${until}\n${reasonLine(request)}`), reviewButton(request)];
}

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

/** One entry of the audit trail, in a line. */
export function auditLine(entry: AuditEntry, timeZone: string): Mrkdwn {
  const who = entry.by ? mention(entry.by) : md`The bot`;
  const targets = entry.targets?.map(({ name }) => name).slice(0, 5).join(', ');
  const what = md`${operationWords(entry.operation)}${targets ? `: ${shortText(targets, 150)}` : ''}`;
  const why = entry.sentence ? md` · ${shortText(entry.sentence, 150)}` : md``;
  return md`${signs[entry.action]} ${moment(new Date(entry.at), timeZone)} · ${who} · *${what}* · ${entry.action}${why} · ${entry.reference}`;
}

export function auditMessage({ records, hasMore }: Of<'audit'>, timeZone: string): Message {
  if (records.length === 0) return sentenceMessage('🗒️', 'The audit trail has no such entry.');
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

const problems = { gap: 'an entry is missing', change: 'an entry was changed', end: 'the end does not fit' } as const;

export function auditCheckMessage({ check }: Of<'audit-check'>): Message {
  if (check.kind === 'whole') {
    const last = check.hash ? ` The last hash is ${check.hash.slice(0, 16)}…; it stands in the log, too.` : '';
    return sentenceMessage('✅', `The audit trail is whole: ${countOf(check.count, 'entry', 'entries')}, none missing, none changed.${last}`);
  }
  return sentenceMessage('🚨', `The audit trail is broken at entry ${check.at}: ${problems[check.problem]}. Compare it with the log, which has every entry’s hash.`);
}

export function statusMessage({ status, openRequests, auditEntries }: Of<'status'>, timeZone: string): Message {
  const { isServiceWell, requestsLeft, alerts } = status;
  const service = isServiceWell === undefined ? '⚪ not asked yet' : isServiceWell ? '🟢 answers' : '🔴 does not answer';
  const budget = requestsLeft.map(({ windowMs, left, limit }) => `${left} of ${limit} ${windowMs <= 60_000 ? 'this minute' : 'this hour'}`).join(', ');
  const lines = [
    md`*Quiz service* ${service}`,
    md`*Requests left* ${budget}`,
    ...webhookLines(alerts.webhooks, timeZone),
    ...alertLines(alerts, timeZone),
    md`*Requests for approval* ${openRequests} open`,
    md`*Audit trail* ${countOf(auditEntries, 'entry', 'entries')}`,
  ];
  return { text: 'State of the bot', blocks: [section(md`*State of the bot*`), ...sections(lines)] };
}

function webhookLines({ since, lastAt, taken, missed, refused, lastRefusedAt }: WebhooksStatus, timeZone: string): Mrkdwn[] {
  const at = (time: number) => moment(new Date(time), timeZone);
  const counted = since === undefined ? md`` : md` since ${at(since)}`;
  const last = lastAt === undefined ? md`none came yet` : md`the last came ${at(lastAt)} · ${count(taken)} taken${counted}`;
  const late = missed > 0 ? md` · ${count(missed)} never came and were found by asking the service` : md``;
  const sum = refused.reduce((total, reason) => total + reason.count, 0);
  if (sum === 0) return [md`*Webhooks* ${last}${late}`];
  const lastRefused = lastRefusedAt === undefined ? md`` : md`, the last ${at(lastRefusedAt)}`;
  return [
    md`*Webhooks* ${last}${late}`,
    md`*Webhooks refused* ⚠️ ${count(sum)}${counted}${lastRefused}`,
    ...refused.map((reason) => md`• ${shortText(reason.reason, 150)}: ${count(reason.count)}`),
  ];
}

function alertLines({ events, waiting, channels, oldestAt, subscriptions, paused }: AlertsStatus, timeZone: string): Mrkdwn[] {
  const where = waiting > 0 ? md` in ${countOf(channels, 'channel', 'channels')}` : md``;
  const oldest = oldestAt === undefined ? md`` : md`, the oldest since ${moment(new Date(oldestAt), timeZone)}`;
  const undistributed = events > 0 ? md` · ${countOf(events, 'webhook', 'webhooks')} not looked at yet` : md``;
  return [
    md`*Alerts waiting* ${count(waiting)}${where}${oldest}${undistributed}`,
    md`*Subscriptions* ${count(subscriptions)}${paused > 0 ? md`, ⏸️ ${count(paused)} paused: \`/quiz-alerts list\`` : md``}`,
  ];
}

function count(number: number): string {
  return number.toLocaleString('en');
}

const rightWords = {
  staff: 'see every quiz',
  edit_quizzes: 'edit quizzes',
  manage_users: 'manage users',
  manage_groups: 'manage groups',
  administrator: 'do everything an administrator may',
} as const;

export function whoMessage({ actor, rights }: Of<'who'>): Message {
  const may = Object.entries(rightWords).filter(([right]) => rights.some((held) => held === right)).map(([, words]) => words);
  const who = actor.user
    ? md`You are *${shortName(fullName(actor.user))}*, ${actor.user.user_type} in the quiz account, as \`${shortName(actor.user.user_name)}\`.`
    : md`You are an *owner* of this bot, and so an administrator of the quiz account.`;
  const what = may.length === 0 ? md`You can see what is assigned to you, and what you scored.` : md`You may ${new Intl.ListFormat('en').format(may)}.`;
  return { text: who.mrkdwn, blocks: [section(who), section(what)] };
}
