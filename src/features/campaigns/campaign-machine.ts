import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import { once } from '../../domain/said.ts';
import type { NewQueueEntry } from '../../domain/queues.ts';
import type { ManagersOf } from '../../domain/managers.ts';
import type { User } from '../../quiz-api/records.ts';
import { restsUntil, type Machine, type Step, type View } from '../../durable/machine.ts';
import type { Holidays } from '../../time/working-hours.ts';
import { assignmentEvents, type Assignments } from './assignments.ts';
import type { CompareAudience } from './compare-audience.ts';
import { applyEvents, withoutOld } from './events.ts';
import {
  escalationMessages,
  managedEvents,
  splitEscalation,
  recipientsOf,
  responsibleIn,
  unableOf,
  boardRefresh,
  endRefresh,
  messageTo,
  noticeTo,
  type Responsible,
} from './messages.ts';
import { changesGatheredForMs, lateMembers, nextStep } from './next-step.ts';
import { newsOf } from './news.ts';
import { eventsOf, stateAtStart, type CampaignProgress, type CampaignState } from './stored-campaign.ts';
import { goneEvents, type ReadCampaign } from './read-campaign.ts';

/** Events applied in one step. */
const eventsAtMost = 500;
/** What became of messages is applied together: each step looks at all members. */
const deliveriesGatheredForMs = 30_000;
/** Results of a campaign of many are, too, the longer the more there is to keep. Until then, readers apply them themselves. */
const results = { fewMembers: 100, gatheredForMsEach: 10, longestMs: 20_000 };

type CampaignView = View<CampaignState>;
type CampaignStep = Step<CampaignState>;

/**
 * Carries a campaign on: applies what happened to it, and hands its messages over to the people's queues. A step and its
 * messages are stored together, so a crash neither loses a message nor doubles it.
 */
export function campaignMachine(deps: {
  read: ReadCampaign;
  /** All users of the account. */
  users: () => Promise<readonly User[]>;
  /** Whether the person who owns a campaign may see its results now, and their user. */
  owner: (campaign: Pick<Campaign, 'ownerId' | 'quiz'>) => Promise<Responsible['owner']>;
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
}): Machine<CampaignState> {
  const peopleOf = async (campaign: Campaign) => {
    const [owner, users] = await Promise.all([deps.owner(campaign), deps.users()]);
    return responsibleIn(campaign, owner, users);
  };

  return {
    mailAtMost: eventsAtMost,
    keptAtRestMs: deps.retentionMs,
    // Also where nothing waits.
    isBusy: ({ campaign: { endedAt }, isClosed }) => endedAt === null || !isClosed,
    isRetrying: ({ askedAt, restsFrom = 0, askAgainAt }, at) =>
      restsFrom > askedAt && restsUntil({ restsFrom, notBefore: askAgainAt }, at) !== undefined,
    async step(view) {
      const { mail, now: at } = view;
      const begun = view.state ?? stateAtStart(eventsOf(mail));
      if (begun === undefined) return { kind: 'rest', until: undefined };
      const { campaign, ...progress } = begun;
      const people = once(() => peopleOf(campaign));
      /** The state after these events, with the boards that they change, and what they give people to decide. */
      const keep = async (
        events: readonly CampaignEvent[],
        {
          progress: its = {},
          take = [],
          put = [],
        }: {
          progress?: Partial<CampaignProgress>;
          take?: readonly number[];
          put?: readonly NewQueueEntry[];
        } = {},
      ): Promise<CampaignStep> => {
        const next = withoutOld(applyEvents(campaign, events), deps.steadyNow() - deps.retentionMs);
        const news = newsOf(campaign, next, events);
        const recipients = news.length === 0 ? undefined : await people();
        const hasEnded = campaign.endedAt === null && next.endedAt !== null;
        return {
          kind: 'keep',
          state: {
            ...progress,
            refreshedAt: at,
            // What people who come in have passed before is read at once.
            ...(events.some(({ kind }) => kind === 'join' || kind === 'ask') && { askedAt: 0 }),
            ...its,
            campaign: next,
          },
          take,
          put: [
            ...put,
            ...news.flatMap(({ to, message }) =>
              recipientsOf(to, recipients!).map((userId) => messageTo(userId, next, at, message)),
            ),
            ...boardRefresh(next, at),
            ...(hasEnded ? endRefresh(next, at) : []),
          ],
        };
      };

      const happened = eventsOf(mail);
      const gatheredUntil = gatheringUntil(mail, campaign, at);
      if (mail.length > 0 && gatheredUntil === undefined)
        return keep(happened, {
          take: mail.map(({ position }) => position),
          progress: { audienceChangedAt: audienceChangedAt(progress.audienceChangedAt, happened, at) },
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
          const read = await deps.read(campaign);
          if ('events' in read) {
            const unable = unableEvents(campaign, await people());
            return keep([...read.events, ...unable], { progress: { askedAt: at } });
          }
          if (read.isGone) return keep(goneEvents(campaign, at));
          // Kept, since results that come meanwhile run the campaign, too.
          return keep([], { progress: { restsFrom: at, askAgainAt: read.askAgainAt } });
        }
        case 'compare': {
          const comparison = await deps.compare(begun);
          if ('askAgainAt' in comparison)
            return keep([], { progress: { compareRestsFrom: at, compareAgainAt: comparison.askAgainAt } });
          return keep(comparison.events, { progress: comparison.progress, put: comparison.put });
        }
        case 'record':
          for (const entry of begun.unrecorded ?? []) await deps.record(campaign, entry);
          return keep([], { progress: { unrecorded: undefined } });
        case 'read-assignments': {
          const batch = campaign.assigning && (await deps.rowsOf(campaign.teamId, campaign.assigning.batchId));
          return keep(batch ? assignmentEvents(campaign, batch) : [], { progress: { assignmentsReadAt: at } });
        }
        case 'end':
          return keep([{ kind: 'end', at }], { progress: { endedByItself: true } });
        case 'close':
          await deps.close(campaign, campaign.endedAt ?? at);
          return keep([], { progress: { isClosed: true } });
        case 'escalate': {
          const late = lateMembers(campaign, at).flatMap(({ personId }) => personId ?? []);
          const managers = campaign.rule.toManagers ? await deps.managersOf(late) : undefined;
          if (managers?.askAgainAt !== undefined) return { kind: 'rest', until: managers.askAgainAt };
          const to = recipientsOf('lead', await people());
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
            put: step.members.map((member) =>
              messageTo(member.userId, campaign, at, noticeTo(member, campaign, { handedAt: at, now: at })),
            ),
          });
        }
      }
    },
  };
}

/** Until when nothing is applied yet, since all that waits is gathered; undefined: now is the time. */
function gatheringUntil(mail: CampaignView['mail'], { members }: Campaign, now: number): number | undefined {
  const [first] = mail;
  if (first === undefined || first.at > now || mail.length >= eventsAtMost) return undefined;
  const untils = eventsOf(mail).map(({ kind }) => first.at + gatheredForMs(kind, members.length));
  const until = Math.min(...untils);
  return until > now ? until : undefined;
}

/** When the audience first changed since it was compared. Another owner can take others in. */
function audienceChangedAt(
  known: number | undefined,
  events: readonly CampaignEvent[],
  now: number,
): number | undefined {
  const moments = events.flatMap((event) => {
    if (event.kind === 'hand-over') return [now];
    return event.kind === 'audience-changed' ? [event.at] : [];
  });
  return moments.length === 0 ? known : Math.min(known ?? Infinity, ...moments);
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
