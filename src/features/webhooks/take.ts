import { dayMs } from '../../domain/durations.ts';
import { isCorrection, readKnown } from '../../domain/result.ts';
import { inboxQueue, channelQueue, digestQueue, directMessages, personQueue } from '../../domain/queues.ts';
import type { EventContent, NewEvent, NewQueueEntry, Respondent, Submission } from '../../domain/queues.ts';
import { hasResult, type Subscription } from '../../domain/subscription.ts';
import type { ReportedEvent } from './body.ts';
import { mailboxes } from '../../durable/mail.ts';
import type { Inbox, Outbox, SubscriptionsVersion } from '../../storage/storage.ts';
import { readInbox, type Subscriptions } from '../../storage/records.ts';

type SubmissionEvent = Extract<EventContent, { kind: 'submission' }>;

type LoadedSubscriptions = SubscriptionsVersion & { subscriptions: readonly Subscription[] };

type Match = SubscriptionsVersion & { entries: NewQueueEntry[] };

/** The entries that carry a submission by a user to what follows it: running campaigns of the quiz, and runs of workflows that wait for its result. */
export type EntriesForFollowers = (teamId: string, submission: Submission, userId: string) => Promise<NewQueueEntry[]>;

export type Matcher = ReturnType<typeof createMatcher>;

/**
 * Matches submissions with the subscriptions at hand, so that a webhook need not read them, with the respondent and with what follows
 * their results.
 *
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
}) {
  let loaded: LoadedSubscriptions | undefined;

  return {
    /** Undefined before the first `load`. The store refuses entries of a version that is not current any more. */
    async match({ submission, respondent }: SubmissionEvent): Promise<Match | undefined> {
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
    /** Reads the subscriptions. Rejects while the workspace is not known, and while the store is away. */
    async load(): Promise<LoadedSubscriptions> {
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

/** The entry that tells a respondent the result. None for a submission that the bot found more than a day later. */
export function resultFor(
  { userId, reportUrl }: Respondent,
  { submission, teamId, at }: { submission: Submission; teamId: string; at: number },
): NewQueueEntry[] {
  if (submission.isBackfilled && at - (submission.submittedAt ?? 0) > dayMs) return [];
  const content = { kind: 'own-result', submission, reportUrl } as const;
  return [{ queue: personQueue(teamId, userId), subscriptionId: directMessages, at, content }];
}

/** @param from the inbox, of what waited there */
export type TakeEvent = (event: ReportedEvent, from?: 'inbox') => Promise<'taken' | 'known'>;

/** Waits in the inbox until the service has confirmed it, or the workspace is known. */
export const inboxMail = mailboxes('inbox', inboxQueue);

/**
 * Takes events: an event that is known has its entries in their queues, or is a hint that waits in the inbox. A submission that
 * comes before the workspace is known waits there, too, and is taken from there; those after it wait behind it.
 *
 * Another event about a submission that is known has entries only where it says something else of it: these correct what was
 * announced.
 *
 * @param deps.wake called with the queues that have something to do now
 * @returns rejects where the event could not be kept
 */
export function createTakeEvent(deps: {
  inbox: Pick<Inbox, 'take' | 'knownIds'>;
  outbox: Pick<Outbox, 'put' | 'waiting' | 'stateOf'>;
  matcher: Matcher;
  wake: (queue: string) => void;
  /** Called with each submission that was not known before, and when one begins to wait. */
  onSubmission?: ((submission: Submission, questions: ReportedEvent['questions']) => void) | undefined;
}): TakeEvent {
  const { inbox, matcher, outbox } = deps;
  /** Another one after each submission that was put into the inbox; undefined once none waits there for its first try. */
  let held: object | undefined = {};

  /** Whether a submission has to wait in the inbox, behind others where it could be matched; `known`: it does already, or was taken. */
  async function hasToWait(id: string, canBeMatched: boolean): Promise<boolean | 'known'> {
    if (held === undefined) return false;
    const before = held;
    const { events, untried } = await readInbox(outbox);
    if (!canBeMatched || untried.some(({ content }) => content.kind === 'submission'))
      return events.some((event) => event.id === id) || (await inbox.knownIds([id])).has(id) ? 'known' : true;
    if (held === before) held = undefined;
    return false;
  }

  return async (taken, from) => {
    const { questions, ...bare } = taken;
    const onSubmission = ({ content }: NewEvent) =>
      content?.kind === 'submission' && deps.onSubmission?.(content.submission, questions);
    const wake = (entries: readonly NewQueueEntry[]) => {
      for (const { queue } of entries) deps.wake(queue);
    };
    const toInbox = (content: EventContent) => [inboxMail.entry(inboxQueue, { ...bare, content }, bare.takenAt)];

    for (let event: NewEvent = bare; ;) {
      const match = event.content?.kind === 'submission' ? await matcher.match(event.content) : undefined;
      const waits =
        event.content?.kind === 'submission' && from !== 'inbox' && (await hasToWait(bare.id, match !== undefined));
      if (waits === 'known') return 'known';
      if (event.content && waits) {
        const entries = toInbox(event.content);
        await outbox.put(entries);
        held = {};
        wake(entries);
        onSubmission(event);
        return 'taken';
      }
      const entries = event.content?.kind === 'hint' ? toInbox(event.content) : match?.entries;
      const result = await inbox.take(event, entries, match);
      if (typeof result === 'object') {
        event = comparedWith(bare, result.knownResult);
        continue;
      }
      if (result === 'known' || (event.content === undefined && taken.content !== undefined)) return 'known';
      if (result === 'outdated') {
        await matcher.load();
        continue;
      }
      wake(entries ?? []);
      onSubmission(event);
      return 'taken';
    }
  };
}

/** The event as it is taken after another one about the same submission. Without a change, it is only known from then on. */
function comparedWith(event: NewEvent, knownResult: string): NewEvent {
  const { content, result } = event;
  const before = readKnown(knownResult);
  if (content?.kind !== 'submission' || result === undefined || !isCorrection(before, readKnown(result)))
    return { ...event, content: undefined, result: knownResult, replaces: knownResult };
  const { submittedAt: _, reportedAt: __, ...corrects } = before;
  return { ...event, content: { ...content, submission: { ...content.submission, corrects } }, replaces: knownResult };
}
