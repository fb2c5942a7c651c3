import type { Campaign, CampaignEvent, CampaignMember, CampaignResult } from '../domain/campaign.ts';

/** The campaign after an event. An event that comes twice changes nothing the second time. */
export function applyEvent(campaign: Campaign, event: CampaignEvent): Campaign {
  if (campaign.endedAt !== null) return campaign;
  switch (event.kind) {
    case 'start':
      return campaign;
    case 'result':
      if ((event.result.submittedAt ?? Infinity) < (campaign.countsFrom ?? 0)) return campaign;
      return withMembers(campaign, [event.userId], (member) => withResult(member, event));
    case 'notified':
      return withMembers(campaign, event.userIds, (member) => ({ ...member, notifiedAt: member.notifiedAt ?? event.at }));
    case 'reminded':
      return withMembers(campaign, event.userIds, (member) => (member.remindedAt.includes(event.at) ? member : { ...member, remindedAt: [...member.remindedAt, event.at] }));
    case 'escalated':
      return { ...campaign, escalatedUpTo: Math.max(campaign.escalatedUpTo, event.at) };
    case 'excuse':
      return withMembers(campaign, event.userIds, (member) => ({ ...member, excused: member.excused ?? { by: event.by, reason: event.reason, at: event.at } }));
    case 'extend':
      return { ...campaign, schedule: { ...campaign.schedule, dueAt: event.dueAt, endsAt: event.endsAt } };
    case 'remind-now':
      return { ...campaign, remindNowAt: event.at };
    case 'snooze':
      return withMembers(campaign, [event.userId], (member) => ({ ...member, snoozedUntil: event.until }));
    case 'not-me':
      return withMembers(campaign, [event.userId], (member) => ({ ...member, saidNotMeAt: member.saidNotMeAt ?? event.at }));
    case 'add': {
      const known = new Set(campaign.members.map(({ userId }) => userId));
      return { ...campaign, members: [...campaign.members, ...event.members.filter(({ userId }) => !known.has(userId))] };
    }
    case 'assigned':
      return withMembers(campaign, event.userIds, (member) => ({ ...member, assignment: undefined }));
    case 'not-assigned':
      return withMembers(campaign, event.userIds, (member) => (member.assignment === 'waiting' ? { ...member, assignment: 'failed' } : member));
    case 'end':
      return { ...campaign, endedAt: event.at };
  }
}

function withMembers(campaign: Campaign, userIds: readonly string[], change: (member: CampaignMember) => CampaignMember): Campaign {
  const wanted = new Set(userIds);
  return { ...campaign, members: campaign.members.map((member) => (wanted.has(member.userId) ? change(member) : member)) };
}

function withResult(member: CampaignMember, { responseId, result }: { responseId: string; result: CampaignResult }): CampaignMember {
  const isKnown = member.responseIds.includes(responseId);
  return { ...member, result: betterOf(member.result, result), responseIds: isKnown ? member.responseIds : [...member.responseIds, responseId] };
}

/** A passed attempt counts for good; otherwise the latest one, since marks are given later. */
function betterOf(known: CampaignResult | null, other: CampaignResult): CampaignResult {
  if (known === null || other.outcome === 'passed') return known?.outcome === 'passed' ? known : other;
  if (known.outcome === 'passed') return known;
  return (other.submittedAt ?? Infinity) >= (known.submittedAt ?? 0) ? other : known;
}
