import type { Campaign, CampaignAttempt, CampaignMember } from '../../domain/campaign.ts';
import type { LastMonth, PlannedMember } from '../../domain/campaign-plan.ts';
import { memberObligation, stateOf, type CampaignRule } from '../../obligations/members.ts';
import type { ObligationFacts } from '../../obligations/obligation.ts';
import { startOfNextDay, type Holidays } from '../../time/working-hours.ts';
import { applyEvents } from './events.ts';
import { messagesOf } from './messages.ts';
import { lastMonthDays } from './operations/campaign-words.ts';
import { nextMessages } from './next-step.ts';
import { newMember } from './operations/new-member.ts';
import { nextStandingEscalation } from './operations/schedule.ts';

const dayMs = 24 * 60 * 60_000;

interface Replay {
  campaign: Campaign;
  since: number;
  until: number;
  holidays: Holidays;
}

/** A time in which a person would have had to take the quiz. `to`: the first moment after it. */
interface OpenTime {
  from: number;
  to: number;
  dueAt: number;
}

interface PersonMonth {
  asks: number;
  reminders: number;
  open: readonly OpenTime[];
}

/**
 * What a campaign that stands would have done in the last 30 days, had it started then: by the rules that decide on its messages
 * now, and the attempts that the service has. Since when people are in its audience is not known of the past, so all of them
 * would have come in when it started. Other campaigns and do-not-disturb are left out.
 *
 * @param attempts of each person, by user ID
 * @param setting.nowMs in milliseconds since the epoch
 */
export function replayLastMonth(
  rule: CampaignRule,
  members: readonly PlannedMember[],
  attempts: ReadonlyMap<string, ObligationFacts['attempts']>,
  { nowMs, holidays }: { nowMs: number; holidays: Holidays },
): LastMonth {
  const since = nowMs - lastMonthDays * dayMs;
  const replay = { campaign: campaignSince(rule, since), since, until: nowMs, holidays };
  // Most people are as far as many others: computing with time zones takes long.
  const known = new Map<string, PersonMonth>();
  const months = members.map((planned) => {
    const own = (attempts.get(planned.userId) ?? []).toSorted((a, b) => a.at - b.at);
    const isReached = planned.personId !== null && !planned.isTurnedOff;
    const key = JSON.stringify([planned.timeZone, isReached, own.map(({ at, outcome }) => [at, outcome])]);
    const month =
      known.get(key) ??
      replayPerson({ ...newMember(planned, since), ...(!isReached && { personId: null }) }, own, replay);
    known.set(key, month);
    return month;
  });
  return {
    asks: sumOf(months, ({ asks }) => asks),
    reminders: sumOf(months, ({ reminders }) => reminders),
    written: months.filter(({ asks, reminders }) => asks + reminders > 0).length,
    toTake: months.filter(({ open }) => open.length > 0).length,
    escalations: escalationsIn(
      months.flatMap(({ open }) => open),
      replay,
    ),
  };
}

/** Goes from moment to moment at which the person can come to stand differently, and writes to them as the campaign does. */
function replayPerson(
  newcomer: CampaignMember,
  own: ObligationFacts['attempts'],
  { campaign, since, until, holidays }: Replay,
): PersonMonth {
  const open: OpenTime[] = [];
  let [asks, reminders] = [0, 0];
  let member = newcomer;
  for (let at = since; at < until;) {
    member = { ...member, attempts: attemptsUntil(own, at) };
    const obligation = memberObligation(member, campaign, at);
    const { asksFrom = 0, dueAt = Infinity } = obligation;
    const end = Math.min(until, nextTurn(own, asksFrom, at, campaign.lead.timeZone));
    for (let writesAt = messageAt(member, at); writesAt < end; writesAt = messageAt(member, writesAt)) {
      const kind = member.notifiedAt === null ? 'notify' : 'remind';
      const [message] = messagesOf({ kind, members: [member] }, campaign, writesAt);
      if (message?.content.kind === 'campaign-notice' && message.content.isReminder) reminders += 1;
      else asks += 1;
      const event = {
        kind: kind === 'notify' ? 'notified' : 'reminded',
        userIds: [member.userId],
        at: writesAt,
      } as const;
      [member = newcomer] = applyEvents({ ...campaign, members: [member] }, [event]).members;
    }
    if (stateOf(obligation) === 'open') open.push({ from: at, to: end, dueAt });
    at = end;
  }
  return { asks, reminders, open };

  function messageAt(to: CampaignMember, now: number): number {
    const [next] = nextMessages({ ...campaign, members: [to] }, now, holidays);
    return next === undefined ? Infinity : Math.max(next.message.at, now);
  }
}

/** An attempt comes, what is valid is to be renewed, or a day ends: then a pass that waits to be marked can be too old. */
function nextTurn(own: ObligationFacts['attempts'], asksFrom: number, at: number, timeZone: string): number {
  const isMarking = own.some(({ outcome }) => outcome === 'unmarked');
  return Math.min(
    own.find((attempt) => attempt.at > at)?.at ?? Infinity,
    asksFrom > at ? asksFrom : Infinity,
    isMarking ? startOfNextDay(at, timeZone) : Infinity,
  );
}

function attemptsUntil(own: ObligationFacts['attempts'], now: number): CampaignAttempt[] {
  return own.flatMap(({ at, outcome }, index) =>
    at <= now ? [{ responseId: String(index), outcome, percentage: null, submittedAt: at, knownAt: at }] : [],
  );
}

/** How often the lead would have got the names of the people who are late. */
function escalationsIn(open: readonly OpenTime[], { campaign, until, holidays }: Replay): number {
  const { schedule, lead } = campaign;
  const late = [...Map.groupBy(open, ({ dueAt }) => dueAt)];
  let upTo = 0;
  for (let count = 0; ; count += 1) {
    const nextOf = ([dueAt, times]: (typeof late)[number]): number => {
      const planned = nextStandingEscalation(schedule.escalateAfterMs, [dueAt], upTo, lead, holidays) ?? Infinity;
      const moments = times.map(({ from, to }) => (Math.max(planned, from) < to ? Math.max(planned, from) : Infinity));
      return moments.reduce((a, b) => Math.min(a, b), Infinity);
    };
    upTo = late.map(nextOf).reduce((a, b) => Math.min(a, b), Infinity);
    if (upTo >= until) return count;
  }
}

/** A campaign with this rule that started at a moment, as far as its messages depend on it. */
function campaignSince(rule: CampaignRule, startedAt: number): Campaign {
  return {
    ...rule,
    id: '',
    teamId: '',
    quiz: { id: '', name: '' },
    ownerId: '',
    startedAt,
    board: null,
    endedAt: null,
    remindNowAt: null,
    escalatedUpTo: 0,
    members: [],
    batchId: null,
    repeats: null,
  };
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}
