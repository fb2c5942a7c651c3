import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import { BudgetError, NotFoundError, QuizApiError, RateLimitedError } from '../../quiz-api/errors.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import type { User } from '../../quiz-api/users.ts';
import type { Keep, Machine, View } from '../../durable/machine.ts';
import type { Log } from '../../observability/log.ts';
import type { Holidays } from '../../time/working-hours.ts';
import { assignmentEvents, type Assignments } from './assignments.ts';
import { applyEvents } from './events.ts';
import { boardRefresh, endRefresh, messagesOf, newNotMe, notMeMessages } from './messages.ts';
import { nextStep, type CampaignProgress } from './next-step.ts';
import { resultsIn } from './responses-to-results.ts';
import { eventsOf, stateAtStart, type CampaignState } from './stored-campaign.ts';

/** Events applied in one step. */
const eventsAtMost = 500;
const readTimeoutMs = 30_000;
/** What became of messages is applied together: a campaign’s whole state is kept with each step. */
const deliveriesGatheredForMs = 30_000;
/** While the service does not answer. */
const asksAgainAfterMs = 60_000;

interface CampaignFacts {
  /** The user of the quiz account who started it; undefined where there is none. */
  ownerUserId: string | undefined;
  /** Results of the members, or why they cannot be read now. */
  read: { events: readonly CampaignEvent[] } | { isGone: boolean; askAgainAt: number };
  /** How far the batch is that assigns the quiz. */
  assigned: readonly CampaignEvent[];
  isClosed: true;
  isRepeated: true;
}

/** What a step changes besides what people see. */
interface Change {
  progress?: Partial<CampaignProgress>;
  take?: readonly number[];
  put?: readonly NewQueueEntry[];
}

type CampaignView = View<CampaignState, CampaignFacts>;

/**
 * Carries a campaign on: applies what happened to it, and hands its messages over to the people's queues. A step and its
 * messages are stored together, so a crash neither loses a message nor doubles it.
 */
export function campaignMachine(deps: {
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
  log: Log;
  now: () => number;
}): Machine<CampaignState, CampaignFacts> {
  const { log, now } = deps;

  return {
    mailAtMost: eventsAtMost,
    keptAtRestMs: 366 * 24 * 3_600_000,
    isBusy,
    step(view) {
      const { mail, facts, now: at } = view;
      const begun = begunIn(view);
      if (begun === undefined) return { kind: 'rest', until: undefined };
      const { campaign, ...progress } = begun;
      const keep = (events: readonly CampaignEvent[], change: Change = {}) => kept(begun, events, at, change);

      const happened = eventsOf(mail);
      const gatheredUntil = gatheringUntil(mail, at);
      if (mail.length > 0 && gatheredUntil === undefined) {
        if (newNotMe(campaign, happened).length > 0 && !('ownerUserId' in facts))
          return { kind: 'ask', for: 'ownerUserId' };
        const { ownerUserId } = facts;
        const put = ownerUserId === undefined ? [] : notMeMessages(campaign, happened, ownerUserId, at);
        return keep(happened, { put, take: mail.map(({ position }) => position) });
      }

      const step = nextStep(campaign, { ...progress, now: at, holidays: deps.holidays });
      switch (step.kind) {
        case 'wait':
          return { kind: 'rest', until: earlier(step.until, gatheredUntil) };
        case 'refresh':
          return keep([]);
        case 'ask': {
          const { read } = facts;
          if (read === undefined) return { kind: 'ask', for: 'read' };
          if ('events' in read) return keep(read.events, { progress: { askedAt: at } });
          // Nobody can take a quiz that is deleted.
          if (read.isGone) return keep([{ kind: 'end', at }]);
          // Kept, since results that come meanwhile run the campaign, too.
          return keep([], { progress: { restsFrom: at, askAgainAt: read.askAgainAt } });
        }
        case 'read-assignments':
          if (facts.assigned === undefined) return { kind: 'ask', for: 'assigned' };
          return keep(facts.assigned, { progress: { assignmentsReadAt: at } });
        case 'end':
          return keep([{ kind: 'end', at }], { progress: { endedByItself: true } });
        case 'close':
          return facts.isClosed ? keep([], { progress: { isClosed: true } }) : { kind: 'ask', for: 'isClosed' };
        case 'repeat':
          return facts.isRepeated ? keep([], { progress: { isRepeated: true } }) : { kind: 'ask', for: 'isRepeated' };
        case 'escalate':
          return keep([{ kind: 'escalated', at }, ...ownReminder(campaign, step.missing, at)], {
            put: messagesOf(step, campaign, at),
          });
        case 'notify':
        case 'remind': {
          const userIds = step.members.map(({ userId }) => userId);
          return keep([{ kind: step.kind === 'notify' ? 'notified' : 'reminded', userIds, at }], {
            put: messagesOf(step, campaign, at),
          });
        }
      }
    },
    facts: {
      ownerUserId: async (view) => deps.userIdOf(campaignIn(view).ownerId),
      read: async (view) => readResults(campaignIn(view)),
      async assigned(view) {
        const campaign = campaignIn(view);
        const batch = campaign.batchId === null ? undefined : await deps.rowsOf(campaign.teamId, campaign.batchId);
        return batch ? assignmentEvents(campaign, batch) : [];
      },
      async isClosed(view) {
        const campaign = campaignIn(view);
        await deps.close(campaign, campaign.endedAt ?? view.now);
        return true;
      },
      async isRepeated(view) {
        const campaign = campaignIn(view);
        await deps.repeat(campaign, await usersOf(campaign));
        return true;
      },
    },
  };

  async function readResults(campaign: Campaign): Promise<CampaignFacts['read']> {
    const since = now();
    try {
      const [users, responses] = await Promise.all([
        usersOf(campaign),
        deps.responses.list(campaign.quiz.id, { priority: 'background', deadline: now() + readTimeoutMs }),
      ]);
      return { events: [resultsIn(responses, users, campaign, since)] };
    } catch (error) {
      if (!(error instanceof QuizApiError)) throw error;
      log.warn({ error, campaign: campaign.id }, 'the responses of a campaign cannot be read');
      return { isGone: error instanceof NotFoundError && error.isFromService, askAgainAt: answersAt(error) };
    }
  }

  function answersAt(error: QuizApiError): number {
    if (error instanceof BudgetError) return error.availableAt.getTime();
    if (error instanceof RateLimitedError) return error.retryAt.getTime();
    return now() + asksAgainAfterMs;
  }

  async function usersOf({ members }: Campaign): Promise<readonly User[]> {
    return deps.users(members.map(({ userId }) => userId));
  }
}

function begunIn({ state, mail }: CampaignView): CampaignState | undefined {
  return state ?? stateAtStart(eventsOf(mail));
}

/** The campaign of a step that asks. */
function campaignIn(view: CampaignView): Campaign {
  return begunIn(view)!.campaign;
}

/** Until when nothing is applied yet, where only what became of messages waits; undefined: now is the time. */
function gatheringUntil(mail: CampaignView['mail'], now: number): number | undefined {
  const [first] = mail;
  if (first === undefined || first.at > now || mail.length >= eventsAtMost) return undefined;
  const until = first.at + deliveriesGatheredForMs;
  return until > now && eventsOf(mail).every(({ kind }) => kind === 'delivery') ? until : undefined;
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** The state after these events, with the boards that they change. */
function kept(
  { campaign, ...progress }: CampaignState,
  events: readonly CampaignEvent[],
  at: number,
  { progress: changed, take = [], put = [] }: Change,
): Keep<CampaignState> {
  const next = applyEvents(campaign, events);
  const hasEnded = campaign.endedAt === null && next.endedAt !== null;
  return {
    kind: 'keep',
    state: { ...progress, refreshedAt: at, ...changed, campaign: next },
    take,
    put: [...put, ...boardRefresh(next, at), ...(hasEnded ? endRefresh(next, at) : [])],
  };
}

/** A lead who is missing reads so in the escalation, and gets no other message that day. */
function ownReminder({ lead }: Campaign, missing: readonly CampaignMember[], at: number): CampaignEvent[] {
  const isNotified = missing.some(({ userId, notifiedAt }) => userId === lead.userId && notifiedAt !== null);
  return isNotified ? [{ kind: 'reminded', userIds: [lead.userId], at }] : [];
}

/** Whether there is something to do even where nothing waits. */
function isBusy({ campaign: { endedAt, repeats }, endedByItself, isClosed, isRepeated }: CampaignState): boolean {
  return endedAt === null || !isClosed || (repeats !== null && endedByItself && !isRepeated);
}
