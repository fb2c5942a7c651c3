import type { Person } from '../../directory/identity.ts';
import type { PersonToErase } from '../../domain/queues.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { User } from '../../quiz-api/records.ts';
import type { Language } from '../../words/languages.ts';
import type { Mention } from '../typed-text.ts';

/** A person, as the platform names them. */
export interface Profile {
  personId: string;
  firstName: string;
  lastName: string;
  /** Undefined where the platform withholds it, and where the person has not confirmed it. */
  emailAddress: string | undefined;
  /** As in `Person`. */
  outsider: Person['outsider'];
}

export type ProfilesOf = (personIds: readonly string[]) => Promise<readonly Profile[]>;

/** Messages about quizzes that somebody has, or the one of Monday, on or off. */
export type MessageChoice = 'on' | 'off' | 'monday-on' | 'monday-off';

/** How a person wants the bot to write to them. */
export interface OwnSettings {
  turnMessages(to: MessageChoice): Promise<void>;
  /** @param language undefined: as on the platform */
  chooseLanguage(language: Language | undefined): Promise<void>;
}

/** Erases people from what the bot keeps of one workspace. What is stored survives a crash. */
export interface Erasing {
  /** Stores that a person is to be erased once their user is deleted. */
  begin(person: PersonToErase & { by: string }): Promise<void>;
  /** Has the account asked at once whether the user is deleted. */
  goOn(userId: string): Promise<void>;
}

/** Who of the account has left the platform, as operations work with it. */
export interface DepartureService {
  /**
   * The users whose person was deactivated on the platform.
   *
   * @param listId of these, the ones on a list on whom nobody has decided; undefined: all
   * @returns undefined where the list is over. `isProtected`: they are administrators in any case
   */
  left(listId?: string): Promise<readonly { userId: string; isProtected: boolean }[] | undefined>;
  /** Whether the person of a user is still gone, as the platform says now. Who is back is taken off lists. */
  isGone(user: User): Promise<boolean>;
  /** Leaves these people of a list active. */
  dismiss(listId: string, userIds: readonly string[]): Promise<void>;
}

/** A person of the platform, as messages reach them. */
export interface ReachedPerson {
  personId: string;
  timeZone: string;
}

/** Finds the people of the platform who are these users of the account; by user ID. Guests and users without a person are left out. */
export type Reach = (
  users: readonly User[],
  options: { call: CallOptions },
) => Promise<ReadonlyMap<string, ReachedPerson>>;

/**
 * The people in a channel or user group of the platform, or a sentence that says why they are not known. `isCut`: there are more. `name`:
 * that of a channel that was mentioned without it.
 */
export type MemberList =
  | { personIds: readonly string[]; isCut?: true; name?: string | undefined }
  | { problem: string };

/**
 * @param askedBy who wants to know: only members of a private channel learn who is in it
 * @param options.atMost where there are more people, a few more than this are enough
 */
export type MembersOf = (mention: Mention, askedBy: string, options: { atMost: number }) => Promise<MemberList>;

/** A token with which an agent acts for a person. Times are milliseconds since the epoch. */
export interface AgentToken {
  /** What the person calls it; no other of theirs has the name. */
  name: string;
  createdAt: number;
  expiresAt: number;
}

/** The tokens of one workspace. */
export interface AgentTokens {
  /** Those that work. */
  all(personId: string): Promise<readonly AgentToken[]>;
  /** `secret`: the token itself, which is kept nowhere. `busy`: another change of the person’s tokens is being made. */
  make(personId: string, name: string): Promise<(AgentToken & { secret: string }) | 'taken' | 'too many' | 'busy'>;
  /** False where there is none with the name. */
  revoke(personId: string, name: string): Promise<boolean | 'busy'>;
}

/** Rights that a person lent to a kind of step of workflows. Times are milliseconds since the epoch. */
export interface LentRights {
  id: string;
  personId: string;
  /** What people call the step. */
  step: string;
  /** The workflow that it runs in; undefined where the platform did not say. */
  workflowId: string | undefined;
  lentAt: number;
  /** Within an hour; undefined before the first run. */
  usedAt: number | undefined;
  /** Unless it runs before. */
  expiresAt: number;
}

/** The rights that people of one workspace lent to steps of workflows. */
export interface RightsLent {
  /** In the order in which they were lent; without those that expired or were revoked. */
  all(): Promise<readonly LentRights[]>;
  /** Ends a grant for every instance at once. Undefined, and nothing is done, where it has ended before or is not meant. */
  revoke(id: string, isMeant: (lent: LentRights) => boolean): Promise<LentRights | undefined>;
}

/** Whether the message about a grant tells of another that its person lent then. */
export function lentTogether(grantId: string, lentAt: number): boolean {
  const apartMs = lentAt - Number.parseInt(grantId.split('.')[1] ?? '', 36);
  return apartMs >= 0 && apartMs < 60 * 60_000;
}
