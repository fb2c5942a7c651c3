import type { AlertsStatus, WebhooksStatus } from '../../domain/alerts-status.ts';
import type { BotStatus } from '../../operations/context.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { countOf } from './amounts.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { md, section, sections, shortText, type Mrkdwn } from './mrkdwn.ts';

/** The bot's state, for administrators. */
export function statusMessage({ status, openRequests, auditEntries, isAuditWhole }: Extract<OperationResult, { kind: 'status' }>, timeZone: string): Message {
  const lines = [
    md`*Quiz service* ${serviceWords(status)}`,
    md`*Requests left* ${requestsLeftWords(status)}`,
    ...webhookLines(status.alerts.webhooks, timeZone),
    ...alertLines(status.alerts, timeZone),
    md`*Requests for approval* ${openRequests} open`,
    md`*Audit trail* ${countOf(auditEntries, 'entry', 'entries')}${isAuditWhole ? md`` : md`, 🚨 some are missing: \`/quiz-admin audit verify\``}`,
  ];
  return { text: 'State of the bot', blocks: [section(md`*State of the bot*`), ...sections(lines)] };
}

/** Says whether the quiz service answers. */
export function serviceWords({ isServiceWell }: Pick<BotStatus, 'isServiceWell'>): string {
  if (isServiceWell === undefined) return '⚪ not asked yet';
  return isServiceWell ? '🟢 answers' : '🔴 does not answer';
}

/** The requests left in each window of the budget. */
export function requestsLeftWords({ requestsLeft }: Pick<BotStatus, 'requestsLeft'>): string {
  return requestsLeft.map(({ windowMs, left, limit }) => `${left} of ${limit} ${windowMs <= 60_000 ? 'this minute' : 'this hour'}`).join(', ');
}

function webhookLines({ since, lastAt, taken, backfilled, refused, lastRefusedAt }: WebhooksStatus, timeZone: string): Mrkdwn[] {
  const at = (time: number) => moment(new Date(time), timeZone);
  const counted = since === undefined ? md`` : md` since ${at(since)}`;
  const last = lastAt === undefined ? md`none came yet` : md`the last came ${at(lastAt)} · ${count(taken)} taken${counted}`;
  const late = backfilled > 0 ? md` · ${count(backfilled)} never came and were found by asking the service` : md``;
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
