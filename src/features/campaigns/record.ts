import { addToCampaign } from './operations/add.ts';
import { endCampaign } from './operations/end-and-report.ts';
import { excuseFromCampaign } from './operations/excuse-and-include.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import { groupsOf } from '../../obligations/people.ts';
import type { Campaign, CampaignMember } from '../../domain/campaign.ts';
import { maskAddresses } from '../../domain/address.ts';
import { named, namedPeople } from '../../domain/sentence.ts';

/** The entries of the audit trail about what a campaign does by itself. Its ID is their correlation ID. */
export function endEntry(campaign: Campaign, at: number): AuditEntry {
  const groups = groupsOf(campaign, at);
  const { due, failed, overdue, done, expiring } = groups;
  const counts = {
    Members: campaign.members,
    Done: [...done, ...expiring],
    Missing: [...due, ...failed, ...overdue],
    'Can’t be reached': groups['out of reach'],
    'Waiting to be marked': groups.marking,
    Excused: groups.excused,
    'Said it isn’t for them': groups['not me'],
  };
  const details = Object.entries(counts).map(([label, some]) => ({ label, value: some.length.toLocaleString('en') }));
  return entryFor(campaign, at, {
    operation: endCampaign.name,
    change: `end the campaign for ${named(campaign.quiz.name)}`,
    details,
  });
}

/** Who approved the rule by which it takes people in: with its start, or when they accepted to answer for it. */
export function approverOf({ approvedBy, ownerId }: Pick<Campaign, 'approvedBy' | 'ownerId'>): string {
  return approvedBy ?? ownerId;
}

/** In an entry, the first of them are named. */
const namesAtMost = 20;

/** Who came into the audience of a campaign that stands, and who left it, an entry each. The campaign follows it by itself. */
export function audienceEntries(
  campaign: Campaign,
  { left, joined }: Record<'left' | 'joined', readonly CampaignMember[]>,
  at: number,
): AuditEntry[] {
  const forQuiz = `the campaign for ${named(campaign.quiz.name)}`;
  const entry = (operation: string, members: readonly CampaignMember[], change: (who: string) => string) => {
    if (members.length === 0) return [];
    const who = namedPeople(members, namesAtMost);
    const details = [{ label: 'People', value: members.length.toLocaleString('en') }];
    return [entryFor(campaign, at, { operation, change: change(who), details, approvedBy: approverOf(campaign) })];
  };
  return [
    ...entry(addToCampaign.name, joined, (who) => `add ${who} to ${forQuiz}, since they joined its audience`),
    ...entry(excuseFromCampaign.name, left, (who) => `release ${who} from ${forQuiz}, since they left its audience`),
  ];
}

function entryFor(
  { id, quiz }: Campaign,
  at: number,
  entry: Required<Pick<AuditEntry, 'operation' | 'change' | 'details'>> & Pick<AuditEntry, 'approvedBy'>,
): AuditEntry {
  return maskAddresses({
    at,
    correlationId: id,
    action: 'done',
    through: 'campaign',
    targets: [{ kind: 'quiz', id: quiz.id, name: quiz.name }],
    ...entry,
  });
}
