import type { Campaign, CampaignMember } from '../../domain/campaign.ts';
import { memberState, openMembers } from '../../domain/campaign-members.ts';
import { nextEscalation, nextMessageOf, type NextMessage } from './operations/schedule.ts';
import { restsUntil } from '../../durable/rest.ts';
import type { Holidays } from '../../time/working-hours.ts';
import { repeatsAt } from './repeat.ts';

/** What a run of a campaign does next. */
export type CampaignStep =
  /** Read the quiz's responses: what follows must not be written to people whose result is in. */
  | { kind: 'ask' }
  /** Look how far the batch is that assigns the quiz. */
  | { kind: 'read-assignments' }
  | { kind: 'notify'; members: readonly CampaignMember[] }
  | { kind: 'remind'; members: readonly CampaignMember[] }
  | { kind: 'escalate'; missing: readonly CampaignMember[] }
  /** Bring the board up to date: the time has changed what it shows. */
  | { kind: 'refresh' }
  | { kind: 'end' }
  /** Put the end on the record. */
  | { kind: 'close' }
  /** Start it again for the next year. */
  | { kind: 'repeat' }
  /** Undefined: until something happens. */
  | { kind: 'wait'; until: number | undefined };

/** What the bot keeps of a campaign, besides what people see. Times are milliseconds since the epoch, and 0 before. */
export interface CampaignProgress {
  /** When the responses were read. */
  askedAt: number;
  /** Not before this time, since that one: the service did not answer. */
  askAgainAt: number;
  restsFrom?: number | undefined;
  /** When the batch that assigns the quiz was read. */
  assignmentsReadAt: number;
  /** When the board was last brought up to date. */
  refreshedAt: number;
  /** No person ended it. */
  endedByItself: boolean;
  /** The end is on the record. */
  isClosed: boolean;
  /** It was started again. */
  isRepeated: boolean;
}

/** What a step is decided on, besides the campaign. Messages of other campaigns and do-not-disturb are matters of delivery. */
export interface Circumstances extends CampaignProgress {
  now: number;
  holidays: Holidays;
}

/** Responses that were read up to so long ago will do, if it was after the messages came due. */
const askedForMs = 15 * 60_000;
/** Lost webhooks are found within this time, even where no message is due. */
const asksEveryMs = 7 * 24 * 60 * 60_000;
/** Nothing says that the service sends a webhook when a person marks a result. */
const asksForMarksEveryMs = 60 * 60_000;
/** Between two looks at the batch that assigns the quiz. They cost no requests. */
const assignmentsEveryMs = 5_000;
/** A board shows days. */
const refreshEveryMs = 24 * 60 * 60_000;

export function nextStep(campaign: Campaign, circumstances: Circumstances): CampaignStep {
  const step = plannedStep(campaign, circumstances);
  const { now, restsFrom, askAgainAt: notBefore } = circumstances;
  const until = step.kind === 'ask' ? restsUntil({ restsFrom, notBefore }, now) : undefined;
  return until === undefined ? step : { kind: 'wait', until };
}

function plannedStep(campaign: Campaign, circumstances: Circumstances): CampaignStep {
  const { now, askedAt, holidays, assignmentsReadAt } = circumstances;
  if (campaign.endedAt !== null) return stepAfterEnd(campaign, circumstances);
  /** @param since what follows came due then */
  const mustAsk = (since: number) => askedAt === 0 || askedAt < since || now - askedAt > askedForMs || now < askedAt;

  const { endsAt = Infinity } = campaign.schedule;
  if (now >= endsAt) return mustAsk(endsAt) ? { kind: 'ask' } : { kind: 'end' };
  if (isFinished(campaign)) return mustAsk(0) ? { kind: 'ask' } : { kind: 'end' };

  const isAssigning = campaign.members.some(({ assignment }) => assignment === 'waiting');
  if (isAssigning && Math.abs(now - assignmentsReadAt) >= assignmentsEveryMs) return { kind: 'read-assignments' };

  const messages = nextMessages(campaign, holidays);
  const due = messages.filter(({ message }) => message.at <= now);
  const first = due.filter(({ message }) => message.kind === 'first').map(({ member }) => member);
  if (first.length > 0) return askedAt === 0 ? { kind: 'ask' } : { kind: 'notify', members: first };
  const escalateAt = nextEscalation(campaign.schedule, campaign.escalatedUpTo, campaign.lead, holidays);
  const isEscalating = escalateAt !== undefined && escalateAt <= now;
  // The escalation reminds the lead, too.
  const reminders = due.filter(({ member }) => !(isEscalating && member.userId === campaign.lead.userId));
  if (reminders.length > 0)
    return mustAsk(Math.max(...reminders.map(({ message }) => message.at)))
      ? { kind: 'ask' }
      : { kind: 'remind', members: reminders.map(({ member }) => member) };
  if (isEscalating) return mustAsk(escalateAt) ? { kind: 'ask' } : { kind: 'escalate', missing: openMembers(campaign) };

  const isMarking = campaign.members.some((member) => memberState(member, campaign) === 'marking');
  const askAt = Math.max(askedAt, campaign.startedAt) + (isMarking ? asksForMarksEveryMs : asksEveryMs);
  if (askAt <= now || now < askedAt) return { kind: 'ask' };
  const refreshAt = nextRefresh(campaign, circumstances);
  if (refreshAt <= now) return { kind: 'refresh' };
  const moments = [
    ...messages.map(({ message }) => message.at),
    escalateAt ?? Infinity,
    endsAt,
    askAt,
    refreshAt,
    isAssigning ? assignmentsReadAt + assignmentsEveryMs : Infinity,
  ];
  return { kind: 'wait', until: earliest(moments) };
}

function stepAfterEnd(campaign: Campaign, { now, endedByItself, isClosed, isRepeated }: Circumstances): CampaignStep {
  if (!isClosed) return { kind: 'close' };
  if (campaign.repeats === null || !endedByItself || isRepeated) return { kind: 'wait', until: undefined };
  const at = repeatsAt(campaign);
  return now >= at ? { kind: 'repeat' } : { kind: 'wait', until: at };
}

/** The next message of each member who is to get one. */
function nextMessages(campaign: Campaign, holidays: Holidays): { member: CampaignMember; message: NextMessage }[] {
  // Most members are as far as many others: computing with time zones takes long.
  const known = new Map<string, NextMessage | undefined>();
  return openMembers(campaign).flatMap((member) => {
    const { personId, assignment, timeZone, addedAt, notifiedAt, remindedAt, snoozedUntil } = member;
    if (personId === null || assignment !== undefined) return [];
    const key = JSON.stringify([timeZone, addedAt, notifiedAt, remindedAt.at(-1), snoozedUntil]);
    if (!known.has(key)) known.set(key, nextMessageFor(member, campaign, holidays));
    const message = known.get(key);
    return message ? [{ member, message }] : [];
  });
}

function nextMessageFor(
  { timeZone, addedAt, notifiedAt, remindedAt, snoozedUntil }: CampaignMember,
  { schedule, remindNowAt }: Campaign,
  holidays: Holidays,
): NextMessage | undefined {
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

/** When the time next changes what the board shows; infinite without a board. */
function nextRefresh({ board, schedule: { dueAt = Infinity } }: Campaign, { refreshedAt, now }: Circumstances): number {
  if (board === null) return Infinity;
  return Math.min(refreshedAt < dueAt ? dueAt : Infinity, Math.min(refreshedAt, now) + refreshEveryMs);
}

function earliest(moments: readonly number[]): number | undefined {
  const first = Math.min(...moments);
  return first === Infinity ? undefined : first;
}

/** Nobody is left who has to do something, or be excused. */
function isFinished(campaign: Campaign): boolean {
  return campaign.members.every((member) => ['complete', 'excused'].includes(memberState(member, campaign)));
}
