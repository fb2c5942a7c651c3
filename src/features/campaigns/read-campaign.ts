import type { Campaign, CampaignEvent, CampaignSummary } from '../../domain/campaign.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { Log } from '../../observability/log.ts';
import { failedFor, QuizApiError, turnAfter } from '../../quiz-api/errors.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import type { Quiz, User } from '../../quiz-api/records.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import { campaignStatus } from '../quizzes/running-campaigns.ts';
import { campaignQueue, type NewQueueEntry, type Submission } from '../../domain/queues.ts';
import { attemptsOf } from '../../directory/whose-attempt.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { campaignEntry } from './stored-campaign.ts';

const readTimeoutMs = 30_000;
/** While the service does not answer. */
const asksAgainAfterMs = 60_000;

/** What the service says of a campaign’s quiz and its results, or why it says nothing. `askAgainAt`: in milliseconds since the epoch. */
type CampaignReading = { events: readonly CampaignEvent[] } | { isGone: boolean; askAgainAt: number };
export type ReadCampaign = (campaign: Campaign) => Promise<CampaignReading>;

/**
 * Reads the quiz of a campaign and the responses of its members.
 *
 * @param deps.quiz the quiz as the service has it, at most a minute old; undefined for one that it does not list
 */
export function createReadCampaign(deps: {
  responses: Pick<Responses, 'list'>;
  quiz: (quizId: string) => Promise<Pick<Quiz, 'name' | 'status'> | undefined>;
  users: () => Promise<readonly User[]>;
  log: Log;
  now: () => number;
}): ReadCampaign {
  const { log, now } = deps;

  return async (campaign) => {
    const since = now();
    try {
      const [quiz, results] = await Promise.all([
        deps.quiz(campaign.quiz.id),
        readResults(deps, campaign, { priority: 'background', deadline: now() + readTimeoutMs }),
      ]);
      return { events: [...quizEvents(campaign, quiz, since), results] };
    } catch (error) {
      if (!(error instanceof QuizApiError)) throw error;
      log.warn({ error, campaign: campaign.id }, 'the responses of a campaign cannot be read');
      return { isGone: failedFor(error, 'gone'), askAgainAt: answersAt(error, now()) };
    }
  };
}

/** When to ask again after an error of the service or the platform, in milliseconds since the epoch. */
export function answersAt(error: QuizApiError | PlatformError, now: number): number {
  const retryAfterMs = error instanceof PlatformError ? (error.retryAfterMs ?? 0) : 0;
  return turnAfter(error) ?? now + retryAfterMs + asksAgainAfterMs;
}

/** What becomes of a campaign whose quiz the service has no more. @param at in milliseconds since the epoch */
export function goneEvents({ quiz: { name } }: Campaign, at: number): CampaignEvent[] {
  return [
    { kind: 'quiz', name, status: 'gone', at },
    { kind: 'end', at },
  ];
}

/**
 * Reads what the service has of the members.
 *
 * @throws a `QuizApiError`
 */
export async function readResults(
  deps: { responses: Pick<Responses, 'list'>; users: () => Promise<readonly User[]>; now: () => number },
  campaign: Campaign,
  call: CallOptions,
): Promise<ReturnType<typeof resultsIn>> {
  const since = deps.now();
  const [users, responses] = await Promise.all([deps.users(), deps.responses.list(campaign.quiz.id, call)]);
  return resultsIn(responses, users, campaign, since);
}

/** What the service says of the quiz, where that is new. Whether one that it does not list is deleted, its responses say. */
function quizEvents(
  { quiz: { name }, obstacle }: Campaign,
  read: Pick<Quiz, 'name' | 'status'> | undefined,
  at: number,
): CampaignEvent[] {
  if (read === undefined) return [];
  const status = campaignStatus(read);
  return status === (obstacle?.status ?? 'open') && read.name === name
    ? []
    : [{ kind: 'quiz', name: read.name, status, at }];
}

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
  const suspended = new Set(users.filter((user) => user.suspended).map(({ user_id }) => user_id));
  const suspendedIds = campaign.members.flatMap(({ userId }) => (suspended.has(userId) ? userId : []));
  return {
    kind: 'read',
    since,
    results,
    deletedIds: deletedIds.length > 0 ? deletedIds : undefined,
    suspendedIds: suspendedIds.length > 0 ? suspendedIds : undefined,
  };
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
