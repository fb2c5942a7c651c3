import type { Campaign, CampaignEvent, CampaignMember } from '../domain/campaign.ts';
import type { NewQueueEntry } from '../domain/queue-entry.ts';
import { BudgetError, NotFoundError, QuizApiError, RateLimitedError } from '../quiz-api/errors.ts';
import type { Responses } from '../quiz-api/quiz-api.ts';
import type { User } from '../quiz-api/users.ts';
import type { Outbox } from '../storage/storage.ts';
import type { Log } from '../observability/log.ts';
import type { Holidays } from '../time/working-hours.ts';
import { assignmentEvents, type Assignments } from './assignments.ts';
import { applyEvents } from './events.ts';
import { boardRefresh, endRefresh, messagesOf, newNotMe, notMeMessages } from './messages.ts';
import { nextStep, type CampaignProgress } from './next-step.ts';
import { resultsIn } from './results.ts';
import { eventsOf, stateAtStart, type CampaignState } from './stored-campaign.ts';

/** Events applied in one step. */
const eventsAtMost = 500;
const readTimeoutMs = 30_000;
/** While the service does not answer. */
const asksAgainAfterMs = 60_000;

/**
 * Carries a campaign on: applies what happened to it, and hands its messages over to the people's queues. A step and its
 * messages are stored together, so a crash neither loses a message nor doubles it.
 *
 * @returns runs a queue, and returns when to run it next (milliseconds since the epoch); undefined: when something happens
 */
export function createCampaignQueue(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit'>;
  responses: Pick<Responses, 'list'>;
  /** The users with these ids, as far as the account has them. */
  users: (userIds: readonly string[]) => Promise<readonly User[]>;
  /** The user of the quiz account who is this person; undefined where there is none. */
  userIdOf: (personId: string) => Promise<string | undefined>;
  rowsOf: Assignments['rowsOf'];
  /** Puts the end in the list of campaigns and on the audit trail. It can run twice for a campaign. */
  close: (campaign: Campaign, endedAt: number) => Promise<void>;
  /** Starts the campaign again for these users. Runs that come after the first change nothing. */
  repeat: (campaign: Campaign, users: readonly User[]) => Promise<void>;
  holidays: Holidays;
  wake: (queue: string) => Promise<void>;
  log: Log;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, log, now } = deps;

  return async (queue) => {
    const { version, state } = await outbox.stateOf<CampaignState>(queue);
    const entries = await outbox.waiting(queue, { limit: eventsAtMost });
    const waiting = eventsOf(entries);
    const begun = state ?? stateAtStart(waiting);
    if (begun === undefined) return undefined;
    const { campaign, ...progress } = begun;
    if (entries.length > 0) return takeEvents();

    const step = nextStep(campaign, { ...progress, now: now(), holidays: deps.holidays });
    switch (step.kind) {
      case 'wait':
        return step.until;
      case 'refresh':
        return keep([]);
      case 'ask':
        return ask();
      case 'read-assignments':
        return readAssignments();
      case 'end':
        return keep([{ kind: 'end', at: now() }], { progress: { endedByItself: true } });
      case 'close':
        await deps.close(campaign, campaign.endedAt ?? now());
        return keep([], { progress: { isClosed: true } });
      case 'repeat':
        await deps.repeat(campaign, await usersOf(campaign));
        return keep([], { progress: { isRepeated: true } });
      case 'escalate':
        return keep([{ kind: 'escalated', at: now() }, ...ownReminder(step.missing)], {
          put: messagesOf(step, campaign, now()),
        });
      case 'notify':
      case 'remind': {
        const userIds = step.members.map(({ userId }) => userId);
        return keep([{ kind: step.kind === 'notify' ? 'notified' : 'reminded', userIds, at: now() }], {
          put: messagesOf(step, campaign, now()),
        });
      }
    }

    /** A lead who is missing reads so in the escalation, and gets no other message that day. */
    function ownReminder(missing: readonly CampaignMember[]): CampaignEvent[] {
      const isNotified = missing.some(
        ({ userId, notifiedAt }) => userId === campaign.lead.userId && notifiedAt !== null,
      );
      return isNotified ? [{ kind: 'reminded', userIds: [campaign.lead.userId], at: now() }] : [];
    }

    async function takeEvents(): Promise<number> {
      const ownerUserId = newNotMe(campaign, waiting).length === 0 ? undefined : await deps.userIdOf(campaign.ownerId);
      const put = ownerUserId === undefined ? [] : notMeMessages(campaign, waiting, ownerUserId, now());
      return keep(waiting, { put, remove: entries.map(({ position }) => position) });
    }

    async function ask(): Promise<number> {
      try {
        const [users, responses] = await Promise.all([
          usersOf(campaign),
          deps.responses.list(campaign.quiz.id, { priority: 'background', deadline: now() + readTimeoutMs }),
        ]);
        return await keep(resultsIn(responses, users, campaign), { progress: { askedAt: now() } });
      } catch (error) {
        if (!(error instanceof QuizApiError)) throw error;
        log.warn({ error, campaign: campaign.id }, 'the responses of a campaign cannot be read');
        // Nobody can take a quiz that is deleted.
        if (error instanceof NotFoundError && error.isFromService) return keep([{ kind: 'end', at: now() }]);
        // Kept, since results that come meanwhile run the campaign, too.
        return keep([], { progress: { askAgainAt: answersAt(error) } });
      }
    }

    async function readAssignments(): Promise<number> {
      const batch = campaign.batchId === null ? undefined : await deps.rowsOf(campaign.teamId, campaign.batchId);
      return keep(batch ? assignmentEvents(campaign, batch) : [], { progress: { assignmentsReadAt: now() } });
    }

    async function keep(
      events: readonly CampaignEvent[],
      change: { progress?: Partial<CampaignProgress>; remove?: readonly number[]; put?: readonly NewQueueEntry[] } = {},
    ): Promise<number> {
      const at = now();
      const next = applyEvents(campaign, events);
      const refreshes = [
        ...boardRefresh(next, at),
        ...(campaign.endedAt === null && next.endedAt !== null ? endRefresh(next, at) : []),
      ];
      const put = [...(change.put ?? []), ...refreshes];
      const kept: CampaignState = { ...progress, refreshedAt: at, ...change.progress, campaign: next };
      const isKept = await outbox.commit(queue, {
        version,
        state: kept,
        isBusy: isBusy(kept),
        put,
        ...(change.remove && { remove: change.remove }),
      });
      if (!isKept) return at;
      for (const to of new Set(put.map((entry) => entry.queue))) {
        // The sweep wakes what is not woken here.
        await deps.wake(to).catch((error: unknown) => log.warn({ error }, 'a queue is woken later'));
      }
      return at;
    }
  };

  function answersAt(error: QuizApiError): number {
    if (error instanceof BudgetError) return error.availableAt.getTime();
    if (error instanceof RateLimitedError) return error.retryAt.getTime();
    return now() + asksAgainAfterMs;
  }

  async function usersOf({ members }: Campaign): Promise<readonly User[]> {
    return deps.users(members.map(({ userId }) => userId));
  }
}

/** Whether there is something to do even where nothing waits. */
function isBusy({ campaign: { endedAt, repeats }, endedByItself, isClosed, isRepeated }: CampaignState): boolean {
  return endedAt === null || !isClosed || (repeats !== null && endedByItself && !isRepeated);
}
