import { leadsOf, type Campaign, type CampaignSummary } from '../../domain/campaign.ts';
import { memberDueAt, memberState } from '../../obligations/members.ts';
import { isPaused } from '../../domain/subscription.ts';
import type { OperationContext } from '../../operations/context.ts';
import { visibleSubscriptions } from '../../operations/fields/subscription.ts';
import type { DueQuiz, TodayFacts } from './today.ts';

/** The services from which the facts come. */
export const todayUses = ['alerts', 'campaigns', 'ownQuizzes', 'plans', 'records', 'takeLink'] as const;

type Context = OperationContext<(typeof todayUses)[number]>;

/** Each is read from the store. Of more, those that the person started and those for their quizzes are read. */
const campaignsAtMost = 40;

/**
 * Gathers what may need a person, by their rights as the directory has them. All of it is in the store or in memory, except
 * for how respondents did: the service is asked as for `/quiz mine`, and not again within a minute.
 *
 * @throws a `QuizApiError` where the service cannot be asked
 */
export async function todayFacts(context: Context): Promise<TodayFacts> {
  const { actor, rights } = context;
  const isStaff = rights.has('staff');
  const isRespondent = actor.user !== undefined && rights.has('known') && !isStaff;
  const [running, requests, paused, previews, own] = await Promise.all([
    runningCampaigns(context),
    isStaff ? context.records.openRequests() : [],
    rights.has('edit_quizzes') ? pausedSubscriptions(context) : [],
    isStaff ? context.plans.latest(actor.personId) : [],
    isRespondent && actor.user ? context.ownQuizzes(actor.user.user_id) : undefined,
  ]);
  return {
    requests: requests.filter(({ requesterId }) => requesterId !== actor.personId),
    // A person who may not see results any more reads nothing of the campaigns that they started.
    campaigns: rights.has('edit_quizzes') ? running.filter((campaign) => isTheirs(campaign, context)) : [],
    paused,
    previews: previews.filter(({ content }) => content.kind === 'batch' && content.imported !== undefined),
    obligations: running.flatMap((campaign) => obligationIn(campaign, context)),
    own,
    now: context.now(),
  };
}

function isTheirs(campaign: Campaign, { actor }: Context): boolean {
  return (
    campaign.ownerId === actor.personId || (actor.user !== undefined && leadsOf(campaign).includes(actor.user.user_id))
  );
}

async function runningCampaigns({ campaigns, actor, rights, visibility }: Context): Promise<Campaign[]> {
  if (!rights.has('known')) return [];
  const running = (await campaigns.all()).filter(({ endedAt }) => endedAt === null);
  const nearness = ({ ownerId, quiz }: CampaignSummary) =>
    ownerId === actor.personId ? 0 : visibility.quiz({ quiz_id: quiz.id }) ? 1 : 2;
  const nearest = running.toSorted((a, b) => nearness(a) - nearness(b)).slice(0, campaignsAtMost);
  const found = await Promise.all(nearest.map(({ id }) => campaigns.byId(id)));
  return found.filter((campaign) => campaign !== undefined && campaign.endedAt === null) as Campaign[];
}

async function pausedSubscriptions(context: Context): Promise<TodayFacts['paused']> {
  const { actor, now } = context;
  return visibleSubscriptions(await context.alerts.all(), context)
    .map(({ subscription }) => subscription)
    .filter(
      (subscription) =>
        (subscription.ownerId ?? actor.personId) === actor.personId &&
        subscription.pause?.by === null &&
        isPaused(subscription, now()),
    );
}

/** What the campaign asks of the person; nothing before they have the quiz, and while nobody can take it. */
function obligationIn(campaign: Campaign, { actor, takeLink, now }: Context): DueQuiz[] {
  const { quiz, obstacle } = campaign;
  const member = campaign.members.find(({ userId }) => userId === actor.user?.user_id);
  if (member === undefined || member.assignment !== undefined || obstacle !== undefined) return [];
  if (memberState(member, campaign, now()) !== 'open') return [];
  return [
    { quizId: quiz.id, name: quiz.name, dueAt: memberDueAt(member, campaign, now()), takeUrl: takeLink(quiz.id) },
  ];
}
