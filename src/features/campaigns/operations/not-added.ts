import type { Campaign } from '../../../domain/campaign.ts';
import { isInside, memberState } from '../../../obligations/members.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import type { PlatformWords } from '../../../operations/context.ts';
import { dayInWords } from '../../../operations/dates/typed-time.ts';
import type { Completed, TakingPart } from './who-takes-part.ts';

const namesAtMost = 3;

/**
 * Why people who were named are not added to a campaign, a sentence for each reason.
 *
 * @param setting.it what sentences call the campaign
 */
export function whyNotAdded(
  campaign: Campaign,
  { members, leftOut, completed }: Pick<TakingPart, 'members' | 'leftOut' | 'completed'>,
  setting: { it: string; platform: PlatformWords; nowMs: number; timeZone: string },
): string[] {
  const { it, platform, nowMs: now } = setting;
  const known = new Map(campaign.members.filter(isInside).map((member) => [member.userId, member]));
  const inIt = members.flatMap(({ userId }) => known.get(userId) ?? []);
  const { excused = [], others = [] } = Object.groupBy(inIt, (member) =>
    memberState(member, campaign, now) === 'excused' ? 'excused' : 'others',
  );
  const quiz = named(campaign.quiz.name);
  const reasons: readonly [names: readonly string[], one: string, many: string][] = [
    [others.map(({ name }) => name), `is in ${it} already`, `are in ${it} already`],
    [excused.map(({ name }) => name), 'is excused', 'are excused'],
    [completed.map(({ name }) => name), ...completedWords(completed, quiz, setting)],
    [leftOut.suspended, 'is suspended', 'are suspended'],
    [leftOut.withoutUser.map(({ name }) => name), 'isn’t in the quiz account', 'aren’t in the quiz account'],
    [leftOut.guests, `is a guest in ${platform.name}`, `are guests in ${platform.name}`],
  ];
  return reasons.flatMap(([names, one, many]) =>
    names.length === 0 ? [] : [`${namedList(names, namesAtMost)} ${names.length === 1 ? one : many}.`],
  );
}

/** Of one person with the day, which tells whether it still counts for the reader. */
function completedWords(
  completed: readonly Completed[],
  quiz: string,
  setting: { nowMs: number; timeZone: string },
): [one: string, many: string] {
  const [first] = completed;
  const did = completed.every((one) => one.did === 'passed') ? 'passed' : 'submitted';
  const many = `${did} ${quiz} already`;
  return [first?.at ? `${did} ${quiz} on ${dayInWords(first.at.getTime(), setting)}` : many, many];
}
