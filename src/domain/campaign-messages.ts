import type { Campaign, CampaignMember } from './campaign.ts';

/** What became of the messages of a campaign to a member. Times are milliseconds since the epoch. */
interface MemberMessages {
  /** When the first message and the reminders arrived. */
  firstAt: number | null;
  remindedAt: readonly number[];
  /** Those that could not arrive, and why. */
  failures: readonly { at: number; failure: string }[];
  /** Since when a message waits to be sent. */
  waitingSince: number | null;
}

/** A message that is not needed any more, since the member is done or excused, is none that could not arrive. */
export const notNeeded = 'not_needed';

/** What is known of the messages to a member. For campaigns that do not know what became of them, what was sent counts. */
export function messagesTo(
  { notifiedAt, remindedAt, deliveries = [] }: CampaignMember,
  { knowsDelivery }: Pick<Campaign, 'knowsDelivery'>,
): MemberMessages {
  if (!knowsDelivery) return { firstAt: notifiedAt, remindedAt, failures: [], waitingSince: null };
  const handed = [...(notifiedAt === null ? [] : [notifiedAt]), ...remindedAt];
  const arrivedAt = (handedAt: number) =>
    deliveries.find((one) => one.handedAt === handedAt && one.failure === undefined)?.at;
  const firstAt = (notifiedAt === null ? undefined : arrivedAt(notifiedAt)) ?? null;
  // What waits over a night or a weekend is one message.
  const arrived = new Set(remindedAt.map(arrivedAt));
  return {
    firstAt,
    remindedAt: [...arrived].flatMap((at) => (at === undefined || at === firstAt ? [] : [at])),
    failures: deliveries.flatMap(({ at, failure }) =>
      failure === undefined || failure === notNeeded ? [] : [{ at, failure }],
    ),
    waitingSince: handed.find((handedAt) => !deliveries.some((one) => one.handedAt === handedAt)) ?? null,
  };
}

/**
 * Whether the last message to a member named another due time than it has now. What an earlier message of a campaign that stands
 * named was another obligation.
 */
export function knowsOtherDueTime(
  { toldDueAt, remindedAt, notifiedAt }: Pick<CampaignMember, 'toldDueAt' | 'remindedAt' | 'notifiedAt'>,
  { dueAt, asksFrom = 0 }: { dueAt?: number | undefined; asksFrom?: number | undefined },
): boolean {
  const toldAt = remindedAt.at(-1) ?? notifiedAt ?? 0;
  return toldDueAt !== undefined && toldDueAt !== (dueAt ?? null) && toldAt >= asksFrom;
}

/**
 * Why nothing reaches a member now; undefined where something does, or nobody has tried. `no_person`: nobody of the platform is
 * this user. `no_quiz`: the campaign could not assign the quiz to them.
 */
export function whyUnreached(member: CampaignMember, campaign: Pick<Campaign, 'knowsDelivery'>): string | undefined {
  if (member.personId === null) return 'no_person';
  if (member.assignment === 'failed') return 'no_quiz';
  // Boards ask it of thousands.
  if (member.deliveries?.every(({ failure }) => failure === undefined) ?? true) return undefined;
  const { firstAt, remindedAt, failures } = messagesTo(member, campaign);
  const last = failures.at(-1);
  return last !== undefined && last.at > Math.max(firstAt ?? 0, ...remindedAt) ? last.failure : undefined;
}
