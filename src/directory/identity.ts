import type { Keyv } from 'keyv';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import { isSameAddress } from '../domain/address.ts';
import { NotFoundError } from '../quiz-api/errors.ts';
import type { User } from '../quiz-api/users.ts';
import type { NamedList } from './directory.ts';

/** A person, as the platform describes them. */
export interface Person {
  /** Undefined where the platform withholds it. */
  emailAddress: string | undefined;
  /** Why the person is no member of the workspace’s staff; undefined for members. */
  outsider: 'guest' | 'stranger' | 'bot' | 'deactivated' | undefined;
  /** As they set it on the platform. */
  timeZone?: string | undefined;
}

/** Why a person has no user in the quiz account. */
export type Nobody = NonNullable<Person['outsider']> | 'no e-mail address' | 'no quiz user' | 'several quiz users';

/** The person behind an id of the platform, as the quiz account knows them. */
export interface Actor {
  personId: string;
  /** Named in OWNERS: an administrator in any case. */
  isOwner: boolean;
  user: User | undefined;
  nobody: Nobody | undefined;
  /** As they set it on the platform; undefined where it was not asked or does not tell. */
  timeZone?: string | undefined;
}

export interface Identity {
  /**
   * Finds the quiz user with the person’s e-mail address, as `user_name`, then as `email_address`.
   *
   * @param options.fresh asks the platform and reads the user from the service; otherwise both may be minutes old
   * @param options.call without it, the requests count towards the share of the person
   * @throws QuizApiError if the service is needed and cannot be asked, PlatformError if the platform cannot
   */
  actorOf(personId: string, options: { fresh: boolean; call?: CallOptions }): Promise<Actor>;
  /**
   * Finds people right before a change. The platform, which may take seconds, is asked about all of them before the service
   * is asked about the first. Throws like `actorOf`.
   */
  actorsNow(personIds: readonly string[], call: CallOptions): Promise<Actor[]>;
}

const personTtlMs = 10 * 60_000;
/** A person whom the account does not know costs one request in this time, however often they come. */
const unknownForMs = 5 * 60_000;
const unknownAtMost = 10_000;

export function createIdentity(deps: {
  api: QuizApi;
  users: Pick<NamedList<User>, 'names' | 'put' | 'remove'>;
  /** Asks the platform. */
  lookUpPerson: (personId: string) => Promise<Person>;
  /** By workspace and person. */
  people: Keyv<Person>;
  teamId: () => string | undefined;
  owners: readonly string[];
  now: () => number;
}): Identity {
  const { api, users, people, now } = deps;
  /** Until when the service is not asked for an address again, oldest first. */
  const unknownUntil = new Map<string, number>();

  return {
    async actorOf(personId, { fresh, call: given }) {
      return actorFor(personId, await personOf(personId, fresh), { fresh, call: given ?? { personId } });
    },
    async actorsNow(personIds, call) {
      const found = await Promise.all(personIds.map(async (personId) => ({ personId, person: await personOf(personId, true) })));
      return Promise.all(found.map(({ personId, person }) => actorFor(personId, person, { fresh: true, call })));
    },
  };

  async function actorFor(personId: string, person: Person | undefined, { fresh, call }: { fresh: boolean; call: CallOptions }): Promise<Actor> {
    if (person === undefined) return { personId, isOwner: true, user: undefined, nobody: undefined };
    const nobody = (reason: Nobody): Actor => ({ personId, isOwner: false, user: undefined, nobody: reason });
    if (person.outsider) return nobody(person.outsider);
    const { emailAddress } = person;
    if (emailAddress === undefined) return nobody('no e-mail address');

    const listed = matchUser((await users.names(call)).named(emailAddress), emailAddress);
    if (listed === 'several') return nobody('several quiz users');
    const user = listed === undefined ? await newcomer(emailAddress, call) : fresh ? await reread(listed, call) : listed;
    return user && hasAddress(user, emailAddress) ? { personId, isOwner: false, user, nobody: undefined, timeZone: person.timeZone } : nobody('no quiz user');
  }

  /** @returns undefined for an owner, whom the platform is not asked about */
  async function personOf(personId: string, fresh: boolean): Promise<Person | undefined> {
    if (deps.owners.includes(personId)) return undefined;
    const key = `${deps.teamId() ?? ''}:${personId}`;
    // The cache may fail, on a full disk for example: people can go on all the same.
    const known = fresh ? undefined : await people.get(key).catch(() => undefined);
    if (known) return known;
    const person = await deps.lookUpPerson(personId);
    await people.set(key, person, personTtlMs).catch(() => {});
    return person;
  }

  /** A user who was created after the list was loaded. */
  async function newcomer(emailAddress: string, call?: CallOptions): Promise<User | undefined> {
    const address = emailAddress.toLowerCase();
    if ((unknownUntil.get(address) ?? 0) > now()) return undefined;
    const userId = await api.users.find(emailAddress, call);
    const user = userId === null ? undefined : await userOrNone(userId, call);
    if (user) users.put(user);
    if (!user || !hasAddress(user, emailAddress)) rememberUnknown(address);
    return user;
  }

  function rememberUnknown(address: string): void {
    unknownUntil.delete(address);
    unknownUntil.set(address, now() + unknownForMs);
    const [oldest] = unknownUntil.keys();
    if (unknownUntil.size > unknownAtMost && oldest !== undefined) unknownUntil.delete(oldest);
  }

  async function reread(listed: User, call?: CallOptions): Promise<User | undefined> {
    const user = await userOrNone(listed.user_id, call);
    if (user) users.put(user);
    else users.remove(listed);
    return user;
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

/** Only user name and e-mail address count: users choose their own first and last names, which may look like an address. */
function matchUser(users: readonly User[], emailAddress: string): User | 'several' | undefined {
  const matching = users.filter((user) => hasAddress(user, emailAddress));
  const byName = matching.find((user) => isSameAddress(user.user_name, emailAddress));
  return byName ?? (matching.length > 1 ? 'several' : matching[0]);
}

function hasAddress(user: User, emailAddress: string): boolean {
  return isSameAddress(user.user_name, emailAddress) || isSameAddress(user.email_address, emailAddress);
}
