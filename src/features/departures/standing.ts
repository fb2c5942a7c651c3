import type { User } from '../../quiz-api/users.ts';

/** Whether the person of a user of the account is active on the platform. */
export type UserStanding =
  | { kind: 'here'; personId: string }
  /** `at`: when the platform changed them last, in milliseconds since the epoch; undefined where it does not tell. */
  | { kind: 'left'; personId: string; at: number | undefined }
  /** The person who they were is a guest now, or has another address: nobody who is watched. */
  | { kind: 'nobody' };

/** By user ID. A user of whom the platform says nothing clear is left out. */
export type Standings = ReadonlyMap<string, UserStanding>;

/** Asks the platform. Both throw `PlatformError`. */
export interface WhoHasLeft {
  /**
   * Reads everybody whom the platform lists.
   * @param known the person of each user, as far as they were found before
   */
  everyone(users: readonly User[], known: ReadonlyMap<string, string>): Promise<Standings>;
  /** Looks up the people of these users, all of whom are known. For few. */
  these(users: readonly User[], known: ReadonlyMap<string, string>): Promise<Standings>;
}
