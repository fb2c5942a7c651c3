import { publicName } from '../../directory/names.ts';
import type { Campaign, CampaignMember, StandingRule, Validity } from '../../domain/campaign.ts';
import { named } from '../../domain/sentence.ts';
import { say } from '../../domain/said.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';
import { wallClock } from '../../time/wall-clock.ts';
import type { Holidays } from '../../time/working-hours.ts';
import { groupsNamed, isInOne } from './operations/joiners.ts';
import { newMember } from './operations/new-member.ts';
import { repeatsAt } from './operations/repeat-time.ts';
import { longestRenewal, usualRenewDaysOf } from './operations/schedule-input.ts';

const dayMs = 24 * 60 * 60_000;

/** What goes on with a campaign that was ordered to repeat, and what its owner has to know of it. */
export interface Continuation {
  /** It stands. */
  campaign: Campaign & Required<Pick<Campaign, 'validity' | 'standing'>>;
  /** Members who were excused in the last round. */
  excused: readonly string[];
}

/**
 * What begins where versions up to 1.6 began the next round of a campaign, a year after its start: a campaign that stands. It asks
 * everyone at the same time, and each year after it, since all passes count until the day on which the round would have been due.
 * Excuses of the round do not count. Members who have left the groups that were named are not in it; who has joined them comes in
 * as people do who join later.
 *
 * @param users all users of the account, as they are now
 */
export function continuationOf(campaign: Campaign, users: readonly User[], holidays: Holidays): Continuation {
  const { id, schedule, members } = campaign;
  const startedAt = repeatsAt(campaign);
  const known = new Map(users.filter(({ suspended }) => !suspended).map((user) => [user.user_id, user]));
  const isNamed = audienceTest(campaign);
  const staying = members.flatMap((member) => {
    const user = known.get(member.userId);
    return user && hasQuiz(member) && isNamed(user) ? [{ member, user }] : [];
  });
  return {
    excused: staying.filter(({ member }) => member.excused !== null).map(({ user }) => publicName(user)),
    campaign: {
      id: nextId(id),
      teamId: campaign.teamId,
      quiz: campaign.quiz,
      ownerId: campaign.ownerId,
      completeWhen: campaign.completeWhen,
      lead: campaign.lead,
      ...(campaign.otherLeads && { otherLeads: campaign.otherLeads }),
      ...(campaign.escalatesToManagers && { escalatesToManagers: true as const }),
      board: campaign.board,
      ...yearlyRule(campaign, holidays),
      repeats: null,
      ...(campaign.audience && { audience: campaign.audience }),
      ...(campaign.mayStop && { mayStop: true as const }),
      ...(campaign.takesMinutes !== undefined && { takesMinutes: campaign.takesMinutes }),
      startedAt,
      schedule: { ...schedule, dueAt: undefined, endsAt: undefined },
      endedAt: null,
      remindNowAt: null,
      escalatedUpTo: 0,
      knowsDelivery: true,
      batchId: null,
      members: staying.map(({ member: { personId, timeZone: zone }, user }) => {
        const groups = user.groups.map(({ group_name }) => group_name).filter((name) => name !== '');
        return newMember({ userId: user.user_id, name: publicName(user), groups, personId, timeZone: zone }, startedAt);
      }),
    },
  };
}

/** What became of an assignment is not noted any more once a campaign is over. */
function hasQuiz({ assignment, result }: CampaignMember): boolean {
  return assignment === undefined || result !== null;
}

/** Why it does not go on, in sentences. */
export function continuationProblems(
  { quiz: { name } }: Campaign,
  { members }: Campaign,
  quiz: Pick<Quiz, 'status'> | undefined,
  isOwnerAble: boolean,
): string[] {
  return [
    ...(quiz === undefined ? [say`${named(name)} isn’t in the quiz account any more.`] : []),
    ...(quiz?.status === 'closed' ? [say`${named(name)} is closed.`] : []),
    ...(isOwnerAble ? [] : [say`The person who started it can’t see its results any more.`]),
    ...(members.length > 0 ? [] : [say`Nobody who took part is still there.`]),
  ];
}

/** Who came by a channel, and is in no group that was named, stays: the bot does not ask the platform who is in it now. */
function audienceTest(campaign: Campaign): (user: User) => boolean {
  const { audience } = campaign;
  if (audience === undefined) return () => true;
  const groups = groupsNamed(campaign);
  const users = new Set(audience);
  const hasOthers = audience.some((part) => !/^(?:user|group):/.test(part));
  return (user) => hasOthers || users.has(`user:${user.user_id}`) || isInOne(user, groups);
}

const usualDays = 30;
const withinDaysAtMost = 366;

/** The same time for everyone, between the same days of each year: from the start of the round to its due time. */
function yearlyRule(
  { startedAt, schedule: { dueAt }, lead: { timeZone }, validity }: Campaign,
  holidays: Holidays,
): { validity: Validity; standing: StandingRule } {
  const clock = wallClock(timeZone);
  const startDay = Math.floor(clock.shownAt(startedAt) / dayMs);
  const dueDay = dueAt === undefined ? startDay + usualDays : Math.floor(clock.shownAt(dueAt) / dayMs);
  const date = new Date(dueDay * dayMs);
  const until = { month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  const withinDays = Math.min(Math.max(1, dueDay - startDay), withinDaysAtMost);
  const own = validity ?? { until };
  // Passes count until the end of that day, and people are asked from the day on which the round would have begun.
  const renewDays = validity === undefined ? Math.min(withinDays + 1, longestRenewal(own)) : usualRenewDaysOf(own);
  return { validity: own, standing: { withinDays, renewDays, holidays: [...holidays] } };
}

/** Always the same for a campaign, so that it is started once: `<id>.2`, `<id>.3`, … */
function nextId(id: string): string {
  const [first = id, round = '1'] = id.split('.');
  return `${first}.${Number(round) + 1}`;
}
