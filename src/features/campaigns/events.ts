import type {
  Campaign,
  CampaignAttempt,
  CampaignEvent,
  CampaignMember,
  CampaignResult,
  Delivery,
} from '../../domain/campaign.ts';

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
        if (counts(event.result, next)) change([event.userId], (member) => withResult(member, event));
        break;
      case 'read': {
        const byUser = Map.groupBy(
          event.results.filter(({ result }) => counts(result, campaign)),
          ({ userId }) => userId,
        );
        change(
          members.map(({ userId }) => userId),
          (member) => asRead(member, byUser.get(member.userId) ?? [], event.since),
        );
        break;
      }
      case 'deleted':
        change(
          members.filter(({ responseIds }) => responseIds.includes(event.responseId)).map(({ userId }) => userId),
          (member) =>
            withAttempts(
              member,
              attemptsOf(member).filter(({ responseId }) => responseId !== event.responseId),
            ),
        );
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

/** A webhook can be in the bot before the service lists its response. */
const listedWithinMs = 2 * 60_000;

function counts({ submittedAt }: CampaignResult, { countsFrom = 0 }: Pick<Campaign, 'countsFrom'>): boolean {
  return (submittedAt ?? Infinity) >= countsFrom;
}

/** The attempts of a member; of one that was stored without them, the result that is known. */
function attemptsOf({ attempts, result, responseIds }: CampaignMember): readonly CampaignAttempt[] {
  const responseId = responseIds.at(-1) ?? '';
  return attempts ?? (result === null ? [] : [{ ...result, responseId, knownAt: 0 }]);
}

function withAttempts(member: CampaignMember, attempts: readonly CampaignAttempt[]): CampaignMember {
  return {
    ...member,
    attempts,
    result: attempts.reduce<CampaignResult | null>(
      (best, { responseId: _, knownAt: __, ...result }) => betterOf(best, result),
      null,
    ),
    responseIds: attempts.map(({ responseId }) => responseId),
  };
}

/** A mark that is given later replaces what was known of the attempt. */
function withResult(
  member: CampaignMember,
  { responseId, result, at = 0 }: { responseId: string; result: CampaignResult; at?: number },
): CampaignMember {
  const others = attemptsOf(member).filter((attempt) => attempt.responseId !== responseId);
  return withAttempts(member, [...others, { ...result, responseId, knownAt: at }]);
}

/** What the service does not have any more does not count, unless the bot has only just got to know it. */
function asRead(
  member: CampaignMember,
  results: readonly { responseId: string; result: CampaignResult }[],
  since: number,
): CampaignMember {
  const known = attemptsOf(member);
  const read = results.map(({ responseId, result }): CampaignAttempt => {
    const knownAt = known.find((attempt) => attempt.responseId === responseId)?.knownAt ?? since;
    return { ...result, responseId, knownAt };
  });
  const isNew = ({ responseId, knownAt }: CampaignAttempt) =>
    knownAt > since - listedWithinMs && !read.some((attempt) => attempt.responseId === responseId);
  return withAttempts(member, [...read, ...known.filter(isNew)]);
}

/** A passed attempt counts for good; otherwise the latest one, since marks are given later. */
function betterOf(known: CampaignResult | null, other: CampaignResult): CampaignResult {
  if (known === null || other.outcome === 'passed') return known?.outcome === 'passed' ? known : other;
  if (known.outcome === 'passed') return known;
  return (other.submittedAt ?? Infinity) >= (known.submittedAt ?? 0) ? other : known;
}
