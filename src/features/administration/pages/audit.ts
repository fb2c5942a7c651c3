import type { ClosedReason } from '../../../operations/services/platform.ts';
import type { Announcement, AuditAnnouncement, NamedAuditEntry, Refusals } from '../../../domain/announcement.ts';
import type { Note } from '../../../domain/note.ts';
import type { AuditAction, AuditEntry, ChainCheck } from '../../../domain/audit-chain.ts';
import {
  asSaid,
  channelMention,
  countOf,
  inEnglish,
  joinSaid,
  mention,
  recorded,
  say,
  shortName,
} from '../../../domain/said.ts';
import type { Page } from '../../../operations/page.ts';
import type { Records } from '../../../operations/services/records.ts';
import { moment } from '../../../time/date-words.ts';
import { actionFrom, operationWords } from './requests.ts';

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
interface NamedEntry extends NamedAuditEntry {
  /** The channel that was changed, where the words of the change don’t name it. */
  where?: string;
}

/** One audit entry in one line. As all that is on the record, it is in English for every reader. */
export function auditLine({ entry, who, where }: NamedEntry, operationOf: OperationOf): string {
  return recorded`${icons[entry.action]} ${sentences[entry.action](entry, who, operationOf)}${where ? recorded` · ${where}` : ''} · ${moment(entry.at)}`;
}

/** Finds what an entry calls its operation. */
type OperationOf = Records['operation'];

const sentences: Record<AuditAction, (entry: AuditEntry, who: string, operationOf: OperationOf) => string> = {
  begun: (entry, who, operationOf) => recorded`${who} started to ${changeOf(entry, operationOf)}`,
  // A batch says how many of its changes were made.
  done: (entry, who, operationOf) =>
    recorded`${who} ${pastOf(entry, operationOf)}${entry.through === 'batch' ? becauseOf(entry) : exceptionsOf(entry)}`,
  stopped: (entry, who, operationOf) =>
    recorded`${who} started to ${changeOf(entry, operationOf)}, which has stopped${becauseOf(entry)}`,
  refused: refusedSentence,
  failed: (entry, who, operationOf) =>
    recorded`${who} tried to ${attemptOf(entry, operationOf)}, but it failed${becauseOf(entry)}`,
  requested: (entry, who, operationOf) => recorded`${who} asked to ${changeOf(entry, operationOf)}`,
  approved: (entry, who, operationOf) =>
    recorded`${who} approved the request to ${changeOf(entry, operationOf)}${commentOf(entry)}`,
  denied: (entry, who, operationOf) =>
    recorded`${who} denied the request to ${changeOf(entry, operationOf)}${commentOf(entry)}`,
  withdrawn: (entry, who, operationOf) => recorded`${who} withdrew the request to ${changeOf(entry, operationOf)}`,
  expired: (entry, _, operationOf) => recorded`The request to ${changeOf(entry, operationOf)} expired`,
};

function refusedSentence(entry: AuditEntry, who: string, operationOf: OperationOf): string {
  const { operation, through } = entry;
  if (operation === 'enter') return recorded`Someone from another workspace wasn’t let in`;
  if (operation === 'decide-request') return recorded`${who} wasn’t allowed to decide on a request that doesn’t exist`;
  if (through === 'approval')
    return recorded`${who} couldn’t decide on the request to ${changeOf(entry, operationOf)}${becauseOf(entry)}`;
  return recorded`${who} wasn’t allowed to ${attemptOf(entry, operationOf)}${becauseOf(entry)}`;
}

/** The change as an imperative; where nobody knows what it was about, in the words of its summary. */
function changeOf({ change, operation, targets = [], details = [] }: AuditEntry, operationOf: OperationOf): string {
  const names = targets.map(({ name }) => name);
  const known = names.length + details.length === 0 ? operationOf(operation) : undefined;
  return inEnglish(change ?? (known ? mainClause(known.summary) : actionFrom(operation, names, details)));
}

/** Without how it is done, and what comes of it. */
function mainClause(summary: string): string {
  const [clause = ''] = summary.split(/[;:]|, (?:and|or|ready|separated|so)\b/);
  return clause.charAt(0).toLowerCase() + clause.slice(1);
}

/** The command of an operation that only reads, and for what it was used, besides the channel; undefined for a change. */
function readingOf({ operation: name, targets = [] }: AuditEntry, operationOf: OperationOf): string | undefined {
  const operation = operationOf(name);
  if (operation?.access !== 'read') return undefined;
  const names = targets
    .filter(({ kind }) => kind !== 'channel')
    .map(({ name: target }) => recorded`*${shortName(target, 150)}*`)
    .slice(0, 5);
  return recorded`\`${asSaid(operation.command.replace(/ [[<…].*$/, ''))}\`${names.length > 0 ? recorded` for ${joinSaid(names, ', ')}` : ''}`;
}

function attemptOf(entry: AuditEntry, operationOf: OperationOf): string {
  const reading = readingOf(entry, operationOf);
  return reading === undefined ? changeOf(entry, operationOf) : recorded`use ${reading}`;
}

/** The change in the past tense, or the command of an operation that only read. */
function pastOf(entry: AuditEntry, operationOf: OperationOf): string {
  const reading = readingOf(entry, operationOf);
  if (reading !== undefined) return recorded`used ${reading}`;
  const words = changeOf(entry, operationOf);
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
  cancel: 'cancelled',
  undo: 'undid',
  leave: 'left',
};

function pastTense(verb: string): string {
  if (irregular[verb] !== undefined) return irregular[verb];
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}

function becauseOf({ message }: AuditEntry): string {
  return message ? recorded` (“${asSaid(shortName(message, 200))}”)` : recorded``;
}

/** What a change did not make. A message without exceptions says that things were so already. */
function exceptionsOf({ notMade = [], message }: AuditEntry): string {
  if (notMade.length === 0) return message ? recorded`, which changed nothing` : recorded``;
  return recorded`, with ${notMade.length.toLocaleString('en')} ${notMade.length === 1 ? 'exception' : 'exceptions'} (“${notMade.join(' ')}”)`;
}

function commentOf({ message }: AuditEntry): string {
  return message ? recorded`: “${shortName(message, 200)}”` : recorded``;
}

/** What the audit channel shows. */
export function auditPostPage(announcement: AuditAnnouncement, operationOf: OperationOf): Page {
  switch (announcement.kind) {
    case 'audit-changes':
      return changesPage(announcement, operationOf);
    case 'audit-request':
      return auditedRequest(announcement.entries, operationOf);
    case 'audit-refusals':
      return { heading: refusalsLine(say`${announcement.who}`, announcement.refusals) };
    case 'audit-missing': {
      const { knownPosition, lastPosition } = announcement.missing;
      return {
        heading: recorded`🚨 *The audit trail lost entries.* Entry ${knownPosition} was recorded and is now missing or replaced; the last entry is ${lastPosition}. Someone changed the store, or a backup replaced newer data. To check it, type \`/quiz-admin audit verify\`.`,
      };
    }
  }
}

/** For administrators, while the bot may not post the audit trail in its channel. */
export function auditChannelClosedNote(channelId: string, { why, remedy }: ClosedReason): Note {
  return {
    heading: say`⚠️ The audit trail can’t be posted in ${channelMention(channelId)}: ${asSaid(why)}.`,
    parts: [
      {
        lines: [
          say`${asSaid(remedy)} Nothing is lost: Invigilator posts the rest within five minutes after it can. Until then, type \`/quiz-admin audit\`.`,
        ],
      },
    ],
  };
}

function changesPage({ items }: Extract<Announcement, { kind: 'audit-changes' }>, operationOf: OperationOf): Page {
  const [heading = '', ...lines] = items.map((item) => auditLine(item, operationOf));
  return {
    heading,
    notification: lines.length > 0 ? `${items.length} entries of the audit trail` : undefined,
    parts: [{ lines }],
  };
}

/** A request for approval and what came of it, in one post. The first entry is the oldest. */
function auditedRequest(entries: readonly NamedAuditEntry[], operationOf: OperationOf): Page {
  const [first, ...later] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return { heading: '' };
  return {
    heading: recorded`${icons[last.entry.action]} ${sentences[first.entry.action](first.entry, first.who, operationOf)} · ${moment(first.entry.at)}`,
    parts: [
      {
        lines: later
          .filter(({ entry }) => entry.action !== 'requested')
          .map(({ entry, who }) => recorded`• ${stepSentence(entry, who, operationOf)} · ${moment(entry.at)}`),
      },
    ],
  };
}

function stepSentence(entry: AuditEntry, who: string, operationOf: OperationOf): string {
  switch (entry.action) {
    case 'done':
      return isOnlyStarted(operationOf(entry.operation)) ? recorded`It was started` : recorded`It was carried out`;
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
      return sentences[entry.action](entry, who, operationOf);
  }
}

/** Batches and campaigns record their end themselves. */
function isOnlyStarted(operation: ReturnType<OperationOf>): boolean {
  return Object.values(operation?.fields ?? {}).some(({ kind }) => kind === 'plan');
}

function refusalsLine(who: string, { since, counts }: Refusals): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const each = Object.entries(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([operation, count]) => `${operationWords(operation)}${count > 1 ? ` (${count.toLocaleString('en')})` : ''}`);
  return recorded`${icons.refused} ${who} was refused ${total.toLocaleString('en')} ${total === 1 ? 'time' : 'times'} since ${moment(since)}: ${shortName(each.join(', '), 500)}`;
}

/** A list of audit entries for one reader: a mention in it notifies nobody. */
export function auditPage(
  { records, hasMore, glances }: { records: readonly { entry: AuditEntry }[]; hasMore: boolean; glances: number },
  operationOf: OperationOf,
): Page {
  if (records.length === 0)
    return {
      heading: say`🗒️ ${say`No entry of the audit trail matches. Filter by @person, a name, a quiz, an operation or since 7d.`}`,
    };
  return {
    heading: say`*Audit trail*, latest first`,
    parts: [
      {
        lines: records.map(({ entry }) => auditLine({ entry, ...mentionsIn(entry) }, operationOf)),
        notes: [
          hasMore &&
            say`There’s more. \`/quiz-admin audit since 7d\` narrows the list, and \`/quiz-admin audit csv\` sends you everything.`,
          glances > 0 &&
            !hasMore &&
            say`Left out: lists and overviews that people looked at. \`/quiz-admin audit csv\` sends you everything.`,
        ],
      },
    ],
  };
}

function mentionsIn({ by, approvedBy, targets = [] }: AuditEntry): Omit<NamedEntry, 'entry'> {
  const channel = targets.find(({ kind }) => kind === 'channel');
  const bot =
    approvedBy === undefined ? recorded`The bot` : recorded`The bot, by a rule that ${mention(approvedBy)} approved,`;
  return { who: by ? mention(by) : bot, where: channel ? channelMention(channel.id) : undefined };
}

const problems = {
  gap: say`an entry is missing`,
  change: say`an entry was changed`,
  end: say`its end doesn’t match`,
  lost: say`recorded entries are missing or were replaced`,
} as const;

/** The result of verifying the audit trail. */
export function auditCheckPage(check: ChainCheck): Page {
  if (check.kind === 'broken')
    return {
      heading: say`🚨 ${say`The audit trail is broken at entry ${check.at}: ${problems[check.problem]}. Compare it with the log, which has the hash of every entry.`}`,
    };
  const complete = say`The audit trail is complete: ${countOf(check.count, 'entry', 'entries')}, none missing or changed.`;
  const hash = check.hash ? [say`The last hash is ${check.hash.slice(0, 16)}…, as in the log.`] : [];
  return { heading: say`✅ ${joinSaid([complete, ...hash], ' ')}` };
}
