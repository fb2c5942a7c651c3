import type { Campaign, CampaignMember, Candidates } from '../../domain/campaign.ts';
import { staysOf } from '../../obligations/members.ts';

/**
 * A member who comes into the audience again, with what they had: passes, excuses, messages. Events can be applied twice, so
 * one from before they left changes nothing.
 *
 * @param at in milliseconds since the epoch
 */
export function back(
  known: CampaignMember,
  { name, groups, personId, timeZone, assignment }: CampaignMember,
  at: number,
): CampaignMember {
  const stays = staysOf(known);
  const last = stays.at(-1);
  if (last !== undefined && (last.to === undefined || at < last.to)) return known;
  return { ...known, name, groups, personId, timeZone, assignment, stays: [...stays, { from: at }] };
}

/** A member who leaves the audience. @param at in milliseconds since the epoch */
export function gone(member: CampaignMember, at: number): CampaignMember {
  const stays = staysOf(member);
  const last = stays.at(-1);
  if (last === undefined || last.to !== undefined || at < last.from) return member;
  return { ...member, stays: [...stays.slice(0, -1), { ...last, to: at }] };
}

/** People who are added by name to a campaign that stands are in its audience from then on, whatever groups they are in. */
export function withNamed(campaign: Campaign, members: readonly CampaignMember[]): Campaign {
  const { standing, audience } = campaign;
  if (standing === undefined || audience === undefined) return campaign;
  return { ...campaign, audience: [...new Set([...audience, ...members.map(({ userId }) => `user:${userId}`)])] };
}

/** @param candidates null: nobody waits to be taken in */
export function withCandidates({ candidates: _, ...campaign }: Campaign, candidates: Candidates | null): Campaign {
  return candidates === null ? campaign : { ...campaign, candidates };
}

/** Those who still wait to be taken in when these members are in. */
export function withoutPeople(
  candidates: Candidates | undefined,
  members: readonly CampaignMember[],
): Candidates | null {
  const taken = new Set(members.map(({ userId }) => userId));
  const people = candidates?.people.filter(({ userId }) => !taken.has(userId)) ?? [];
  return candidates === undefined || people.length === 0 ? null : { ...candidates, people };
}
