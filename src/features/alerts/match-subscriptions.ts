import { fitsOutcome, isGraded } from '../../domain/submission-outcome.ts';
import type { NewQueueEntry, Submission } from '../../domain/queue-entry.ts';
import type { Subscription, SubmissionFilter } from '../../domain/subscription.ts';
import type { EventContent, Subscriptions, SubscriptionsVersion } from '../../storage/storage.ts';
import { resultFor } from './direct-messages/contents.ts';
import { channelQueue, digestQueue } from '../../domain/queue-names.ts';

type SubmissionEvent = Extract<EventContent, { kind: 'submission' }>;

/** Matches submissions with the subscriptions at hand, so that a webhook need not read them, with the respondent and with what follows their results. */
export interface Matcher {
  /** Undefined before the first `load`. The store refuses entries of a version that is not current any more. */
  match(event: SubmissionEvent): Promise<Match | undefined>;
  /** Reads the subscriptions. Rejects while the workspace is not known, and while the store is away. */
  load(): Promise<LoadedSubscriptions>;
}

type LoadedSubscriptions = SubscriptionsVersion & { subscriptions: readonly Subscription[] };

export type Match = SubscriptionsVersion & { entries: NewQueueEntry[] };

/** The entries that carry a submission by a user to what follows it: running campaigns of the quiz, and runs of workflows that wait for its result. */
export type EntriesForFollowers = (teamId: string, submission: Submission, userId: string) => Promise<NewQueueEntry[]>;

/**
 * @param deps.teamId rejects while the workspace is not known
 * @param deps.notifiesRespondents whether the respondent gets the result in a direct message
 */
export function createMatcher(deps: {
  teamId: () => Promise<string>;
  store: Pick<Subscriptions, 'version'>;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  notifiesRespondents: boolean;
  entriesForFollowers: EntriesForFollowers;
  now: () => number;
}): Matcher {
  let loaded: LoadedSubscriptions | undefined;

  return {
    async match({ submission, respondent }) {
      if (loaded === undefined) return undefined;
      const { teamId, version, subscriptions } = loaded;
      const own =
        deps.notifiesRespondents && respondent ? resultFor(respondent, { submission, teamId, at: deps.now() }) : [];
      const forFollowers = respondent ? await deps.entriesForFollowers(teamId, submission, respondent.userId) : [];
      return {
        teamId,
        version,
        entries: [...matchSubscriptions(submission, subscriptions, deps.now()), ...own, ...forFollowers],
      };
    },
    async load() {
      const teamId = loaded?.teamId ?? (await deps.teamId());
      // The version first: what changes between the two reads makes it outdated.
      const version = await deps.store.version(teamId);
      loaded = { teamId, version, subscriptions: await deps.subscriptions(teamId) };
      return loaded;
    },
  };
}

/**
 * The entries of a submission: one for each channel, by the subscription there that is closest to it (one to its quiz
 * before one to all, the youngest first), and one for every digest that sums it up. A correction is in no digest: it is a
 * message of its own.
 */
export function matchSubscriptions(
  submission: Submission,
  subscriptions: readonly Subscription[],
  at: number,
): NewQueueEntry[] {
  const content = { kind: 'submission', submission } as const;
  const matching = subscriptions.filter((subscription) => matches(submission, subscription));
  const isSummedUp = ({ delivery }: Subscription) => delivery.kind === 'digest' && submission.corrects === undefined;
  const digests = matching
    .filter(isSummedUp)
    .map(({ id, teamId }) => ({ queue: digestQueue(teamId, id), subscriptionId: id, at, content }));
  const posted = matching.filter((one) => !isSummedUp(one)).toSorted(closestFirst);
  const byQueue = new Map(
    posted.toReversed().map(({ id, teamId, channelId }) => [channelQueue(teamId, channelId), id]),
  );
  return [...[...byQueue].map(([queue, subscriptionId]) => ({ queue, subscriptionId, at, content })), ...digests];
}

function closestFirst(a: Subscription, b: Subscription): number {
  return Number(a.quiz === null) - Number(b.quiz === null) || b.createdAt - a.createdAt;
}

function matches(submission: Submission, { quiz, filter, createdAt }: Subscription): boolean {
  if (quiz !== null && quiz.id !== submission.quizId) return false;
  if (submission.isBackfilled && (submission.submittedAt ?? 0) < createdAt) return false;
  const { corrects } = submission;
  return hasResult(submission, filter) || (corrects !== undefined && hasResult(corrects, filter));
}

/** Whether a submission has a result that a filter lets through. */
export function hasResult(
  { outcome, percentage, grade }: Pick<Submission, 'outcome' | 'percentage' | 'grade'>,
  filter: SubmissionFilter,
): boolean {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'below':
      return isGraded(outcome) && percentage !== null && percentage < filter.percentage;
    case 'grade':
      return grade.trim().toLowerCase() === filter.grade.trim().toLowerCase();
    default:
      return fitsOutcome(outcome, filter.kind);
  }
}
