import { shortName } from '../../../domain/short-name.ts';
import { moment } from '../../../time/date-words.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { operationNamed } from '../../../operations/catalog.ts';
import type { Refusals } from '../../../domain/announcement.ts';
import type { AuditAction, AuditEntry, MissingEnd } from '../../../domain/audit-chain.ts';
import { countOf, inEnglish, say, joinSaid, asSaid, recorded, channelMention, mention } from '../../../domain/said.ts';
import { textMessage, type Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';
import { actionFrom, operationWords } from '../approvals/request-words.ts';

const icons: Record<AuditAction, string> = {
  begun: '▶️',
  done: '✅',
  stopped: '⏹️',
  refused: '🚫',
  failed: '⚠️',
  requested: '🙋',
  approved: '👍',
  denied: '⛔',
  withdrawn: '↩️',
  expired: '⌛',
};

/** An entry and how its line names the person who acted: a mention in a message that only its reader sees, a name in a channel. */
export interface NamedEntry {
  entry: AuditEntry;
  who: string;
  /** The channel that was changed, where the words of the change don’t name it. */
  where?: string;
}

/** One audit entry in one line. As all that is on the record, it is in English for every reader. */
export function auditLine({ entry, who, where }: NamedEntry, timeZone: string): string {
  return recorded`${icons[entry.action]} ${sentences[entry.action](entry, who)}${where ? recorded` · ${where}` : ''} · ${moment(entry.at, timeZone)}`;
}

const sentences: Record<AuditAction, (entry: AuditEntry, who: string) => string> = {
  begun: (entry, who) => recorded`${who} started to ${changeOf(entry)}`,
  // A batch says how many of its changes were made.
  done: (entry, who) =>
    recorded`${who} ${pastOf(entry)}${entry.through === 'batch' ? becauseOf(entry) : exceptionsOf(entry)}`,
  stopped: (entry, who) => recorded`${who} started to ${changeOf(entry)}, which has stopped${becauseOf(entry)}`,
  refused: (entry, who) => refusedSentence(entry, who),
  failed: (entry, who) => recorded`${who} tried to ${changeOf(entry)}, but it failed${becauseOf(entry)}`,
  requested: (entry, who) => recorded`${who} asked to ${changeOf(entry)}`,
  approved: (entry, who) => recorded`${who} approved the request to ${changeOf(entry)}${commentOf(entry)}`,
  denied: (entry, who) => recorded`${who} denied the request to ${changeOf(entry)}${commentOf(entry)}`,
  withdrawn: (entry, who) => recorded`${who} withdrew the request to ${changeOf(entry)}`,
  expired: (entry) => recorded`The request to ${changeOf(entry)} expired`,
};

function refusedSentence(entry: AuditEntry, who: string): string {
  const { operation, through } = entry;
  if (operation === 'enter') return recorded`Someone from another workspace wasn’t let in`;
  if (operation === 'decide-request') return recorded`${who} wasn’t allowed to decide on a request that doesn’t exist`;
  if (through === 'approval')
    return recorded`${who} wasn’t allowed to decide on the request to ${changeOf(entry)}${becauseOf(entry)}`;
  return recorded`${who} wasn’t allowed to ${changeOf(entry)}${becauseOf(entry)}`;
}

/** The change as an imperative. */
function changeOf({ change, operation, targets = [], details }: AuditEntry): string {
  const words =
    change ??
    actionFrom(
      operation,
      targets.map(({ name }) => name),
      details,
    );
  return inEnglish(words);
}

/** The change in the past tense, or the command of an operation that only read. */
function pastOf(entry: AuditEntry): string {
  const operation = operationNamed(entry.operation);
  if (operation?.access === 'read') {
    const names = entry.targets?.map(({ name }) => recorded`*${shortName(name, 150)}*`).slice(0, 5) ?? [];
    return recorded`used \`${asSaid(operation.command.replace(/ [[<…].*$/, ''))}\`${names.length > 0 ? recorded` for ${joinSaid(names, ', ')}` : ''}`;
  }
  const words = changeOf(entry);
  const [verb = ''] = words.split(' ');
  return `${pastTense(verb)}${words.slice(verb.length)}`;
}

const irregular: Readonly<Record<string, string>> = {
  reset: 'reset',
  set: 'set',
  send: 'sent',
  make: 'made',
  give: 'gave',
  take: 'took',
  let: 'let',
  stop: 'stopped',
  withdraw: 'withdrew',
};

function pastTense(verb: string): string {
  if (irregular[verb] !== undefined) return irregular[verb];
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}

function becauseOf({ message }: AuditEntry): string {
  return message ? recorded` (“${asSaid(shortName(message, 200))}”)` : recorded``;
}

function exceptionsOf({ notMade = [] }: AuditEntry): string {
  return notMade.length === 0
    ? recorded``
    : recorded`, with ${notMade.length.toLocaleString('en')} ${notMade.length === 1 ? 'exception' : 'exceptions'} (“${notMade.join(' ')}”)`;
}

function commentOf({ message }: AuditEntry): string {
  return message ? recorded`: “${shortName(message, 200)}”` : recorded``;
}

/** A request for approval and what came of it, in one post. The first entry is the oldest. */
export function auditedRequest(entries: readonly NamedEntry[], timeZone: string): Message {
  const [first, ...later] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return { text: '', blocks: [] };
  const head = recorded`${icons[last.entry.action]} ${sentences[first.entry.action](first.entry, first.who)} · ${moment(first.entry.at, timeZone)}`;
  const steps = later
    .filter(({ entry }) => entry.action !== 'requested')
    .map(({ entry, who }) => recorded`• ${stepSentence(entry, who)} · ${moment(entry.at, timeZone)}`);
  return { text: head, blocks: sections([head, ...steps]) };
}

function stepSentence(entry: AuditEntry, who: string): string {
  switch (entry.action) {
    case 'done':
      return isOnlyStarted(entry) ? recorded`It was started` : recorded`It was carried out`;
    case 'failed':
      return recorded`It failed${becauseOf(entry)}`;
    case 'expired':
      return recorded`It expired`;
    case 'withdrawn':
      return recorded`${who} withdrew it`;
    case 'approved':
    case 'denied':
      return recorded`${who} ${entry.action} it${commentOf(entry)}`;
    case 'begun':
    case 'stopped':
    case 'refused':
    case 'requested':
      return sentences[entry.action](entry, who);
  }
}

/** Batches and campaigns record their end themselves. */
function isOnlyStarted({ operation }: AuditEntry): boolean {
  return Object.values(operationNamed(operation)?.fields ?? {}).some(({ kind }) => kind === 'plan');
}

export function refusalsLine(who: string, { since, counts }: Refusals, timeZone: string): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const each = Object.entries(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([operation, count]) => `${operationWords(operation)}${count > 1 ? ` (${count.toLocaleString('en')})` : ''}`);
  return recorded`${icons.refused} ${who} was refused ${total.toLocaleString('en')} ${total === 1 ? 'time' : 'times'} since ${moment(since, timeZone)}: ${shortName(each.join(', '), 500)}`;
}

/** A list of audit entries for one reader: a mention in it notifies nobody. */
export function auditMessage(
  { records, hasMore }: Extract<OperationResult, { kind: 'audit' }>,
  timeZone: string,
): Message {
  if (records.length === 0)
    return textMessage(
      '🗒️',
      say`No entry of the audit trail matches. Filter by @person, a name, a quiz, an operation or since 7d.`,
    );
  const heading = say`*Audit trail*, latest first`;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...sections(records.map(({ entry }) => auditLine({ entry, ...mentionsIn(entry) }, timeZone))),
      ...(hasMore
        ? [
            context(
              say`There’s more. \`/quiz-admin audit since 7d\` narrows the list, and \`/quiz-admin audit csv\` sends you everything.`,
            ),
          ]
        : []),
    ],
  };
}

function mentionsIn({ by, approvedBy, targets = [] }: AuditEntry): Omit<NamedEntry, 'entry'> {
  const channel = targets.find(({ kind }) => kind === 'channel');
  const bot =
    approvedBy === undefined ? recorded`The bot` : recorded`The bot, by a rule that ${mention(approvedBy)} approved,`;
  return { who: by ? mention(by) : bot, ...(channel && { where: channelMention(channel.id) }) };
}

const problems = {
  gap: say`an entry is missing`,
  change: say`an entry was changed`,
  end: say`its end doesn’t match`,
  lost: say`recorded entries are missing or were replaced`,
} as const;

/** The result of verifying the audit trail. */
export function auditCheckMessage({ check }: Extract<OperationResult, { kind: 'audit-check' }>): Message {
  if (check.kind === 'whole') {
    const complete = say`The audit trail is complete: ${countOf(check.count, 'entry', 'entries')}, none missing or changed.`;
    return textMessage(
      '✅',
      check.hash ? `${complete} ${say`The last hash is ${check.hash.slice(0, 16)}…, as in the log.`}` : complete,
    );
  }
  return textMessage(
    '🚨',
    say`The audit trail is broken at entry ${check.at}: ${problems[check.problem]}. Compare it with the log, which has the hash of every entry.`,
  );
}

/** The alarm in the audit channel. */
export function missingEntriesMessage({ knownPosition, lastPosition }: MissingEnd): Message {
  const line = recorded`🚨 *The audit trail lost entries.* Entry ${knownPosition} was recorded and is now missing or replaced; the last entry is ${lastPosition}. Someone changed the store, or a backup replaced newer data. To check it, type \`/quiz-admin audit verify\`.`;
  return { text: line, blocks: [section(line)] };
}
