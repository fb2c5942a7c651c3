import type { Keyv } from 'keyv';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import { NotFoundError } from '../quiz-api/errors.ts';
import type { User } from '../quiz-api/users.ts';
import type { NamedList } from './directory.ts';

/** What Slack says of a person. */
export interface Person {
  /** Undefined where Slack does not tell it. */
  emailAddress: string | undefined;
  /** Why the person is no member of staff, where Slack says so. */
  outsider: 'guest' | 'stranger' | 'bot' | 'deactivated' | undefined;
  /** As they set it in Slack. */
  timeZone?: string | undefined;
}

/** Why somebody is nobody in the quiz account. */
export type Nobody = NonNullable<Person['outsider']> | 'no e-mail address' | 'no quiz user' | 'several quiz users';

/** The person behind a Slack id. */
export interface Actor {
  personId: string;
  /** Named in OWNERS: an administrator in any case. */
  isOwner: boolean;
  user: User | undefined;
  nobody: Nobody | undefined;
  /** As they set it in Slack; undefined where Slack was not asked or does not tell. */
  timeZone?: string | undefined;
}

export interface Identity {
  /**
   * Finds the quiz user with the person's e-mail address, as `user_name`, then as `email_address`.
   * `fresh` reads the user from the service again: rights count at the moment of acting.
   */
  actorOf(personId: string, options: { fresh: boolean; call?: CallOptions }): Promise<Actor>;
}

const slackPersonTtlMs = 10 * 60_000;

export function createIdentity(deps: {
  api: QuizApi;
  users: Pick<NamedList<User>, 'names'>;
  lookUpPerson: (personId: string) => Promise<Person>;
  /** By workspace and Slack id. */
  people: Keyv<Person>;
  teamId: () => string | undefined;
  owners: readonly string[];
}): Identity {
  const { api, users, people } = deps;

  return {
    async actorOf(personId, { fresh, call }) {
      const isOwner = deps.owners.includes(personId);
      const nobody = (reason: Nobody): Actor => ({ personId, isOwner, user: undefined, nobody: reason });
      if (isOwner) return { personId, isOwner, user: undefined, nobody: undefined };

      const person = await slackPerson(personId);
      if (person.outsider) return nobody(person.outsider);
      if (person.emailAddress === undefined) return nobody('no e-mail address');

      const found = matchUser((await users.names(call)).named(person.emailAddress), person.emailAddress) ?? (await newcomer(person.emailAddress, call));
      if (found === undefined) return nobody('no quiz user');
      if (found === 'several') return nobody('several quiz users');
      const user = fresh ? await userOrNone(found.user_id, call) : found;
      return user && hasAddress(user, person.emailAddress) ? { personId, isOwner, user, nobody: undefined, timeZone: person.timeZone } : nobody('no quiz user');
    },
  };

  async function slackPerson(personId: string): Promise<Person> {
    const key = `${deps.teamId() ?? ''}:${personId}`;
    // A store that is full or away keeps nobody from being known: Slack is asked then.
    const known = await people.get(key).catch(() => undefined);
    if (known) return known;
    const person = await deps.lookUpPerson(personId);
    await people.set(key, person, slackPersonTtlMs).catch(() => {});
    return person;
  }

  /** Somebody who was made a user after the list was loaded. */
  async function newcomer(emailAddress: string, call?: CallOptions): Promise<User | undefined> {
    const userId = await api.users.find(emailAddress, call);
    return userId === null ? undefined : userOrNone(userId, call);
  }

  async function userOrNone(userId: string, call?: CallOptions): Promise<User | undefined> {
    try {
      return await api.users.get(userId, call);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}

/** A person's own name may look like an address too: only user name and e-mail address count. */
function matchUser(users: readonly User[], emailAddress: string): User | 'several' | undefined {
  const matching = users.filter((user) => hasAddress(user, emailAddress));
  const byName = matching.find((user) => isSameAddress(user.user_name, emailAddress));
  return byName ?? (matching.length > 1 ? 'several' : matching[0]);
}

function hasAddress(user: User, emailAddress: string): boolean {
  return isSameAddress(user.user_name, emailAddress) || isSameAddress(user.email_address, emailAddress);
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
