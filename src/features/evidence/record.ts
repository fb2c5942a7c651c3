import type { AuditEntry, ChainHead } from '../../domain/audit-chain.ts';
import type { RecordedLink } from '../../domain/sealed-entry.ts';
import type { Campaign } from '../../domain/campaign.ts';
import { campaignOperations } from '../campaigns/operations/campaign-operations.ts';
import type { Period, CampaignFacts } from './facts.ts';
import { plainSentence } from '../../domain/said.ts';
import { escalationWords, passCountsWords, reminderWords, withinWords } from '../campaigns/pages/words.ts';
import type { Column } from './tables.ts';

/** A campaign of the pack. `isQuizSeen`: whether the person who asks sees everything about its quiz, or this campaign alone. */
export interface RecordedCampaign {
  campaign: Campaign;
  isQuizSeen: boolean;
}

const changes = new Set(
  campaignOperations
    .filter(({ access }) => access !== 'read')
    .flatMap(({ name, formerly = [] }) => [name, ...formerly]),
);
/** A request for a start can be approved for so long, and is older than the campaign. */
const askedBeforeMs = 30 * 24 * 60 * 60_000;
/** An end is on the record a moment after it. */
const recordedAfterMs = 24 * 60 * 60_000;

/**
 * The campaigns that an entry is about. A refusal changed nothing, and belongs to none. For a campaign whose quiz the person does
 * not see, an entry with people who are not in it belongs to another campaign.
 */
function campaignsOf(
  { operation, action, targets = [], at, correlationId }: AuditEntry,
  campaigns: readonly RecordedCampaign[],
  { until }: Period,
): Campaign[] {
  if (!changes.has(operation) || action === 'refused' || at >= until) return [];
  const quizIds = new Set(targets.filter(({ kind }) => kind === 'quiz').map(({ id }) => id));
  const userIds = targets.filter(({ kind }) => kind === 'user').map(({ id }) => id);
  return campaigns
    .filter(({ campaign, isQuizSeen }) => {
      const { id, quiz, startedAt, endedAt, members } = campaign;
      if (correlationId === id) return true;
      if (!quizIds.has(quiz.id)) return false;
      if (at < startedAt - askedBeforeMs || at > (endedAt ?? Infinity) + recordedAfterMs) return false;
      return isQuizSeen || userIds.every((userId) => members.some((member) => member.userId === userId));
    })
    .map(({ campaign }) => campaign);
}

export interface RecordSummary {
  /** Entries with their text. */
  entries: number;
  /** Entries of which the hash of the last is given. */
  withheld: number;
  head: ChainHead;
}

/** Writes the record line by line: entries as they are, and of those between them the hash of the last. */
export function recordWriter(
  campaigns: readonly RecordedCampaign[],
  period: Period,
  write: (text: string, isLast: boolean) => void,
): {
  /** @returns the entry and its campaigns, where it belongs to any */
  add(link: RecordedLink): { entry: AuditEntry; campaigns: Campaign[] } | undefined;
  end(): RecordSummary;
} {
  const summary: RecordSummary = { entries: 0, withheld: 0, head: { position: 0, hash: '' } };
  let gapFrom: number | undefined;

  function closeGap(): void {
    if (gapFrom === undefined) return;
    const { position: to, hash } = summary.head;
    write(`${JSON.stringify({ from: gapFrom, to, hash })}\n`, false);
    gapFrom = undefined;
  }

  return {
    add({ position, text, hash, entry, openings }) {
      const about = campaignsOf(entry, campaigns, period);
      if (about.length === 0) {
        gapFrom ??= position;
        summary.withheld += 1;
      } else {
        closeGap();
        write(`${JSON.stringify({ position, hash, text, openings })}\n`, false);
        summary.entries += 1;
      }
      summary.head = { position, hash };
      return about.length === 0 ? undefined : { entry, campaigns: about };
    },
    end() {
      closeGap();
      write('', true);
      return summary;
    },
  };
}

/** A part of what a campaign asks for, or a change of it. `campaign`: several where the change could be of any. */
interface RuleRow {
  campaign: string;
  quiz: string;
  what: string;
  value: string;
  at: number | null;
  by: string;
}

export const ruleColumns: readonly Column<RuleRow>[] = [
  { title: 'Campaign', of: ({ campaign }) => campaign },
  { title: 'Quiz', of: ({ quiz }) => quiz },
  { title: 'What', of: ({ what }) => what },
  { title: 'Value', of: ({ value }) => value },
  { title: 'At', kind: 'moment', of: ({ at }) => at },
  { title: 'By', of: ({ by }) => by },
];

/** What a campaign asks for, as it is now. */
export function ruleRows({ campaign }: CampaignFacts, nameOf: (personId: string) => string): RuleRow[] {
  const { rule, endedAt, dueChangedAt, obstacle } = campaign;
  const row = (what: string, value: string, at: number | null = null): RuleRow => ({
    campaign: campaign.id,
    quiz: campaign.quiz.name,
    what,
    value,
    at,
    by: '',
  });
  return [
    row('started', '', campaign.startedAt),
    row('answers for it', nameOf(campaign.ownerId)),
    row('counts as done', rule.completeWhen),
    row('a pass counts', rule.validity === null ? 'for good' : passCountsWords(rule.validity, rule.standing)),
    rule.standing === null
      ? row(
          'due',
          rule.dueAt === null
            ? 'no due time'
            : `${new Date(rule.dueAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
          dueChangedAt,
        )
      : row('due', withinWords(rule.standing)),
    ...[reminderWords(rule)].flatMap((words) => (words === undefined ? [] : row('reminders', words))),
    ...(rule.escalateAfterMs === null ? [] : [row('escalation', escalationWords(campaign) ?? '')]),
    ...(endedAt === null ? [] : [row('ended', obstacle?.status === 'gone' ? 'quiz deleted' : '', endedAt)]),
  ];
}

/** A change of a campaign that is on the record. */
export function changeRow(
  entry: AuditEntry,
  campaigns: readonly Campaign[],
  nameOf: (personId: string) => string,
): RuleRow {
  const details = entry.details?.map(({ label, value }) => `${label}: ${plainSentence(value)}`) ?? [];
  return {
    campaign: campaigns.map(({ id }) => id).join(', '),
    quiz: campaigns[0]?.quiz.name ?? '',
    what: `${entry.action}: ${entry.operation}`,
    value: [plainSentence(entry.change ?? ''), ...details].filter((part) => part !== '').join('; '),
    at: entry.at,
    by: entry.by === undefined ? 'by itself' : nameOf(entry.by),
  };
}
