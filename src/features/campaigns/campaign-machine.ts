import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import type { FoundManagers, ManagersOf } from '../../domain/managers.ts';
import type { User } from '../../quiz-api/users.ts';
import type { Machine, Step, View } from '../../durable/machine.ts';
import { restsUntil } from '../../durable/rest.ts';
import type { Holidays } from '../../time/working-hours.ts';
import { assignmentEvents, type Assignments } from './assignments.ts';
import type { CompareAudience, Comparison } from './compare-audience.ts';
import { applyEvents } from './events.ts';
import { escalationMessages, managedEvents } from './escalations.ts';
import { lateMembers, splitEscalation } from './managed-members.ts';
import { boardRefresh, endRefresh, messagesOf, messageTo } from './messages.ts';
import { newsOf } from './news.ts';
import { changesGatheredForMs } from './next-comparison.ts';
import { nextStep } from './next-step.ts';
import type { CampaignProgress } from './campaign-progress.ts';
import { withoutOld } from './without-old.ts';
import { goneEvents, type CampaignReading, type ReadCampaign } from './read-campaign.ts';
import { recipientsOf, responsibleIn, unableOf, type Responsible } from './responsible.ts';
import { eventsOf, stateAtStart, type CampaignState } from './stored-campaign.ts';

/** Events applied in one step. */
const eventsAtMost = 500;
/** What became of messages is applied together: each step looks at all members. */
const deliveriesGatheredForMs = 30_000;
/** Results of a campaign of many are, too, the longer the more there is to keep. Until then, readers apply them themselves. */
const results = { fewMembers: 100, gatheredForMsEach: 10, longestMs: 20_000 };

interface CampaignFacts {
  people: Responsible;
  /** Results of the members, or why they cannot be read now. */
  read: CampaignReading;
  /** How far the batch is that assigns the quiz. */
  assigned: readonly CampaignEvent[];
  /** Of the members who are late. */
  managers: FoundManagers;
  isClosed: true;
  comparison: Comparison;
  isRecorded: true;
}

/** What a step changes besides what people see. */
interface Change {
  progress?: Partial<CampaignProgress>;
  take?: readonly number[];
  put?: readonly NewQueueEntry[];
}

type CampaignView = View<CampaignState, CampaignFacts>;
type CampaignStep = Step<CampaignState, CampaignFacts>;

/**
 * Carries a campaign on: applies what happened to it, and hands its messages over to the people's queues. A step and its
 * messages are stored together, so a crash neither loses a message nor doubles it.
 */
export function campaignMachine(deps: {
  read: ReadCampaign;
  /** All users of the account. */
  users: () => Promise<readonly User[]>;
  /** Whether the person who owns a campaign may see its results now, and their user. */
  owner: (campaign: Campaign) => Promise<Responsible['owner']>;
  managersOf: ManagersOf;
  rowsOf: Assignments['rowsOf'];
  compare: CompareAudience;
  /** Puts an entry on the audit trail. It can run twice for one. */
  record: (campaign: Campaign, entry: AuditEntry) => Promise<void>;
  /** Puts the end in the list of campaigns and on the audit trail. It can run twice for a campaign. */
  close: (campaign: Campaign, endedAt: number) => Promise<void>;
  holidays: Holidays;
  /** How long what people had to do is kept: of a campaign, after its end. */
  retentionMs: number;
  /** Decides what is forgotten. Never later than the time of a step. */
  steadyNow: () => number;
}): Machine<CampaignState, CampaignFacts> {
  return {
    mailAtMost: eventsAtMost,
    keptAtRestMs: deps.retentionMs,
    isBusy,
    isRetrying: ({ askedAt, restsFrom = 0, askAgainAt }, at) =>
      restsFrom > askedAt && restsUntil({ restsFrom, notBefore: askAgainAt }, at) !== undefined,
    step(view) {
      const { mail, facts, now: at } = view;
      const begun = begunIn(view);
      if (begun === undefined) return { kind: 'rest', until: undefined };
      const { campaign, ...progress } = begun;
      const keep = (events: readonly CampaignEvent[], change: Change = {}) =>
        kept(begun, events, view, change, deps.steadyNow() - deps.retentionMs);

      const happened = eventsOf(mail);
      const gatheredUntil = gatheringUntil(mail, campaign, at);
      if (mail.length > 0 && gatheredUntil === undefined)
        return keep(happened, {
          take: mail.map(({ position }) => position),
          progress: { audienceChanged: changedAudience(begun, happened, at) },
        });
      if (happened.some(({ kind }) => kind === 'result'))
        return { kind: 'rest', until: gatheredUntil, put: boardRefresh(campaign, at) };

      const step = nextStep(campaign, { ...progress, now: at, holidays: deps.holidays });
      switch (step.kind) {
        case 'wait':
          return { kind: 'rest', until: earlier(step.until, gatheredUntil) };
        case 'refresh':
          return keep([]);
        case 'ask': {
          const { read, people } = facts;
          if (read === undefined) return { kind: 'ask', for: 'read' };
          if ('events' in read) {
            if (people === undefined) return { kind: 'ask', for: 'people' };
            return keep([...read.events, ...unableEvents(campaign, people)], { progress: { askedAt: at } });
          }
          if (read.isGone) return keep(goneEvents(campaign, at));
          // Kept, since results that come meanwhile run the campaign, too.
          return keep([], { progress: { restsFrom: at, askAgainAt: read.askAgainAt } });
        }
        case 'compare': {
          const { comparison } = facts;
          if (comparison === undefined) return { kind: 'ask', for: 'comparison' };
          if ('askAgainAt' in comparison)
            return keep([], { progress: { compareRestsFrom: at, compareAgainAt: comparison.askAgainAt } });
          return keep(comparison.events, { progress: comparison.progress, put: comparison.put });
        }
        case 'record':
          return facts.isRecorded
            ? keep([], { progress: { unrecorded: undefined } })
            : { kind: 'ask', for: 'isRecorded' };
        case 'read-assignments':
          if (facts.assigned === undefined) return { kind: 'ask', for: 'assigned' };
          return keep(facts.assigned, { progress: { assignmentsReadAt: at } });
        case 'end':
          return keep([{ kind: 'end', at }], { progress: { endedByItself: true } });
        case 'close':
          return facts.isClosed ? keep([], { progress: { isClosed: true } }) : { kind: 'ask', for: 'isClosed' };
        case 'escalate': {
          const { people, managers } = facts;
          if (people === undefined) return { kind: 'ask', for: 'people' };
          if (campaign.rule.toManagers && managers === undefined) return { kind: 'ask', for: 'managers' };
          if (managers?.askAgainAt !== undefined) return { kind: 'rest', until: managers.askAgainAt };
          const to = recipientsOf('lead', people);
          const split = splitEscalation(step.missing, managers?.managers);
          const events: CampaignEvent[] = [{ kind: 'escalated', at }, ...managedEvents(split)];
          return keep([...events, ...ownReminders(to, split.toLeads, at)], {
            put: escalationMessages(split, campaign, to, at),
          });
        }
        case 'notify':
        case 'remind': {
          const userIds = step.members.map(({ userId }) => userId);
          return keep([{ kind: 'handed', userIds, at }], {
            put: messagesOf(step, campaign, at),
          });
        }
      }
    },
    facts: {
      async people(view) {
        const campaign = campaignIn(view);
        const [owner, users] = await Promise.all([deps.owner(campaign), deps.users()]);
        return responsibleIn(campaign, owner, users);
      },
      managers: async (view) =>
        deps.managersOf(lateMembers(campaignIn(view), view.now).flatMap(({ personId }) => personId ?? [])),
      read: async (view) => deps.read(campaignIn(view)),
      comparison: async (view) => deps.compare(begunIn(view)!),
      async isRecorded(view) {
        const { campaign, unrecorded = [] } = begunIn(view)!;
        for (const entry of unrecorded) await deps.record(campaign, entry);
        return true;
      },
      async assigned(view) {
        const campaign = campaignIn(view);
        const batch = campaign.assigning && (await deps.rowsOf(campaign.teamId, campaign.assigning.batchId));
        return batch ? assignmentEvents(campaign, batch) : [];
      },
      async isClosed(view) {
        const campaign = campaignIn(view);
        await deps.close(campaign, campaign.endedAt ?? view.now);
        return true;
      },
    },
  };
}

function begunIn({ state, mail }: CampaignView): CampaignState | undefined {
  return state ?? stateAtStart(eventsOf(mail));
}

/** The campaign of a step that asks. */
function campaignIn(view: CampaignView): Campaign {
  return begunIn(view)!.campaign;
}

/** Until when nothing is applied yet, since all that waits is gathered; undefined: now is the time. */
function gatheringUntil(mail: CampaignView['mail'], { members }: Campaign, now: number): number | undefined {
  const [first] = mail;
  if (first === undefined || first.at > now || mail.length >= eventsAtMost) return undefined;
  const untils = eventsOf(mail).map(({ kind }) => first.at + gatheredForMs(kind, members.length));
  const until = Math.min(...untils);
  return until > now ? until : undefined;
}

/** What has changed in the audience since it was compared. Another owner can take others in. */
function changedAudience(
  { audienceChanged: known }: CampaignProgress,
  events: readonly CampaignEvent[],
  at: number,
): CampaignProgress['audienceChanged'] {
  const changes = events.flatMap((event): { at: number; parts: readonly string[] }[] => {
    if (event.kind === 'hand-over') return [{ at, parts: [] }];
    return event.kind === 'audience-changed' ? [event] : [];
  });
  if (changes.length === 0) return known;
  const moments = changes.map((change) => change.at);
  return {
    since: Math.min(known?.since ?? Infinity, ...moments),
    latestAt: Math.max(known?.latestAt ?? 0, ...moments),
    parts: [...new Set([...(known?.parts ?? []), ...changes.flatMap(({ parts }) => parts)])],
  };
}

/** How long an event waits for others. */
function gatheredForMs(kind: CampaignEvent['kind'], members: number): number {
  switch (kind) {
    case 'delivery':
      return deliveriesGatheredForMs;
    case 'audience-changed':
      return changesGatheredForMs;
    case 'result':
      return members < results.fewMembers ? 0 : Math.min(members * results.gatheredForMsEach, results.longestMs);
    default:
      return 0;
  }
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/**
 * The state after these events, with the boards that they change, and what they give people to decide.
 *
 * @param keptSince what is older is forgotten, in milliseconds since the epoch
 */
function kept(
  { campaign, ...progress }: CampaignState,
  events: readonly CampaignEvent[],
  { facts: { people }, now: at }: CampaignView,
  { progress: changed, take = [], put = [] }: Change,
  keptSince: number,
): CampaignStep {
  const next = withoutOld(applyEvents(campaign, events), keptSince);
  const news = newsOf(campaign, next, events);
  if (news.length > 0 && people === undefined) return { kind: 'ask', for: 'people' };
  const hasEnded = campaign.endedAt === null && next.endedAt !== null;
  return {
    kind: 'keep',
    state: {
      ...progress,
      refreshedAt: at,
      // What people who come in have passed before is read at once.
      ...(events.some(({ kind }) => kind === 'join') && { askedAt: 0 }),
      ...changed,
      campaign: next,
    },
    take,
    put: [
      ...put,
      ...news.flatMap(({ to, message }) =>
        people === undefined ? [] : recipientsOf(to, people).map((userId) => messageTo(userId, next, at, message)),
      ),
      ...boardRefresh(next, at),
      ...(hasEnded ? endRefresh(next, at) : []),
    ],
  };
}

/** Who cannot see results any more, where that has changed. */
function unableEvents({ unable }: Campaign, people: Responsible): CampaignEvent[] {
  const who = unableOf(people);
  return who.join() === unable.join() ? [] : [{ kind: 'unable', who }];
}

/** Members who get the escalation read in it that they are missing, and get no other message that day. */
function ownReminders(userIds: readonly string[], missing: readonly CampaignMember[], at: number): CampaignEvent[] {
  const own = missing.filter(({ userId, messages }) => userIds.includes(userId) && messages.length > 0);
  return own.length === 0 ? [] : [{ kind: 'handed', userIds: own.map(({ userId }) => userId), at }];
}

/** Whether there is something to do even where nothing waits. */
function isBusy({ campaign: { endedAt }, isClosed }: CampaignState): boolean {
  return endedAt === null || !isClosed;
}
