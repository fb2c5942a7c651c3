import type { Campaign } from '../../../domain/campaign.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { personOf } from '../../../obligations/people.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { partId, partName, type AudiencePart } from '../../../operations/fields/audience.ts';
import { visibleCampaigns } from '../../../operations/fields/campaign.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { DoneResult } from '../../../operations/operation-result.ts';
import { addToCampaign } from './add.ts';
import { withinWords } from './campaign-words.ts';
import { viewStep } from './list-and-show.ts';

/** Of several, the one that has stood longest, so that everyone comes into the same. */
export async function standingFor(context: OperationContext, quizId: string): Promise<Campaign | undefined> {
  const running = (await visibleCampaigns(context)).filter(
    ({ quiz, endedAt }) => quiz.id === quizId && endedAt === null,
  );
  const campaigns = await Promise.all(running.map(({ id }) => context.campaigns.byId(id)));
  const standing = campaigns.flatMap((campaign) =>
    campaign?.rule.standing && campaign.endedAt === null ? [campaign] : [],
  );
  return standing.toSorted((a, b) => a.startedAt - b.startedAt)[0];
}

/** What would become of people in a campaign that stands. */
export function joining(campaign: Campaign, to: readonly AudiencePart[], now: number): DoneResult {
  const known = new Map(campaign.members.map((member) => [member.userId, member]));
  const isSettled = (userId: string) => {
    const member = known.get(userId);
    return (
      member !== undefined && member.assignment !== 'failed' && personOf(member, campaign, now).state !== 'not required'
    );
  };
  const isIn = to.every(({ people }) => people.every(({ userId }) => isSettled(userId)));
  const add = runStep(say`Add`, addToCampaign, { people: to.map(partId), campaign: [campaign.id] });
  return {
    kind: 'done',
    isNoChange: true,
    message: joiningMessage(campaign, to.map(partName), isIn),
    next: [...(isIn ? [] : [add]), viewStep(campaign.id)],
  };
}

/** @param names of the people and groups who were named */
export function joiningMessage(
  { quiz, rule: { standing } }: Campaign,
  names: readonly string[],
  isIn: boolean,
): string {
  if (isIn) {
    return say`${namedList(names)} ${names.length === 1 ? 'is' : 'are'} in the ongoing campaign for ${named(quiz.name)} already.`;
  }
  return [
    say`There’s an ongoing campaign for ${named(quiz.name)}. Add ${namedList(names)} to it?`,
    ...(standing === null ? [] : [say`They would have it due ${withinWords(standing)}.`]),
  ].join(' ');
}
