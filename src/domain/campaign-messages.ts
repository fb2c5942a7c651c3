import type { CampaignMember, MemberMessage, Obligation } from './campaign.ts';

/** What became of the messages of a campaign to a member. Times are milliseconds since the epoch. */
interface MemberMessages {
  /** When the first message and the reminders arrived, and those that said another due time. */
  firstAt: number | null;
  remindedAt: readonly number[];
  movedAt: readonly number[];
  /** Those that could not arrive, and why. */
  failures: readonly { at: number; failure: string }[];
  /** Since when a message waits to be sent. */
  waitingSince: number | null;
}

/** A message that is not needed any more, since the member is done or excused, is none that could not arrive. */
export const notNeeded = 'not_needed';

/** What became of a message of a campaign that a version up to 1.6 started is not known. What was sent counts. */
export const notKnown = 'not_known';

/** What is known of the messages to a member. */
export function messagesTo({ messages }: Pick<CampaignMember, 'messages'>): MemberMessages {
  const arrivedAt = ({ handedAt, at, failure }: MemberMessage) =>
    failure === null ? at : failure === notKnown ? handedAt : null;
  const [first] = messages;
  const firstAt = first === undefined ? null : arrivedAt(first);
  // What waits over a night or a weekend is one message.
  const later = [...new Set(messages.flatMap((message) => arrivedAt(message) ?? []))].filter((at) => at !== firstAt);
  const movedAt = new Set(messages.filter((_, place) => saysOtherDueTime(messages, place)).map(arrivedAt));
  return {
    firstAt,
    remindedAt: later.filter((at) => !movedAt.has(at)),
    movedAt: later.filter((at) => movedAt.has(at)),
    failures: messages.flatMap(({ handedAt, at, failure }) =>
      failure === null || failure === notNeeded || failure === notKnown ? [] : [{ at: at ?? handedAt, failure }],
    ),
    waitingSince: messages.find((message) => isWaiting(message))?.handedAt ?? null,
  };
}

/** Whether a message is about its due time, which is another one than they knew. Where it is over by then, they are reminded. */
function saysOtherDueTime(messages: readonly MemberMessage[], place: number): boolean {
  const { dueAt, at, handedAt } = messages[place]!;
  const before = messages.slice(0, place).findLast((message) => !isWaiting(message));
  return before !== undefined && before.dueAt !== dueAt && (dueAt ?? Infinity) > (at ?? handedAt);
}

/** It names what is so when it is sent. */
export function isWaiting({ at, failure }: MemberMessage): boolean {
  return at === null && failure === null;
}

/**
 * The due time that the last message to a member named, where they have another one now; null for none, undefined where they know
 * theirs. What an earlier message of a campaign that stands named was another obligation.
 */
export function otherDueTime(
  { messages }: Pick<CampaignMember, 'messages'>,
  { dueAt, asksFrom = 0 }: Obligation,
): number | null | undefined {
  const last = messages.findLast((message) => !isWaiting(message));
  return last !== undefined && last.dueAt !== (dueAt ?? null) && last.handedAt >= asksFrom ? last.dueAt : undefined;
}

/**
 * Why nothing reaches a member now; undefined where something does, or nobody has tried. `no_person`: nobody of the platform is
 * this user. `no_quiz`: the campaign could not assign the quiz to them. Who was away when a message came can be back.
 */
export function whyUnreached(member: CampaignMember): string | undefined {
  if (member.away) return member.away;
  if (member.personId === null) return 'no_person';
  if (member.assignment === 'failed') return 'no_quiz';
  // Boards ask it of thousands.
  if (member.messages.every(({ failure }) => failure === null)) return undefined;
  const { firstAt, remindedAt, failures } = messagesTo(member);
  const last = failures.toSorted((one, other) => one.at - other.at).at(-1);
  if (last === undefined || last.at <= Math.max(firstAt ?? 0, ...remindedAt)) return undefined;
  return last.failure === 'suspended' || last.failure === 'no_user' ? undefined : last.failure;
}
