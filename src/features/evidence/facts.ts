import type { Campaign, CampaignMember, Obligation } from '../../domain/campaign.ts';
import { memberAsOf, passValidUntil, peopleOf, personOf } from '../../obligations/people.ts';
import { completes } from '../../obligations/obligation.ts';

/** A time that a pack is about, in milliseconds since the epoch; `until` is the first moment after it. */
export interface Period {
  since: number;
  until: number;
}

/** What stands at the head of a pack. */
export interface EvidenceHead extends Period {
  /** Which campaigns were asked for, such as “Fire safety”. */
  about: string;
  /** The name of the person who asked for it. */
  askedBy: string;
  /** In milliseconds since the epoch. */
  madeAt: number;
  /** The name of the platform. */
  platform: string;
}

/** Where the results of a campaign are from. */
type ResultsFrom =
  | 'read from the quiz service'
  | 'known to the bot, since the quiz service could not be asked'
  | 'known to the bot before the quiz was deleted';

/** A campaign with the results that are known at `asOf`, in milliseconds since the epoch. */
export interface CampaignFacts {
  campaign: Campaign;
  asOf: number;
  resultsFrom: ResultsFrom;
}

/** What a pack says of a person in a campaign. */
export interface PersonFacts extends CampaignFacts {
  period: Period;
  member: CampaignMember;
  /** The moment of `atEnd`: the end of the period, or of the campaign where that was before. */
  endAt: number;
  atEnd: Obligation;
  now: Obligation;
  /** The pass that counts, or counted last; undefined: none is known. */
  pass: Pass | undefined;
  isLate: 'yes' | 'no' | 'not known';
}

interface Pass {
  /** When it was submitted; null where the service does not say. */
  at: number | null;
  /** When the bot got to know it. */
  knownAt: number;
}

/** Whether a campaign ran in a period. */
export function ranIn(
  { startedAt, endedAt }: Pick<Campaign, 'startedAt' | 'endedAt'>,
  { since, until }: Period,
): boolean {
  return startedAt < until && (endedAt ?? Infinity) >= since;
}

/** The people who were in the audience of a campaign at any time in a period. */
export function peopleIn(facts: CampaignFacts, period: Period): PersonFacts[] {
  const { campaign, asOf } = facts;
  const endAt = Math.min(period.until, campaign.endedAt ?? Infinity);
  return peopleOf(campaign, asOf)
    .filter(({ member }) => staysIn(member, period).length > 0)
    .map(({ member, obligation: now }) => {
      const pass = passOf(member, campaign);
      const atEnd = personOf(memberAsOf(member, endAt), campaign, endAt).obligation;
      return {
        ...facts,
        period,
        member,
        endAt,
        atEnd,
        now,
        pass,
        isLate: lateness(member, campaign, pass, atEnd),
      };
    });
}

/** When a person was in the audience in a period. */
export function staysIn(member: CampaignMember, { since, until }: Period) {
  return member.stays.filter(({ from, to = Infinity }) => from < until && to > since);
}

/** Of all passes, the one that is valid longest; of equal ones, the first. */
function passOf(member: CampaignMember, campaign: Campaign): Pass | undefined {
  const passes = member.attempts
    .filter(({ outcome }) => completes(outcome, campaign.rule.completeWhen))
    .map(({ submittedAt, knownAt }) => ({
      at: submittedAt,
      knownAt,
      until: passValidUntil(submittedAt ?? knownAt, campaign),
    }));
  const longest = Math.max(...passes.map(({ until }) => until));
  return passes
    .filter(({ until }) => until === longest)
    .toSorted((one, other) => (one.at ?? one.knownAt) - (other.at ?? other.knownAt))[0];
}

/** A pass is late where it came after the time at which it was due right before; without one, who is over the due time is late. */
function lateness(member: CampaignMember, campaign: Campaign, pass: Pass | undefined, { state }: Obligation) {
  if (state === 'overdue' || state === 'expired') return 'yes';
  if (pass === undefined) return 'no';
  if (pass.at === null) return 'not known';
  const before = personOf(memberAsOf(member, pass.at - 1), campaign, pass.at - 1).obligation;
  const wasAsked = before.state !== 'excused' && before.state !== 'not required';
  return wasAsked && before.dueAt !== undefined && pass.at > before.dueAt ? 'yes' : 'no';
}
