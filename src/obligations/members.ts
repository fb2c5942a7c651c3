import type { Campaign, CampaignMember } from '../domain/campaign.ts';
import { obligationOf, type Obligation, type ObligationFacts, type ObligationRule } from './obligation.ts';
import { validUntil, type Calendar } from './validity.ts';

/** What a campaign does about a member: nothing is left to do, or nothing now; `not me`: the trainer decides; `open`: they are asked. */
export type MemberState = 'complete' | 'excused' | 'marking' | 'not me' | 'open';

/** What a campaign asks for. */
export type Round = Pick<Campaign, 'completeWhen' | 'validity' | 'schedule' | 'lead'>;

/** How somebody with these attempts would stand in a round that begins now, in milliseconds since the epoch. */
export function obligationInRound(attempts: ObligationFacts['attempts'], round: Round, now: number): Obligation {
  const facts = { stays: [{ from: now }], attempts, excuse: null, saidNotMeAt: null };
  return obligationOf(facts, ruleOf(round), now, calendarOf(round));
}

/** Until when a pass of a moment counts; infinite where it counts for good. In milliseconds since the epoch. */
export function passValidUntil(passedAt: number, round: Round): number {
  return validUntil(passedAt, round.validity, renewDays, calendarOf(round));
}

/** @param now milliseconds since the epoch */
export function memberObligation(member: CampaignMember, campaign: Round, now: number): Obligation {
  return obligationOf(factsOf(member), ruleOf(campaign), now, calendarOf(campaign));
}

export function memberState(member: CampaignMember, campaign: Round, now: number): MemberState {
  const { state } = memberObligation(member, campaign, now);
  switch (state) {
    case 'done':
    case 'not required':
      return 'complete';
    case 'excused':
    case 'marking':
    case 'not me':
      return state;
    default:
      return 'open';
  }
}

/** The obligation of a member, as its campaign keeps it. */
function factsOf({ addedAt, attempts, result, excused, saidNotMeAt }: CampaignMember): ObligationFacts {
  return {
    stays: [{ from: addedAt }],
    attempts:
      attempts?.map(({ submittedAt, knownAt, outcome }) => ({ at: submittedAt ?? knownAt, outcome })) ??
      (result === null ? [] : [{ at: result.submittedAt ?? 0, outcome: result.outcome }]),
    excuse: excused,
    saidNotMeAt,
  };
}

/** A month before a date for everyone, people take the quiz for the year after it. */
const renewDays = 30;

/** The members of a round are in it from its start, or from when they were added. */
function ruleOf({ completeWhen, validity, schedule: { dueAt } }: Round): ObligationRule {
  return { kind: 'round', dueAt, startsAt: 0, completeWhen, ...(validity && { validity }), renewDays };
}

function calendarOf({ lead: { timeZone } }: Round): Calendar {
  return { timeZone, holidays: noHolidays };
}

/** A round is due at one time, which no holiday moves. */
const noHolidays: Calendar['holidays'] = new Set();

/** The members who still have to take the quiz. */
export function openMembers(campaign: Campaign, now: number): CampaignMember[] {
  return campaign.members.filter((member) => memberState(member, campaign, now) === 'open');
}

/** How many members are in each state. */
export function countMembers(campaign: Campaign, now: number): Record<MemberState, number> {
  const counts = { complete: 0, excused: 0, marking: 0, 'not me': 0, open: 0 };
  for (const member of campaign.members) counts[memberState(member, campaign, now)] += 1;
  return counts;
}

/** When an excuse next ends; undefined where none does. */
export function nextExcuseEnd({ members }: Pick<Campaign, 'members'>, now: number): number | undefined {
  const ends = members.flatMap(({ excused }) => (excused?.until && excused.until > now ? [excused.until] : []));
  return ends.length === 0 ? undefined : Math.min(...ends);
}
