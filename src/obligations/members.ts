import type { Campaign, CampaignMember } from '../domain/campaign.ts';
import { obligationOf, type ObligationFacts, type ObligationRule } from './obligation.ts';
import type { Calendar } from './validity.ts';

/** What a campaign does about a member: nothing is left to do, or nothing now; `not me`: the trainer decides; `open`: they are asked. */
export type MemberState = 'complete' | 'excused' | 'marking' | 'not me' | 'open';

/** @param now milliseconds since the epoch */
export function memberState(member: CampaignMember, campaign: RuleOfCampaign, now: number): MemberState {
  const { state } = obligationOf(factsOf(member), ruleOf(campaign), now, calendarOf(campaign));
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

type RuleOfCampaign = Pick<Campaign, 'completeWhen' | 'schedule' | 'startedAt' | 'lead'>;

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

function ruleOf({ completeWhen, schedule: { dueAt }, startedAt }: RuleOfCampaign): ObligationRule {
  return { kind: 'round', dueAt, startsAt: startedAt, completeWhen, renewDays: 0 };
}

function calendarOf({ lead: { timeZone } }: RuleOfCampaign): Calendar {
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
