/** What became of a person in a notice. Times are milliseconds since the epoch. */
export type DepartureEnd =
  /** They are active on the platform again. */
  | { kind: 'back' }
  | { kind: 'suspended' }
  | { kind: 'reinstated' }
  | { kind: 'deleted' }
  /** They left again before anybody reinstated them. */
  | { kind: 'left again' }
  | { kind: 'dismissed'; by: string }
  | { kind: 'expired' };

export interface NoticedPerson {
  userId: string;
  name: string;
  /** When they left the platform, or came back to it. */
  at: number;
  /** Undefined while the notice is about them. */
  end?: DepartureEnd;
}

export type DepartureReader = { channelId: string } | { personId: string };

/** A message about users of the account whose person was deactivated on the platform. It is changed in place. */
export type DepartureNotice = {
  id: string;
  postedAt: number;
  /** Each has a message of their own. */
  readers: readonly DepartureReader[];
} & (
  | { kind: 'proposal'; people: readonly NoticedPerson[] }
  /** They came back after they were suspended for having left. */
  | { kind: 'return'; people: readonly NoticedPerson[] }
  /** Too many left within a day to be leavers: `count` of `of`. */
  | { kind: 'mass'; count: number; of: number }
);

export type DepartureEvent =
  /** The platform said that a person has changed. It may be late, or repeated. */
  | { kind: 'person-changed'; personId: string }
  /** Something was done to users of the account. */
  | { kind: 'account-changed' }
  | { kind: 'dismiss'; noticeId: string; userIds: readonly string[]; by: string };

/** Whether a message does not change any more. */
export function isNoticeOver(notice: DepartureNotice): boolean {
  return notice.kind === 'mass' || notice.people.every(({ end }) => end !== undefined);
}
