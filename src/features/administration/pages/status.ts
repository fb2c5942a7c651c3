import type { AlertsStatus, RefusedSignature, SetAsideEvent, WebhooksStatus } from '../../../domain/alerts-status.ts';
import type { Finding } from '../../../domain/finding.ts';
import { amount, asSaid, countOf, joinSaid, say, shortName } from '../../../domain/said.ts';
import type { Page } from '../../../operations/page.ts';
import type { BotStatus, UndeliveredStatus } from '../../../operations/services/records.ts';
import { noManagersWords } from '../../../operations/wording/words.ts';
import { keyRefused, serviceMeaning } from '../../../quiz-api/observed-quiz-api.ts';
import { moment } from '../../../time/date-words.ts';

/** What administrators read of the bot. */
interface Shown {
  status: BotStatus;
  openRequests: number;
  auditEntries: number;
}

/** The status of the bot, for administrators. */
export function statusPage({ status, openRequests, auditEntries }: Shown): Page {
  return {
    heading: say`*Bot status*`,
    notification: say`Bot status`,
    parts: [
      {
        lines: [
          ...findingLines(status),
          say`*Quiz service* ${serviceWords(status)}`,
          ...unreadableLines(status),
          say`*Service requests left* ${requestsLeftWords(status)}`,
          ...webhookLines(status.alerts.webhooks),
          ...setAsideLines(status.alerts.webhooks),
          ...alertLines(status.alerts),
          undeliveredLine(status.undelivered),
          refusedLine(status),
          // Reminders go out all the same.
          status.seesDoNotDisturb === false &&
            say`*Do not disturb* ⚠️ Slack doesn’t show it to the bot, so reminders can reach people who have paused notifications. The person who installed the bot can add the scope \`dnd:read\`.`,
          // Campaigns that escalate to managers tell their leads.
          status.noManagers && say`*Managers* ⚠️ ${noManagersWords(status.noManagers, 'Slack')}`,
          agentLine(status),
          say`*Approvals* ${countOf(openRequests, 'open request', 'open requests')}`,
          say`*Audit trail* ${countOf(auditEntries, 'entry', 'entries')}`,
          evidenceLine(status),
        ],
      },
    ],
  };
}

/** What is not as it should be. The quiz service has a line of its own, also where it answers. */
function findingLines({ health }: Pick<BotStatus, 'health'>): string[] {
  return health.flatMap(({ check, finding }) =>
    finding && check.name !== serviceMeaning.name ? [findingLine(finding)] : [],
  );
}

/** Says whether the quiz service answers. */
export function serviceWords({ health }: Pick<BotStatus, 'health'>): string {
  const finding = health.find(({ check }) => check.name === serviceMeaning.name)?.finding;
  if (finding === undefined) return say`🟢 up`;
  if (finding.code === keyRefused) return say`🔴 refuses the bot’s API key`;
  return finding.effect === 'unknown' ? say`⚪ not called yet` : say`🔴 not answering`;
}

/** The records of the service that are left out. Everything else works. */
function unreadableLines({ unreadable }: Pick<BotStatus, 'unreadable'>): string[] {
  return unreadable.map(({ list, count: records, reason }) => {
    const counted = countsOfLists[list]?.(records) ?? `${amount(records)} ${list}`;
    return say`⚠️ Couldn’t read ${counted}: ${shortName(reason, 150)}`;
  });
}

const countsOfLists: Readonly<Record<string, (records: number) => string>> = {
  users: (records) => countOf(records, 'user', 'users'),
  quizzes: (records) => countOf(records, 'quiz', 'quizzes'),
  groups: (records) => countOf(records, 'group', 'groups'),
  responses: (records) => countOf(records, 'response', 'responses'),
  questions: (records) => countOf(records, 'question', 'questions'),
};

/** The requests left in each window of the budget. */
export function requestsLeftWords({ requestsLeft }: Pick<BotStatus, 'requestsLeft'>): string {
  return requestsLeft
    .map(({ windowMs, left, limit }) =>
      windowMs <= 60_000
        ? say`${amount(left)} of ${amount(limit)} this minute`
        : say`${amount(left)} of ${amount(limit)} this hour`,
    )
    .join(', ');
}

function webhookLines({
  since,
  lastAt,
  taken,
  backfilled,
  refused,
  lastRefusedAt,
  refusedSignatures,
}: WebhooksStatus): string[] {
  const at = (time: number) => moment(time);
  const received = amount(taken);
  const counted = since === undefined ? say`${received} received` : say`${received} received since ${at(since)}`;
  const last = lastAt === undefined ? [say`none received yet`] : [say`last received ${at(lastAt)}`, counted];
  const late = backfilled > 0 ? [say`${amount(backfilled)} never came, so the bot looked up their submissions`] : [];
  const sum = refused.reduce((total, reason) => total + reason.count, 0);
  const line = say`*Webhooks* ${joinSaid([...last, ...late], ' · ')}`;
  if (sum === 0) return [line];
  const refusedSince = since === undefined ? say`${amount(sum)}` : say`${amount(sum)} since ${at(since)}`;
  const lastRefused = lastRefusedAt === undefined ? [] : [say`most recently ${at(lastRefusedAt)}`];
  return [
    line,
    say`*Webhooks refused* ⚠️ ${joinSaid([refusedSince, ...lastRefused], ', ')}`,
    ...refused.map(
      (reason) => say`• ${refusalReasons[reason.reason] ?? shortName(reason.reason, 150)}: ${amount(reason.count)}`,
    ),
    ...refusedSignatures.map((refusal) => say`• ${at(refusal.at)}: ${shortName(refusalWords(refusal), 600)}`),
  ];
}

/** Why webhooks were refused, as the counters call it. */
const refusalReasons: Readonly<Record<string, string>> = {
  'the signature does not match': say`the signature does not match`,
  'the timestamp is missing or too far away': say`the timestamp is missing or too far away`,
  'the signature is missing': say`the signature is missing`,
  'no secret is configured': say`no secret is configured`,
  'the address is wrong': say`the address is wrong`,
  'the body is over 1 MiB': say`the body is over 1 MiB`,
  'too much came at once': say`too much came at once`,
  malformed: say`malformed`,
  'the body is compressed, such as with gzip': say`the body is compressed, such as with gzip`,
  'the body is not in UTF-8 (charset)': say`the body is not in UTF-8 (charset)`,
};

/** Which schemes were tried, what each lacked, and which headers came instead: names, never values. */
function refusalWords({ tried, headers, path }: RefusedSignature): string {
  if (path !== undefined) return say`Sent to \`${path}\`, where the bot takes no webhooks.`;
  const schemes = tried.map(({ scheme, problem }) => `${scheme}: ${problem}`).join('; ');
  const came =
    headers.length === 0
      ? say`The request had no header that could be a signature.`
      : say`Headers in the request: ${headers.join(', ')}.`;
  return `${say`Tried ${schemes}.`} ${came}`;
}

/** The submissions that the bot gave up, and the first few of them. */
function setAsideLines({ setAside: { count: number, events } }: WebhooksStatus): string[] {
  if (number === 0) return [];
  return [
    say`*Not announced* ⚠️ ${countOf(number, 'submission', 'submissions')}: every try failed`,
    ...events.map((event) => say`• ${setAsideWords(event)}, first tried ${moment(event.since)}`),
  ];
}

function setAsideWords({ quizName, name }: SetAsideEvent): string {
  const quiz = quizName === null ? undefined : shortName(quizName, 150);
  if (name === null) return quiz === undefined ? say`A submission of an unknown quiz` : say`A submission of ${quiz}`;
  return say`${shortName(name, 150)}, ${quiz ?? say`an unknown quiz`}`;
}

function alertLines({ events, postponed, waiting, channels, oldestAt, subscriptions, paused }: AlertsStatus): string[] {
  const waits =
    waiting > 0 ? say`${amount(waiting)} in ${countOf(channels, 'channel', 'channels')}` : say`${amount(waiting)}`;
  const oldest = oldestAt === undefined ? [] : [say`oldest from ${moment(oldestAt)}`];
  const undistributed = events > 0 ? [say`${countOf(events, 'webhook', 'webhooks')} not processed yet`] : [];
  const retried = postponed > 0 ? [say`${countOf(postponed, 'webhook', 'webhooks')} to be retried`] : [];
  const parts = [joinSaid([waits, ...oldest], ', '), ...undistributed, ...retried];
  const pausedPart = paused > 0 ? [say`⏸️ ${amount(paused)} paused: \`/quiz-alerts list\``] : [];
  return [
    say`*Alerts waiting* ${joinSaid(parts, ' · ')}`,
    say`*Subscriptions* ${joinSaid([say`${amount(subscriptions)}`, ...pausedPart], ', ')}`,
  ];
}

const icons: Readonly<Record<Finding['effect'], string>> = { stops: '🚨', degrades: '🚨', unknown: '⚪' };

/** A finding as administrators read it, in notices and in the status of the bot. */
export function findingLine({ effect, forAdministrators: { headline, advice }, since }: Finding): string {
  const title =
    since === undefined || effect === 'unknown'
      ? say`${icons[effect]} *${headline}.*`
      : say`${icons[effect]} *${headline}* after ${moment(since)}.`;
  return advice === '' ? title : say`${title} ${asSaid(advice)}`;
}

function undeliveredLine({ count: undelivered, lastAt }: UndeliveredStatus): string | undefined {
  if (undelivered === 0) return undefined;
  const last = lastAt === undefined ? [] : [say`most recently ${moment(lastAt)}`];
  return say`*Undelivered messages* ⚠️ ${joinSaid([say`${amount(undelivered)}`, ...last], ', ')}: Slack doesn’t let the bot message their recipients. The log names them.`;
}

function refusedLine({ refused }: BotStatus): string | undefined {
  if (refused?.lastAt === undefined) return undefined;
  const { count, lastAt, kinds } = refused;
  const codes = kinds.map((code) => `\`${code}\``).join(', ');
  return say`*Refused by Slack* ⚠️ ${amount(count)}, most recently ${moment(lastAt)}: ${codes}. If a permission is missing (\`missing_scope\`), install the app again. The log has the rest.`;
}

/** An auditor compares the fingerprint with the one in a pack, so it is written in full. */
function evidenceLine({ evidenceKey }: BotStatus): string | undefined {
  return (
    evidenceKey &&
    say`*Evidence packs* signed since ${moment(evidenceKey.from)} with the key \`${evidenceKey.fingerprint}\``
  );
}

function agentLine({ agents }: BotStatus): string | undefined {
  if (agents === undefined) return undefined;
  if (agents === 'unsigned')
    return say`*Slackbot and agents* ⚠️ off: \`MCP_ENABLED\` is true, but Slackbot needs a public address and \`SLACK_SIGNING_SECRET\`, which Socket Mode alone doesn’t have.`;
  return say`*Slackbot and agents* ${agents === 'on' ? say`🟢 on` : say`⚪ off`}`;
}
