import type { Campaign, CampaignMember, Obligation, ObligationState } from '../domain/campaign.ts';
import { obligationsIn } from './members.ts';

/** A member of a campaign that stands, and what they have to do. */
export interface ObligedMember {
  member: CampaignMember;
  obligation: Obligation;
}

/** The people who are required to take part at a moment, in milliseconds since the epoch, in the order of the campaign. */
export function obligedMembers(campaign: Campaign, now: number): ObligedMember[] {
  const obligationFor = obligationsIn(campaign, now);
  return campaign.members
    .map((member) => ({ member, obligation: obligationFor(member) }))
    .filter(({ obligation }) => obligation.state !== 'not required');
}

export function inState(obliged: readonly ObligedMember[], ...states: readonly ObligationState[]): ObligedMember[] {
  return obliged.filter(({ obligation }) => states.includes(obligation.state));
}

/** When the next pass is to be renewed that is not to be yet, in milliseconds since the epoch; undefined: none is. */
export function nextRenewalAt(campaign: Campaign, now: number): number | undefined {
  const moments = inState(obligedMembers(campaign, now), 'done').flatMap(({ obligation }) => obligation.asksFrom ?? []);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** How many people had to have a pass at a moment, and how many had one that counted. */
interface ValidAt {
  at: number;
  required: number;
  valid: number;
}

const weekMs = 7 * 24 * 60 * 60_000;

/**
 * How the campaign stood at the end of each of the last weeks, the earliest first, worked out from what is known now.
 *
 * @param now the end of the last week
 */
export function validOverWeeks(campaign: Campaign, weeks: number, now: number): ValidAt[] {
  return Array.from({ length: weeks }, (_, index) => now - (weeks - 1 - index) * weekMs)
    .filter((at) => at >= campaign.startedAt)
    .map((at) => {
      const obliged = obligedMembers(
        { ...campaign, members: campaign.members.map((member) => memberAsOf(member, at)) },
        at,
      );
      const excused = inState(obliged, 'excused', 'not yet due').length;
      return { at, required: obliged.length - excused, valid: inState(obliged, 'done', 'expiring').length };
    });
}

/** A member without what came later than a moment, in milliseconds since the epoch. */
export function memberAsOf(member: CampaignMember, at: number): CampaignMember {
  const { attempts, stays, excused, saidNotMeAt } = member;
  return {
    ...member,
    stays: stays.filter(({ from }) => from <= at),
    attempts: attempts.filter(({ submittedAt, knownAt }) => (submittedAt ?? knownAt) <= at),
    excused: excused !== null && excused.at <= at ? excused : null,
    saidNotMeAt: saidNotMeAt !== null && saidNotMeAt <= at ? saidNotMeAt : null,
  };
}
