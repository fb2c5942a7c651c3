import { publicName } from '../../directory/names.ts';
import type { Campaign, CampaignMember, Schedule } from '../../domain/campaign.ts';
import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';
import { groupsNamed, isInOne, joinersOf, type Joiner } from './operations/joiners.ts';
import { newMember } from './operations/new-member.ts';
import { repeatsAt, yearAfter } from './operations/repeat-time.ts';

/** The next round of a campaign, and what its owner has to know of it. */
export interface Round {
  campaign: Campaign;
  /** Members who were excused in the last round. */
  excused: readonly string[];
  /** Who is in its groups, and was not in the last round. */
  joined: readonly Joiner[];
}

/**
 * The campaign of the next year, with every time a year later on the lead’s clock. Each round needs a new attempt: attempts
 * from before its start do not count, and neither do excuses. Members who have left the groups that were named are not in it.
 *
 * @param users all users of the account, as they are now
 */
export function nextRound(campaign: Campaign, users: readonly User[]): Round {
  const {
    id,
    schedule,
    members,
    lead: { timeZone },
  } = campaign;
  const startedAt = repeatsAt(campaign);
  const known = new Map(users.filter(({ suspended }) => !suspended).map((user) => [user.user_id, user]));
  const isNamed = audienceTest(campaign);
  const staying = members.flatMap((member) => {
    const user = known.get(member.userId);
    return user && hasQuiz(member) && isNamed(user) ? [{ member, user }] : [];
  });
  return {
    excused: staying.filter(({ member }) => member.excused !== null).map(({ user }) => publicName(user)),
    joined: joinersOf({ ...campaign, leftOut: [] }, users),
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
      repeats: campaign.repeats,
      ...(campaign.audience && { audience: campaign.audience }),
      ...(campaign.mayStop && { mayStop: true as const }),
      startedAt,
      countsFrom: startedAt,
      schedule: yearLater(schedule, timeZone),
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

/** Why the next round does not begin, in sentences. */
export function roundProblems(
  { quiz: { name } }: Campaign,
  { members }: Campaign,
  quiz: Pick<Quiz, 'status'> | undefined,
  isOwnerAble: boolean,
): string[] {
  return [
    ...(quiz === undefined ? [`${named(name)} isn’t in the quiz account any more.`] : []),
    ...(quiz?.status === 'closed' ? [`${named(name)} is closed.`] : []),
    ...(isOwnerAble ? [] : ['The person who started it can’t see its results any more.']),
    ...(members.length > 0 ? [] : ['Nobody who took part is still there.']),
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

function yearLater({ dueAt, endsAt, ...schedule }: Schedule, timeZone: string): Schedule {
  return { ...schedule, dueAt: dueAt && yearAfter(dueAt, timeZone), endsAt: endsAt && yearAfter(endsAt, timeZone) };
}

/** Always the same for a campaign, so that it is started once: `<id>.2`, `<id>.3`, … */
function nextId(id: string): string {
  const [first = id, round = '1'] = id.split('.');
  return `${first}.${Number(round) + 1}`;
}
