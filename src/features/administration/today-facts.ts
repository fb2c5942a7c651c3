import type { Campaign } from '../../domain/campaign.ts';
import { ownObligations } from '../../obligations/people.ts';
import { isPaused } from '../../domain/subscription.ts';
import type { OperationContext } from '../../operations/context.ts';
import { visibleSubscriptions } from '../../operations/fields/subscription.ts';
import { withObligations } from '../quizzes/own-quizzes.ts';
import { nearestCampaigns } from '../quizzes/list-and-show.ts';
import { type TodayFacts, todayFrom } from './today.ts';
import { say } from '../../domain/said.ts';
import { defineOperation, type Operation } from '../../operations/operation.ts';
import type { OperationResult } from '../../operations/page.ts';
import { todayPage } from './pages/today.ts';

/**
 * Gathers what may need a person, by their rights as the directory has them. All of it is in the store or in memory, except
 * for how respondents did: the service is asked as for `/quiz mine`, and not again within a minute.
 *
 * @throws a `QuizApiError` where the service cannot be asked
 */
export async function todayFacts(context: OperationContext): Promise<TodayFacts> {
  const { actor, rights, takeLink } = context;
  const now = context.now();
  const isStaff = rights.has('staff');
  const isRespondent = actor.user !== undefined && rights.has('known') && !isStaff;
  const [running, requests, paused, previews, own] = await Promise.all([
    nearestCampaigns(context),
    isStaff ? context.records.openRequests() : [],
    rights.has('edit_quizzes') ? pausedSubscriptions(context) : [],
    isStaff ? context.plans.latest(actor.personId) : [],
    isRespondent && actor.user ? context.ownQuizzes(actor.user.user_id) : undefined,
  ]);
  const obligations = actor.user ? ownObligations(running, actor.user.user_id, now) : [];
  return {
    requests: requests.filter(({ requesterId }) => requesterId !== actor.personId),
    // A person who may not see results any more reads nothing of the campaigns that they started.
    campaigns: rights.has('edit_quizzes') ? running.filter((campaign) => isTheirs(campaign, context)) : [],
    paused,
    previews: previews.filter(({ content }) => content.kind === 'batch' && content.imported !== undefined),
    obligations: obligations
      .filter(({ isAsked }) => isAsked)
      .map(({ quizId, name, dueAt, validUntil }) => ({ quizId, name, dueAt, validUntil, takeUrl: takeLink(quizId) })),
    own: own && withObligations(own, obligations, { now, takeLink }),
    now,
  };
}

function isTheirs(campaign: Campaign, { actor }: OperationContext): boolean {
  return (
    campaign.ownerId === actor.personId || (actor.user !== undefined && campaign.leads.includes(actor.user.user_id))
  );
}

async function pausedSubscriptions(context: OperationContext): Promise<TodayFacts['paused']> {
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

/** Also the answer to `/quiz` alone. */
export const showToday = defineOperation({
  name: 'show-today',
  command: '/quiz today',
  synonyms: ['todo', 'inbox'],
  summary: 'Show what needs you now: quizzes to take, campaigns, requests for approval',
  title: say`Today`,
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  run: async (context) => today(context, false),
});

/** The answer to a message that the bot does not understand. */
export const answerWithToday: Operation = {
  ...showToday,
  run: async (context) => today(context, true),
};

async function today(context: OperationContext, isReply: boolean): Promise<OperationResult> {
  const { directory, visibility, call } = context;
  const [facts, quizzes] = await Promise.all([todayFacts(context), directory.quizzes.get(call)]);
  const example = quizzes.find((quiz) => quiz.status === 'open' && visibility.quiz(quiz))?.name;
  return { kind: 'page', ...todayPage({ today: todayFrom(facts), example, isReply }, context.offered()) };
}
