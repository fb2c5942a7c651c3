import type { Campaign, CampaignMember } from '../domain/campaign.ts';
import { memberState, openMembers } from '../domain/campaign-members.ts';
import { nextEscalation, nextMessageOf, type NextMessage } from '../operations/campaigns/schedule.ts';
import type { Holidays } from '../time/working-hours.ts';

/** What a run of a campaign does next. */
export type CampaignStep =
  /** Read the quiz's responses: what follows must not be written to people whose result is in. */
  | { kind: 'ask' }
  | { kind: 'notify'; members: readonly CampaignMember[] }
  | { kind: 'remind'; members: readonly CampaignMember[] }
  | { kind: 'escalate'; missing: readonly CampaignMember[] }
  | { kind: 'end' }
  /** Undefined: until something happens. */
  | { kind: 'wait'; until: number | undefined };

/** What a step is decided on, besides the campaign. Messages of other campaigns and do-not-disturb are matters of delivery. */
export interface Circumstances {
  now: number;
  /** When the responses were read last, in milliseconds since the epoch; 0 before. */
  askedAt: number;
  holidays: Holidays;
}

/** Reminders that come due within this time after responses were read belong to the same round. */
const roundMs = 15 * 60_000;

export function nextStep(campaign: Campaign, circumstances: Circumstances): CampaignStep {
  const { now, askedAt, holidays } = circumstances;
  if (campaign.endedAt !== null) return { kind: 'wait', until: undefined };
  const mustAsk = now - askedAt > roundMs || now < askedAt;
  const { endsAt = Infinity } = campaign.schedule;
  if (now >= endsAt || isFinished(campaign)) return mustAsk ? { kind: 'ask' } : { kind: 'end' };

  const open = openMembers(campaign).flatMap((member) => {
    const message = nextMessageFor(member, campaign, circumstances);
    return message ? [{ member, message }] : [];
  });
  const due = open.filter(({ message }) => message.at <= now);
  const [first, reminded] = (['first', 'reminder'] as const).map((kind) => due.filter(({ message }) => message.kind === kind).map(({ member }) => member));
  if (first && first.length > 0) return { kind: 'notify', members: first };

  const escalateAt = nextEscalation(campaign.schedule, campaign.escalatedUpTo, campaign.lead, holidays);
  const isEscalationDue = escalateAt !== undefined && escalateAt <= now;
  if ((reminded && reminded.length > 0) || isEscalationDue) {
    if (mustAsk) return { kind: 'ask' };
    if (reminded && reminded.length > 0) return { kind: 'remind', members: reminded };
    return { kind: 'escalate', missing: openMembers(campaign) };
  }
  const moments = [...open.map(({ message }) => message.at), ...(escalateAt === undefined ? [] : [escalateAt]), endsAt].filter((at) => at > now);
  const until = Math.min(...moments);
  return { kind: 'wait', until: until === Infinity ? undefined : until };
}

function nextMessageFor(member: CampaignMember, { schedule, remindNowAt }: Campaign, { holidays }: Circumstances): NextMessage | undefined {
  const { personId, timeZone, addedAt, notifiedAt, remindedAt, snoozedUntil } = member;
  if (personId === null) return undefined;
  return nextMessageOf(
    schedule,
    {
      addedAt,
      isDone: false,
      notifiedAt: notifiedAt ?? undefined,
      remindedUpTo: remindedAt.at(-1) ?? 0,
      snoozedUntil: snoozedUntil ?? undefined,
      remindNowAt: remindNowAt ?? undefined,
    },
    { timeZone, lastMessageAt: remindedAt.at(-1) ?? notifiedAt ?? undefined },
    holidays,
  );
}

/** Nobody is left who has to do something, or be excused. */
function isFinished(campaign: Campaign): boolean {
  return campaign.members.every((member) => ['complete', 'excused'].includes(memberState(member, campaign)));
}
