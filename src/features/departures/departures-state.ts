import type { DepartureNotice } from '../../domain/departure.ts';
import { isNoticeOver } from '../../domain/departure.ts';
import type { Rest } from '../../durable/rest.ts';

/** The person of a user of the account, as the bot knew them last. Times are milliseconds since the epoch. */
export interface KnownPerson {
  userId: string;
  personId: string;
  /** Undefined while they are active on the platform. */
  left?: Left;
}

export interface Left {
  at: number;
  /** They had left before the bot knew them. Nothing is proposed. */
  isEarlier?: true;
  /** A notice was about them, or none is to be. */
  isHandled?: true;
  /** They were suspended while a proposal was open. */
  isSuspended?: true;
}

/** What is kept of a workspace. */
export interface DeparturesState extends Rest {
  /** As many as the account has users with a person on the platform. */
  people: readonly KnownPerson[];
  /** When everybody was read last; 0: never. */
  readAt: number;
  /** When people were proposed last; 0: never. */
  proposedAt: number;
  /** When the notices were compared with the account. */
  comparedAt: number;
  /** When something was done to users since. */
  changedAt?: number | undefined;
  /** Who came back and is still suspended, and is in no notice yet. */
  returned: readonly { userId: string; at: number }[];
  notices: readonly DepartureNotice[];
}

export const freshDepartures: DeparturesState = {
  people: [],
  readAt: 0,
  proposedAt: 0,
  comparedAt: 0,
  returned: [],
  notices: [],
  notBefore: 0,
};

/** The people who left and about whom no notice is yet. */
export function newlyLeft({ people }: Pick<DeparturesState, 'people'>): (KnownPerson & { left: Left })[] {
  return leftSinceKnown({ people }).filter(({ left }) => !left.isHandled);
}

/** The people who were active when the bot knew them first, and left since. */
export function leftSinceKnown({ people }: Pick<DeparturesState, 'people'>): (KnownPerson & { left: Left })[] {
  return people.filter(
    (person): person is KnownPerson & { left: Left } =>
      person.left?.isEarlier === undefined && person.left !== undefined,
  );
}

export function openNotices({ notices }: Pick<DeparturesState, 'notices'>): DepartureNotice[] {
  return notices.filter((notice) => !isNoticeOver(notice));
}

/** The person of each user. */
export function personIds({ people }: Pick<DeparturesState, 'people'>): Map<string, string> {
  return new Map(people.map(({ userId, personId }) => [userId, personId]));
}
