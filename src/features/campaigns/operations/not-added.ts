import type { Campaign } from '../../../domain/campaign.ts';
import { isInside, memberState } from '../../../obligations/members.ts';
import { say } from '../../../domain/said.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import type { PlatformWords } from '../../../operations/services/platform.ts';
import { dayInWords } from '../../../operations/dates/typed-time.ts';
import type { Completed, TakingPart } from './who-takes-part.ts';

const namesAtMost = 3;

/**
 * Why people who were named are not added to a campaign, a sentence for each reason.
 *
 * @param setting.isNamed whether no sentence before has named the campaign
 */
export function whyNotAdded(
  campaign: Campaign,
  { members, leftOut, completed }: Pick<TakingPart, 'members' | 'leftOut' | 'completed'>,
  setting: { isNamed: boolean; platform: PlatformWords; nowMs: number; timeZone: string },
): string[] {
  const { isNamed, platform, nowMs: now } = setting;
  const known = new Map(campaign.members.filter(isInside).map((member) => [member.userId, member]));
  const inIt = members.flatMap(({ userId }) => known.get(userId) ?? []);
  const { excused = [], others = [] } = Object.groupBy(inIt, (member) =>
    memberState(member, campaign, now) === 'excused' ? 'excused' : 'others',
  );
  const quiz = named(campaign.quiz.name);
  const reasons: readonly [people: readonly string[], reason: (names: string, isOne: boolean) => string][] = [
    [
      others.map(({ name }) => name),
      (names, isOne) =>
        isNamed
          ? say`${names} ${isOne ? 'is' : 'are'} in the campaign for ${quiz} already.`
          : say`${names} ${isOne ? 'is' : 'are'} in it already.`,
    ],
    [excused.map(({ name }) => name), (names, isOne) => say`${names} ${isOne ? 'is' : 'are'} excused.`],
    [completed.map(({ name }) => name), (names) => completedSentence(names, completed, quiz, setting)],
    [leftOut.suspended, (names, isOne) => say`${names} ${isOne ? 'is' : 'are'} suspended.`],
    [
      leftOut.withoutUser.map(({ name }) => name),
      (names, isOne) => say`${names} ${isOne ? 'isn’t' : 'aren’t'} in the quiz account.`,
    ],
    [
      leftOut.guests,
      (names, isOne) =>
        isOne ? say`${names} is a guest in ${platform.name}.` : say`${names} are guests in ${platform.name}.`,
    ],
  ];
  return reasons.flatMap(([people, reason]) =>
    people.length === 0 ? [] : [reason(namedList(people, namesAtMost), people.length === 1)],
  );
}

/** Of one person with the day, which tells whether it still counts for the reader. */
function completedSentence(
  names: string,
  completed: readonly Completed[],
  quiz: string,
  setting: { nowMs: number; timeZone: string },
): string {
  const [first, ...others] = completed;
  const havePassed = completed.every(({ did }) => did === 'passed');
  if (others.length > 0 || !first?.at)
    return havePassed ? say`${names} passed ${quiz} already.` : say`${names} submitted ${quiz} already.`;
  const day = dayInWords(first.at.getTime(), setting);
  return havePassed ? say`${names} passed ${quiz} on ${day}.` : say`${names} submitted ${quiz} on ${day}.`;
}
