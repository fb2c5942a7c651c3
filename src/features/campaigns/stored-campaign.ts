import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import { campaignQueue } from '../../domain/queues.ts';
import { mailboxes } from '../../durable/mail.ts';
import type { Division } from '../../durable/remembered-states.ts';
import type { User } from '../../quiz-api/records.ts';
import type { Outbox } from '../../storage/storage.ts';
import { applyEvents } from './events.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { TakenIn } from './audience.ts';

/** What all entries of campaigns have in place of a subscription. */
export const campaignEntries = 'campaigns';

/** What the bot keeps of a campaign, besides what people see. Times are milliseconds since the epoch, and 0 before. */
export interface CampaignProgress {
  /** When the responses were read. */
  askedAt: number;
  /** Not before this time, since that one: the service did not answer. */
  askAgainAt: number;
  restsFrom?: number | undefined;
  /** When the batch that assigns the quiz was read. */
  assignmentsReadAt: number;
  /** When the audience was last compared with the members whatever had changed; undefined before. */
  comparedAt?: number | undefined;
  /** When the audience first changed since. */
  audienceChangedAt?: number | undefined;
  /** Not compared before this time, since that one: a list could not be read. */
  compareAgainAt?: number;
  compareRestsFrom?: number;
  /** Whom the bot has taken in by itself lately. */
  takenIn?: readonly TakenIn[];
  /** What is not on the record yet. */
  unrecorded?: readonly AuditEntry[] | undefined;
  /** When the board was last brought up to date. */
  refreshedAt: number;
  /** No person ended it. */
  endedByItself: boolean;
  /** The end is on the record. */
  isClosed: boolean;
}

/** What the queue of a campaign stores beside its entries. */
export interface CampaignState extends CampaignProgress {
  campaign: Campaign;
}

/** A campaign of many is mostly its people, of whom most steps change a few. */
export const campaignDivision: Division<CampaignState, CampaignMember> = {
  divide: ({ campaign: { members, ...campaign }, ...progress }) => ({
    head: { ...progress, campaign: { ...campaign, members: [] } },
    parts: members,
  }),
  join: ({ campaign, ...progress }, members) => ({ ...progress, campaign: { ...campaign, members } }),
};

const newProgress: CampaignProgress = {
  askedAt: 0,
  askAgainAt: 0,
  assignmentsReadAt: 0,
  refreshedAt: 0,
  endedByItself: false,
  isClosed: false,
};

/** Events looked at that are not applied yet. */
const eventsAtMost = 1_000;

/** The state of a campaign that begins with these events; undefined where they do not start it. */
export function stateAtStart(events: readonly CampaignEvent[]): CampaignState | undefined {
  const start = events.find(({ kind }) => kind === 'start');
  return start?.kind === 'start' ? { campaign: start.campaign, ...newProgress } : undefined;
}

export const { entry: campaignEntry, events: eventsOf } = mailboxes('campaign', campaignEntries);

/** A campaign as people see it: its members are as the account has them now. Where nobody knows, as it was last looked at. */
export async function campaignInAccount(
  { outbox, users }: { outbox: Stored; users: () => Promise<readonly User[]> },
  teamId: string,
  id: string,
): Promise<Campaign | undefined> {
  const campaign = await latestCampaign(outbox, teamId, id);
  const known = campaign && (await users().catch(() => undefined));
  if (campaign === undefined || known === undefined) return campaign;
  const away = awayAmong(known);
  const members = campaign.members.map((member) => {
    const now = away(member.userId);
    return (member.away ?? null) === now ? member : { ...member, away: now };
  });
  return { ...campaign, members };
}

/** By the list of an account, which is another array after each change. */
const suspendedById = new WeakMap<readonly User[], ReadonlyMap<string, boolean>>();

function awayAmong(users: readonly User[]): (userId: string) => CampaignMember['away'] {
  const suspended = suspendedById.get(users) ?? new Map(users.map((user) => [user.user_id, user.suspended]));
  suspendedById.set(users, suspended);
  return (userId) => {
    const is = suspended.get(userId);
    return is === undefined ? 'no_user' : is ? 'suspended' : null;
  };
}

type Stored = Pick<Outbox, 'stateOf' | 'waiting'>;

/** A campaign with the events that wait to be applied to it. */
export async function latestCampaign(outbox: Stored, teamId: string, id: string): Promise<Campaign | undefined> {
  return (await latestState(outbox, teamId, id))?.campaign;
}

/** The same with what the bot keeps of it. */
export async function latestState(outbox: Stored, teamId: string, id: string): Promise<CampaignState | undefined> {
  const queue = campaignQueue(teamId, id);
  // The entries first: what is applied between the two reads is applied again, which changes nothing.
  const events = eventsOf(await outbox.waiting(queue, { limit: eventsAtMost }));
  const { state = stateAtStart(events) } = await outbox.stateOf<CampaignState>(queue);
  return state && (events.length === 0 ? state : { ...state, campaign: applyEvents(state.campaign, events) });
}
