import type { Campaign, CampaignEvent, CampaignMember, CampaignResult, Delivery } from '../../domain/campaign.ts';

/**
 * The campaign after these events, in one pass over its members. Events that come twice change nothing the second time.
 * After the end, only what became of messages is of interest.
 */
export function applyEvents(campaign: Campaign, events: readonly CampaignEvent[]): Campaign {
  const members = [...campaign.members];
  const places = new Map(members.map(({ userId }, place) => [userId, place]));
  const change = (userIds: readonly string[], changed: (member: CampaignMember) => CampaignMember): void => {
    for (const place of userIds.flatMap((userId) => places.get(userId) ?? []))
      members[place] = changed(members[place]!);
  };
  let next = campaign;
  for (const event of events) {
    if (next.endedAt !== null && event.kind !== 'delivery') continue;
    switch (event.kind) {
      case 'start':
        break;
      case 'result':
        if ((event.result.submittedAt ?? Infinity) >= (next.countsFrom ?? 0))
          change([event.userId], (member) => withResult(member, event));
        break;
      case 'notified':
        change(event.userIds, (member) => ({ ...member, notifiedAt: member.notifiedAt ?? event.at }));
        break;
      case 'reminded':
        change(event.userIds, (member) =>
          member.remindedAt.includes(event.at) ? member : { ...member, remindedAt: [...member.remindedAt, event.at] },
        );
        break;
      case 'delivery':
        change([event.userId], (member) => withDelivery(member, event));
        break;
      case 'escalated':
        next = { ...next, escalatedUpTo: Math.max(next.escalatedUpTo, event.at) };
        break;
      case 'excuse':
        change(event.userIds, (member) => ({
          ...member,
          excused: member.excused ?? { by: event.by, reason: event.reason, at: event.at },
        }));
        break;
      case 'extend':
        next = { ...next, schedule: { ...next.schedule, dueAt: event.dueAt, endsAt: event.endsAt } };
        break;
      case 'remind-now':
        next = { ...next, remindNowAt: event.at };
        break;
      case 'snooze':
        change([event.userId], (member) => ({ ...member, snoozedUntil: event.until }));
        break;
      case 'not-me':
        change([event.userId], (member) => ({ ...member, saidNotMeAt: member.saidNotMeAt ?? event.at }));
        break;
      case 'add':
        for (const member of event.members.filter(({ userId }) => !places.has(userId)))
          places.set(member.userId, members.push(member) - 1);
        break;
      case 'assigned':
        change(event.userIds, (member) => ({ ...member, assignment: undefined }));
        break;
      case 'not-assigned':
        change(event.userIds, (member) =>
          member.assignment === 'waiting' ? { ...member, assignment: 'failed' } : member,
        );
        break;
      case 'end':
        next = { ...next, endedAt: event.at };
        break;
    }
  }
  return { ...next, members };
}

/** A message that arrived after all has arrived. */
function withDelivery(
  { deliveries = [], ...member }: CampaignMember,
  { handedAt, at, failure }: Delivery,
): CampaignMember {
  const known = deliveries.find((one) => one.handedAt === handedAt);
  if (known && (known.failure === undefined || failure !== undefined)) return { ...member, deliveries };
  const others = deliveries.filter((one) => one !== known);
  return { ...member, deliveries: [...others, { handedAt, at, ...(failure !== undefined && { failure }) }] };
}

function withResult(
  member: CampaignMember,
  { responseId, result }: { responseId: string; result: CampaignResult },
): CampaignMember {
  const isKnown = member.responseIds.includes(responseId);
  return {
    ...member,
    result: betterOf(member.result, result),
    responseIds: isKnown ? member.responseIds : [...member.responseIds, responseId],
  };
}

/** A passed attempt counts for good; otherwise the latest one, since marks are given later. */
function betterOf(known: CampaignResult | null, other: CampaignResult): CampaignResult {
  if (known === null || other.outcome === 'passed') return known?.outcome === 'passed' ? known : other;
  if (known.outcome === 'passed') return known;
  return (other.submittedAt ?? Infinity) >= (known.submittedAt ?? 0) ? other : known;
}
