import type { AlertsStatus, RefusedSignature, SetAsideEvent, WebhooksStatus } from '../../../domain/alerts-status.ts';
import type { BotStatus, UndeliveredStatus } from '../../../operations/context.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { noManagersWords } from '../../../operations/wording/no-managers.ts';
import { serviceMeaning } from '../../../quiz-api/service-finding.ts';
import { countOf } from '../../../domain/said.ts';
import { findingLine } from './finding.ts';
import type { Message } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { md, section, sections, sentenceMrkdwn, shortText, type Mrkdwn } from '../blocks/mrkdwn.ts';

/** The status of the bot, for administrators. */
export function statusMessage(
  { status, openRequests, auditEntries }: Extract<OperationResult, { kind: 'status' }>,
  timeZone: string,
): Message {
  const lines = [
    ...findingLines(status, timeZone),
    md`*Quiz service* ${serviceWords(status)}`,
    ...unreadableLines(status),
    md`*Service requests left* ${requestsLeftWords(status)}`,
    ...webhookLines(status.alerts.webhooks, timeZone),
    ...setAsideLines(status.alerts.webhooks, timeZone),
    ...alertLines(status.alerts, timeZone),
    ...undeliveredLines(status.undelivered, timeZone),
    ...doNotDisturbLines(status),
    ...managerLines(status),
    ...agentLines(status),
    md`*Approvals* ${countOf(openRequests, 'open request', 'open requests')}`,
    md`*Audit trail* ${countOf(auditEntries, 'entry', 'entries')}`,
    ...evidenceLines(status, timeZone),
  ];
  return { text: 'Bot status', blocks: [section(md`*Bot status*`), ...sections(lines)] };
}

/** What is not as it should be. The quiz service has a line of its own, also where it answers. */
function findingLines({ health }: Pick<BotStatus, 'health'>, timeZone: string): Mrkdwn[] {
  return health.flatMap(({ check, finding }) =>
    finding && check.name !== serviceMeaning.name ? [findingLine(finding, timeZone)] : [],
  );
}

/** Says whether the quiz service answers. */
export function serviceWords({ health }: Pick<BotStatus, 'health'>): string {
  const finding = health.find(({ check }) => check.name === serviceMeaning.name)?.finding;
  if (finding === undefined) return '🟢 up';
  return finding.effect === 'unknown' ? '⚪ not called yet' : '🔴 not answering';
}

/** The records of the service that are left out. Everything else works. */
function unreadableLines({ unreadable }: Pick<BotStatus, 'unreadable'>): Mrkdwn[] {
  return unreadable.map(({ list, count: records, reason }) => {
    const singular = singulars[list] ?? list;
    return md`⚠️ Couldn’t read ${countOf(records, singular, list)}: ${shortText(reason, 150)}`;
  });
}

const singulars: Readonly<Record<string, string>> = {
  users: 'user',
  quizzes: 'quiz',
  groups: 'group',
  responses: 'response',
  questions: 'question',
};

/** The requests left in each window of the budget. */
export function requestsLeftWords({ requestsLeft }: Pick<BotStatus, 'requestsLeft'>): string {
  return requestsLeft
    .map(
      ({ windowMs, left, limit }) =>
        `${count(left)} of ${count(limit)} ${windowMs <= 60_000 ? 'this minute' : 'this hour'}`,
    )
    .join(', ');
}

function webhookLines(
  { since, lastAt, taken, backfilled, refused, lastRefusedAt, refusedSignatures }: WebhooksStatus,
  timeZone: string,
): Mrkdwn[] {
  const at = (time: number) => moment(new Date(time), timeZone);
  const counted = since === undefined ? md`` : md` since ${at(since)}`;
  const last =
    lastAt === undefined ? md`none received yet` : md`last received ${at(lastAt)} · ${count(taken)} received${counted}`;
  const late = backfilled > 0 ? md` · ${count(backfilled)} never came, so the bot looked up their submissions` : md``;
  const sum = refused.reduce((total, reason) => total + reason.count, 0);
  if (sum === 0) return [md`*Webhooks* ${last}${late}`];
  const lastRefused = lastRefusedAt === undefined ? md`` : md`, most recently ${at(lastRefusedAt)}`;
  return [
    md`*Webhooks* ${last}${late}`,
    md`*Webhooks refused* ⚠️ ${count(sum)}${counted}${lastRefused}`,
    ...refused.map((reason) => md`• ${shortText(reason.reason, 150)}: ${count(reason.count)}`),
    ...refusedSignatures.map((refusal) => md`• ${at(refusal.at)}: ${shortText(refusalWords(refusal), 600)}`),
  ];
}

/** Which schemes were tried, what each lacked, and which headers came instead: names, never values. */
function refusalWords({ tried, headers }: RefusedSignature): string {
  const schemes = tried.map(({ scheme, problem }) => `${scheme}: ${problem}`).join('; ');
  const came =
    headers.length === 0
      ? 'The request had no header that could be a signature.'
      : `Headers in the request: ${headers.join(', ')}.`;
  return `Tried ${schemes}. ${came}`;
}

/** The submissions that the bot gave up, and the first few of them. */
function setAsideLines({ setAside: { count: number, events } }: WebhooksStatus, timeZone: string): Mrkdwn[] {
  if (number === 0) return [];
  return [
    md`*Not announced* ⚠️ ${countOf(number, 'submission', 'submissions')}: every try failed`,
    ...events.map((event) => md`• ${setAsideWords(event)}, first tried ${moment(new Date(event.since), timeZone)}`),
  ];
}

function setAsideWords({ quizName, name }: SetAsideEvent): Mrkdwn {
  const quiz = quizName === null ? 'an unknown quiz' : shortText(quizName, 150);
  return name === null ? md`A submission of ${quiz}` : md`${shortText(name, 150)}, ${quiz}`;
}

function alertLines(
  { events, postponed, waiting, channels, oldestAt, subscriptions, paused }: AlertsStatus,
  timeZone: string,
): Mrkdwn[] {
  const where = waiting > 0 ? md` in ${countOf(channels, 'channel', 'channels')}` : md``;
  const oldest = oldestAt === undefined ? md`` : md`, oldest from ${moment(new Date(oldestAt), timeZone)}`;
  const undistributed = events > 0 ? md` · ${countOf(events, 'webhook', 'webhooks')} not processed yet` : md``;
  const retried = postponed > 0 ? md` · ${countOf(postponed, 'webhook', 'webhooks')} to be retried` : md``;
  return [
    md`*Alerts waiting* ${count(waiting)}${where}${oldest}${undistributed}${retried}`,
    md`*Subscriptions* ${count(subscriptions)}${paused > 0 ? md`, ⏸️ ${count(paused)} paused: \`/quiz-alerts list\`` : md``}`,
  ];
}

function undeliveredLines({ count: undelivered, lastAt }: UndeliveredStatus, timeZone: string): Mrkdwn[] {
  if (undelivered === 0) return [];
  const last = lastAt === undefined ? md`` : md`, most recently ${moment(new Date(lastAt), timeZone)}`;
  return [
    md`*Undelivered messages* ⚠️ ${count(undelivered)}${last}: Slack doesn’t let the bot message their recipients. The log names them.`,
  ];
}

/** Reminders go out all the same. */
function doNotDisturbLines({ seesDoNotDisturb }: Pick<BotStatus, 'seesDoNotDisturb'>): Mrkdwn[] {
  if (seesDoNotDisturb !== false) return [];
  return [
    md`*Do not disturb* ⚠️ Slack doesn’t show it to the bot, so reminders can reach people who have paused notifications. The person who installed the bot can add the scope \`dnd:read\`.`,
  ];
}

/** Campaigns that escalate to managers tell their leads. */
function managerLines({ noManagers }: Pick<BotStatus, 'noManagers'>): Mrkdwn[] {
  return noManagers === undefined ? [] : [md`*Managers* ⚠️ ${sentenceMrkdwn(noManagersWords(noManagers, 'Slack'))}`];
}

/** An auditor compares the fingerprint with the one in a pack, so it is written in full. */
function evidenceLines({ evidenceKey }: Pick<BotStatus, 'evidenceKey'>, timeZone: string): Mrkdwn[] {
  if (evidenceKey === undefined) return [];
  const { fingerprint, from } = evidenceKey;
  return [md`*Evidence packs* signed since ${moment(new Date(from), timeZone)} with the key \`${fingerprint}\``];
}

function agentLines({ agents }: Pick<BotStatus, 'agents'>): Mrkdwn[] {
  if (agents === undefined) return [];
  if (agents === 'unsigned')
    return [
      md`*Slackbot and agents* ⚠️ off: \`MCP_ENABLED\` is true, but Slackbot needs a public address and \`SLACK_SIGNING_SECRET\`, which Socket Mode alone doesn’t have.`,
    ];
  return [md`*Slackbot and agents* ${agents === 'on' ? '🟢 on' : '⚪ off'}`];
}

function count(number: number): string {
  return number.toLocaleString('en');
}
