import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { Campaign } from '../../domain/campaign.ts';
import { plainSentence } from '../../domain/sentence.ts';
import {
  escalationWords,
  passCountsWords,
  reminderWords,
  withinWords,
} from '../campaigns/operations/campaign-words.ts';
import type { CampaignFacts } from './facts.ts';
import type { Column } from './table.ts';

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
      ? row('due', rule.dueAt === null ? 'no due time' : momentInUtc(rule.dueAt), dueChangedAt)
      : row('due', withinWords(rule.standing)),
    ...reminderWords(rule, 0).map((words) => row('reminders', words)),
    ...(rule.escalateAfterMs === null ? [] : [row('escalation', escalationWords(campaign) ?? '')]),
    ...(endedAt === null ? [] : [row('ended', obstacle?.status === 'gone' ? 'quiz deleted' : '', endedAt)]),
  ];
}

function momentInUtc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
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
