import type { Campaign, CampaignAttempt, CampaignMember } from '../../domain/campaign.ts';

/**
 * A campaign that stands without what is over since before a moment (milliseconds since the epoch): people who had left by then,
 * messages, stays and attempts. What still says how somebody stands is kept, however old it is. So its size goes by its people,
 * and not by its age. Rounds are kept whole, and forgotten after their end.
 */
export function withoutOld(campaign: Campaign, before: number): Campaign {
  if (campaign.rule.standing === null) return campaign;
  const members = campaign.members.flatMap((member) => {
    const left = member.stays.at(-1)?.to;
    if (left !== undefined && left < before) return [];
    // A member who stays the same is not written again.
    return hasOlder(member, before) ? [memberSince(member, before)] : [member];
  });
  return { ...campaign, members };
}

function hasOlder({ stays, messages, attempts }: CampaignMember, before: number): boolean {
  return (
    messages.some(({ handedAt }) => handedAt < before) ||
    stays.some(({ to = Infinity }) => to < before) ||
    attempts.some(({ submittedAt }) => submittedAt !== null && submittedAt < before)
  );
}

/** The first and the last message say when they were told what. */
function memberSince(member: CampaignMember, before: number): CampaignMember {
  const { stays, messages, attempts } = member;
  const isEnd = (place: number) => place === 0 || place === messages.length - 1;
  return {
    ...member,
    stays: stays.filter(({ to = Infinity }) => to >= before),
    messages: messages.filter(({ handedAt }, place) => handedAt >= before || isEnd(place)),
    attempts: attemptsSince(attempts, before),
  };
}

/**
 * Of the older ones, the latest, and the latest that counts by any rule: passes count the longer the later they are. One without
 * a date is dated by when the bot got to know it, so one that was forgotten would be taken for new at the next reading.
 */
function attemptsSince(attempts: readonly CampaignAttempt[], before: number): readonly CampaignAttempt[] {
  const old = attempts.filter(({ submittedAt }) => submittedAt !== null && submittedAt < before);
  const kept = new Set([latestOf(old), latestOf(old.filter(isPass))]);
  return attempts.filter((attempt) => !old.includes(attempt) || kept.has(attempt));
}

function isPass({ outcome }: CampaignAttempt): boolean {
  return outcome === 'passed' || outcome === 'not graded';
}

function latestOf(attempts: readonly CampaignAttempt[]): CampaignAttempt | undefined {
  return attempts.toSorted((one, other) => (one.submittedAt ?? 0) - (other.submittedAt ?? 0)).at(-1);
}
