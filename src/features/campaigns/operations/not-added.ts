import type { Campaign } from '../../../domain/campaign.ts';
import { obligationState } from '../../../domain/obligation.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import type { PlatformWords } from '../../../operations/context.ts';
import type { TakingPart } from './who-takes-part.ts';

const namesAtMost = 3;

/** Why people who were named are not added to a campaign, a sentence for each reason. */
export function whyNotAdded(
  campaign: Campaign,
  { members, leftOut }: Pick<TakingPart, 'members' | 'leftOut'>,
  platform: PlatformWords,
  now: number,
): string[] {
  const known = new Map(campaign.members.map((member) => [member.userId, member]));
  const inIt = members.flatMap(({ userId }) => known.get(userId) ?? []);
  const { excused = [], others = [] } = Object.groupBy(inIt, (member) =>
    obligationState(member, campaign, now) === 'excused' ? 'excused' : 'others',
  );
  const quiz = named(campaign.quiz.name);
  const reasons: readonly [names: readonly string[], one: string, many: string][] = [
    [others.map(({ name }) => name), 'is in it already', 'are in it already'],
    [excused.map(({ name }) => name), 'is excused', 'are excused'],
    [
      leftOut.passed,
      ...twice(campaign.completeWhen === 'passed' ? `passed ${quiz} already` : `submitted ${quiz} already`),
    ],
    [leftOut.suspended, 'is suspended', 'are suspended'],
    [leftOut.withoutUser.map(({ name }) => name), 'isn’t in the quiz account', 'aren’t in the quiz account'],
    [leftOut.guests, `is a guest in ${platform.name}`, `are guests in ${platform.name}`],
  ];
  return reasons.flatMap(([names, one, many]) =>
    names.length === 0 ? [] : [`${namedList(names, namesAtMost)} ${names.length === 1 ? one : many}.`],
  );
}

function twice(words: string): [string, string] {
  return [words, words];
}
