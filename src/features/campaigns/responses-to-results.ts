import type { Campaign, CampaignEvent, CampaignSummary } from '../../domain/campaign.ts';
import type { NewQueueEntry, Submission } from '../../domain/queue-entry.ts';
import { campaignQueue } from '../../domain/queue-names.ts';
import { attemptsOf } from '../results/progress.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';
import { campaignEntries } from './messages.ts';

/** What the responses of the quiz say about the members. */
export function resultsIn(
  responses: readonly QuizResponse[],
  users: readonly User[],
  campaign: Campaign,
): CampaignEvent[] {
  const attempts = attemptsOf(users, responses);
  return campaign.members.flatMap(({ userId }) =>
    (attempts.get(userId) ?? []).flatMap((response) => resultEvent(userId, response)),
  );
}

function resultEvent(
  userId: string,
  { response_id: responseId, outcome, percentage_score: percentage, date_submitted }: QuizResponse,
): CampaignEvent[] {
  if (outcome === null) return [];
  return [
    {
      kind: 'result',
      userId,
      responseId,
      result: { outcome, percentage, submittedAt: date_submitted?.getTime() ?? null },
    },
  ];
}

/** The entries that carry a submission to the running campaigns of its quiz. */
export function resultEntries(
  submission: Submission,
  userId: string,
  campaigns: readonly CampaignSummary[],
  { teamId, at }: { teamId: string; at: number },
): NewQueueEntry[] {
  const { quizId, responseId, outcome, percentage, submittedAt } = submission;
  const event = { kind: 'result', userId, responseId, result: { outcome, percentage, submittedAt } } as const;
  return campaigns
    .filter(({ quiz, endedAt }) => endedAt === null && quiz.id === quizId)
    .map(({ id }) => ({
      queue: campaignQueue(teamId, id),
      subscriptionId: campaignEntries,
      at,
      content: { kind: 'campaign-event', event },
    }));
}
