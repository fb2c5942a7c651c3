import { endCampaign } from './operations/end.ts';
import { startCampaign } from './operations/start-campaign.ts';
import { takeIn } from './operations/take-in.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import { countMembers } from '../../obligations/members.ts';
import type { Campaign, CampaignMember } from '../../domain/campaign.ts';
import { maskAddresses } from '../../domain/mask-addresses.ts';
import { named } from '../../domain/sentence.ts';

/** The entries of the audit trail about what a campaign does by itself. Its ID is their correlation ID. */
export function endEntry(campaign: Campaign, at: number): AuditEntry {
  const { complete, excused, open, marking, 'not me': notMe } = countMembers(campaign, at);
  const counts = {
    Members: campaign.members.length,
    Done: complete,
    Missing: open,
    'Waiting to be marked': marking,
    Excused: excused,
    'Said it isn’t for them': notMe,
  };
  const details = Object.entries(counts).map(([label, count]) => ({ label, value: count.toLocaleString('en') }));
  return entryFor(campaign, at, {
    operation: endCampaign.name,
    change: `end the campaign for ${named(campaign.quiz.name)}`,
    details,
  });
}

/** By the person who ordered that it repeats. */
export function repeatEntry(campaign: Campaign, at: number): AuditEntry {
  const details = [{ label: 'Members', value: campaign.members.length.toLocaleString('en') }];
  return entryFor(campaign, at, {
    by: campaign.ownerId,
    operation: startCampaign.name,
    change: `start the campaign for ${named(campaign.quiz.name)} again`,
    details,
  });
}

/** Of each kind, in an entry. */
const namesAtMost = 20;

/** Who came into the audience of a campaign that stands, or left it. By the person whose rule it is. */
export function audienceEntry(
  campaign: Campaign,
  { left, joined }: Record<'left' | 'joined', readonly CampaignMember[]>,
  at: number,
): AuditEntry {
  const count = (label: string, members: readonly CampaignMember[]) =>
    members.length === 0 ? [] : [{ label, value: members.length.toLocaleString('en') }];
  const names = (label: string, members: readonly CampaignMember[]) =>
    members.slice(0, namesAtMost).map(({ name }) => ({ label, value: name }));
  return entryFor(campaign, at, {
    by: campaign.ownerId,
    operation: takeIn.name,
    change: `follow the audience of the campaign for ${named(campaign.quiz.name)}`,
    details: [
      ...count('People taken in', joined),
      ...count('People not required any more', left),
      ...names('Taken in', joined),
      ...names('Not required any more', left),
    ],
  });
}

function entryFor(
  { id, quiz }: Campaign,
  at: number,
  entry: Required<Pick<AuditEntry, 'operation' | 'change' | 'details'>> & Pick<AuditEntry, 'by'>,
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
