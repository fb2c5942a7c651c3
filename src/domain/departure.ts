export type DepartureReader = { channelId: string } | { personId: string };

/** Users of the account who have left the platform and were active in the account then. Its messages are changed in place. */
export interface DepartureList {
  id: string;
  /** Milliseconds since the epoch, as all times here. */
  postedAt: number;
  /** Each has a message of their own. */
  readers: readonly DepartureReader[];
  /** Empty where they are too many to be leavers: then they are counted, and nobody is named. */
  people: readonly { userId: string; name: string; leftAt: number }[];
  mass: { count: number; of: number } | null;
}

export type DepartureEvent =
  /** The platform said that a person has changed. It may be late, or repeated. */
  { kind: 'person-changed'; personId: string } | { kind: 'dismiss'; listId: string; userIds: readonly string[] };
