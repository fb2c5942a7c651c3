import type { Campaign, CampaignEvent, CampaignSummary } from '../../domain/campaign.ts';
import type { NewQueueEntry, Submission } from '../../domain/queue-entry.ts';
import { campaignQueue } from '../../domain/queue-names.ts';
import { attemptsOf } from '../../directory/whose-attempt.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';
import { campaignEntry } from './stored-campaign.ts';

type ReadEvent = Extract<CampaignEvent, { kind: 'read' }>;

/**
 * What the responses of the quiz say about the members. What is known as a member’s attempt stays theirs while the service has it,
 * also where their address has changed since.
 *
 * @param users all of the account; what was known of a member who is not among them stays as it was
 * @param since when they were asked for, in milliseconds since the epoch
 */
export function resultsIn(
  responses: readonly QuizResponse[],
  users: readonly User[],
  campaign: Campaign,
  since: number,
): ReadEvent {
  const attempts = attemptsOf(users, responses);
  const known = new Set(users.map(({ user_id }) => user_id));
  const deletedIds = campaign.members.flatMap(({ userId }) => (known.has(userId) ? [] : userId));
  const byId = new Map(responses.map((response) => [response.response_id, response]));
  const results = campaign.members.flatMap(({ userId, attempts: ofMember }) => {
    const own = new Set([
      ...(known.has(userId) ? (attempts.get(userId) ?? []) : []),
      ...ofMember.flatMap(({ responseId }) => byId.get(responseId) ?? []),
    ]);
    return [...own].flatMap((response) => resultOf(userId, response));
  });
  return { kind: 'read', since, results, ...(deletedIds.length > 0 && { deletedIds }) };
}

function resultOf(
  userId: string,
  { response_id: responseId, outcome, percentage_score: percentage, date_submitted }: QuizResponse,
): ReadEvent['results'] {
  if (outcome === null) return [];
  return [{ userId, responseId, result: { outcome, percentage, submittedAt: date_submitted?.getTime() ?? null } }];
}

/** The entries that carry a submission to the running campaigns of its quiz. */
export function resultEntries(
  submission: Submission,
  userId: string,
  campaigns: readonly CampaignSummary[],
  { teamId, at }: { teamId: string; at: number },
): NewQueueEntry[] {
  const { quizId, responseId, outcome, percentage, submittedAt } = submission;
  const event = { kind: 'result', userId, responseId, result: { outcome, percentage, submittedAt }, at } as const;
  return campaigns
    .filter(({ quiz, endedAt }) => endedAt === null && quiz.id === quizId)
    .map(({ id }) => campaignEntry(campaignQueue(teamId, id), event, at));
}
