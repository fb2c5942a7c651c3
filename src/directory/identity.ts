import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import { foldAddress, isSameAddress } from '../domain/address.ts';
import { PlatformError } from '../domain/errors.ts';
import type { RightsLimits } from '../domain/rights-limits.ts';
import type { PersonRank } from '../quiz-api/budget/request-budget.ts';
import { failedWith, QuizApiError, unlessGone } from '../quiz-api/errors.ts';
import type { User } from '../quiz-api/records.ts';
import type { NamedList } from './directory.ts';

/** A person, as the platform describes them. */
export interface Person {
  /** As the platform shows it; undefined where it does not tell. */
  name?: string | undefined;
  /** Undefined where the platform withholds it, and where the person has not confirmed it. */
  emailAddress: string | undefined;
  /** Whether the platform has an address that the person has not confirmed. */
  isUnconfirmed?: boolean | undefined;
  /** Why the person is no member of the workspace’s staff; undefined for members. */
  outsider: 'guest' | 'stranger' | 'bot' | 'deactivated' | undefined;
  /** As they set it on the platform. */
  timeZone?: string | undefined;
}

/** Why a person has no user in the quiz account. */
export type Nobody =
  | NonNullable<Person['outsider']>
  | 'no e-mail address'
  | 'unconfirmed e-mail address'
  | 'no quiz user'
  | 'several quiz users';

/** The person behind an id of the platform, as the quiz account knows them. */
export interface Actor {
  personId: string;
  /** Named in OWNERS: an administrator in any case, with or without a quiz user. */
  isOwner: boolean;
  /** As the platform shows it; undefined for people with a user, and where the platform does not tell. */
  name?: string | undefined;
  user: User | undefined;
  /** Undefined for owners. */
  nobody: Nobody | undefined;
  /** The person’s e-mail address on the platform; undefined where it was not asked or does not tell. */
  emailAddress?: string | undefined;
  /** As they set it on the platform; undefined where it was not asked or does not tell. */
  timeZone?: string | undefined;
  /** What the operator takes from everyone. */
  limits?: RightsLimits;
}

export type Identity = ReturnType<typeof createIdentity>;

interface UserLookUp {
  fresh: boolean;
  isListed: boolean;
  call: CallOptions;
}

/** A person whom the account does not know costs one request in this time, however often they come. */
const unknownForMs = 5 * 60_000;
const unknownAtMost = 10_000;

export function createIdentity(deps: {
  api: QuizApi;
  users: Pick<NamedList<User>, 'names' | 'read' | 'isOld'>;
  /** The people of the platform. What it said of one is some minutes old at most. */
  people: {
    of(personId: string, options: { maxAgeMs?: number | undefined }): Promise<Person>;
    /**
     * Asks the platform about many people with few calls, where most of them are not known yet, so that `actorOf` need not ask
     * about each. Never throws.
     */
    learn(personIds: readonly string[]): Promise<void>;
  };
  owners: readonly string[];
  /** None unless given. */
  limits?: RightsLimits;
  now: () => number;
  /** Called with what a person may do, as far as it decides how many requests they can use. */
  onRank?: (personId: string, rank: PersonRank) => void;
}) {
  const { api, users, people, now } = deps;
  /** Until when the service is not asked for an address again, oldest first. */
  const unknownUntil = new Map<string, number>();

  return {
    /**
     * Finds the quiz user with the person’s e-mail address. Of several, the user with the highest type has it, then the
     * user with the most flags, suspended or not: a new namesake with fewer rights changes nothing. Among equals, the user
     * whose `user_name` it is; among respondents, then the one who was created first, so that sharing takes it from nobody.
     *
     * An owner stays one without an answer of the platform or the service, unless `fresh`: who they are in the account
     * decides what they may not do.
     *
     * @param options.fresh asks the platform and reads the user from the service; otherwise both may be minutes old: where
     * nobody has used the bot for longer, the user is read by themselves while the list is read anew. Only where the service is
     * away does what is known count, however old
     * @param options.personMaxAgeMs how old what the platform said may be
     * @param options.isListed looks for the user in the list alone, so that many people cost no requests to the service.
     * Background work does so where it knows the user
     * @param options.call without it, the requests count towards the share of the person
     * @throws QuizApiError if the service is needed and cannot be asked, PlatformError if the platform cannot
     */
    async actorOf(
      personId: string,
      options: { fresh: boolean; isListed?: boolean; call?: CallOptions; personMaxAgeMs?: number | undefined },
    ): Promise<Actor> {
      const { fresh, isListed = false, call = { personId }, personMaxAgeMs } = options;
      const lookUp = async () =>
        actorFor(personId, await people.of(personId, { maxAgeMs: fresh ? 0 : personMaxAgeMs }), {
          fresh,
          isListed,
          call,
        });
      if (fresh || !isOwner(personId)) return lookUp();
      return lookUp().catch((error: unknown) => {
        if (error instanceof PlatformError || error instanceof QuizApiError)
          return withLimits({ personId, isOwner: true, user: undefined, nobody: undefined });
        throw error;
      });
    },
    /** The quiz user whom the bot takes for a person with this address, from the directory. Throws like `actorOf`. */
    async userWithAddress(emailAddress: string, call: CallOptions): Promise<User | undefined> {
      const listed = matchUser((await users.names(call)).named(emailAddress), emailAddress);
      return listed === 'several' ? undefined : listed;
    },
    learn: people.learn,
    /**
     * Finds people right before a change. The platform, which may take seconds, is asked about all of them before the service
     * is asked about the first. Throws like `actorOf`.
     */
    async actorsNow(personIds: readonly string[], call: CallOptions): Promise<Actor[]> {
      const found = await Promise.all(
        personIds.map(async (personId) => ({ personId, person: await people.of(personId, { maxAgeMs: 0 }) })),
      );
      return Promise.all(
        found.map(({ personId, person }) => actorFor(personId, person, { fresh: true, isListed: false, call })),
      );
    },
  };

  function isOwner(personId: string): boolean {
    return deps.owners.includes(personId);
  }

  async function actorFor(personId: string, person: Person, options: UserLookUp): Promise<Actor> {
    const actor = await userFor(personId, person, options);
    deps.onRank?.(personId, isOwner(personId) ? 'administrator' : rankFor(actor));
    return withLimits(isOwner(personId) ? { ...actor, isOwner: true, nobody: undefined } : actor);
  }

  function withLimits(actor: Actor): Actor {
    return deps.limits === undefined || deps.limits.size === 0 ? actor : { ...actor, limits: deps.limits };
  }

  async function userFor(
    personId: string,
    { name, emailAddress, isUnconfirmed, outsider, timeZone }: Person,
    { fresh, isListed, call }: UserLookUp,
  ): Promise<Actor> {
    const nobody = (reason: Nobody): Actor => ({
      personId,
      isOwner: false,
      user: undefined,
      nobody: reason,
      emailAddress,
      ...(name !== undefined && { name }),
    });
    if (outsider) return nobody(outsider);
    if (emailAddress === undefined) return nobody(isUnconfirmed ? 'unconfirmed e-mail address' : 'no e-mail address');

    const listed = matchUser((await users.names(call)).named(emailAddress), emailAddress);
    if (listed === 'several') return nobody('several quiz users');
    const user = await (listed === undefined
      ? isListed
        ? undefined
        : newcomer(emailAddress, call)
      : fresh
        ? readUser(listed.user_id, call)
        : isListed || call.priority === 'background'
          ? listed
          : recentUser(listed, call));
    return user && hasAddress(user, emailAddress)
      ? { personId, isOwner: false, user, nobody: undefined, emailAddress, timeZone }
      : nobody('no quiz user');
  }

  /** A user who was created after the list was loaded. */
  async function newcomer(emailAddress: string, call?: CallOptions): Promise<User | undefined> {
    const address = foldAddress(emailAddress);
    if ((unknownUntil.get(address) ?? 0) > now()) return undefined;
    const userId = await api.users.find(emailAddress, call);
    const user = userId === null ? undefined : await readUser(userId, call);
    if (!user || !hasAddress(user, emailAddress)) rememberUnknown(address);
    return user;
  }

  function rememberUnknown(address: string): void {
    unknownUntil.delete(address);
    unknownUntil.set(address, now() + unknownForMs);
    const [oldest] = unknownUntil.keys();
    if (unknownUntil.size > unknownAtMost && oldest !== undefined) unknownUntil.delete(oldest);
  }

  async function recentUser(listed: User, call: CallOptions): Promise<User | undefined> {
    if (!users.isOld(listed.user_id)) return listed;
    return readUser(listed.user_id, call).catch((error: unknown) => {
      if (failedWith(error, 'isAway')) return listed;
      throw error;
    });
  }

  async function readUser(userId: string, call?: CallOptions): Promise<User | undefined> {
    return users.read(userId, () => api.users.get(userId, call).catch(unlessGone));
  }
}

/** Only user name and e-mail address count: users choose their own first and last names, which may look like an address. */
function matchUser(users: readonly User[], emailAddress: string): User | 'several' | undefined {
  const matching = users.filter((user) => hasAddress(user, emailAddress));
  const most = Math.max(...matching.map(rankOf));
  const first = matching.filter((user) => rankOf(user) === most);
  const byName = first.find((user) => isSameAddress(user.user_name, emailAddress));
  if (byName || first.length < 2) return byName ?? first[0];
  const [oldest, next] = first.toSorted((a, b) => (createdAt(a) < createdAt(b) ? -1 : 1));
  return most === 0 && oldest && next && createdAt(oldest) < createdAt(next) ? oldest : 'several';
}

/** As text, which has the order of time; behind all others where the service does not tell. */
const createdAt = ({ date_created }: User): string => date_created ?? '~';

const typesUpwards = ['trainer', 'administrator'];

function rankFor({ user }: Actor): PersonRank {
  if (user === undefined || user.suspended) return 'respondent';
  return user.user_type === 'administrator' || user.user_type === 'trainer' ? user.user_type : 'respondent';
}

/** By type, then by number of flags. Suspended users rank with the others, so that nobody gets past a suspension with a second user. */
function rankOf({ user_type, edit_quizzes, manage_users, manage_groups }: User): number {
  const type = typesUpwards.indexOf(user_type) + 1;
  return type === 0 ? 0 : 10 * type + Number(edit_quizzes) + Number(manage_users) + Number(manage_groups);
}

/** Whether the address is the user name or the e-mail address of the user. */
export function hasAddress(user: User, emailAddress: string): boolean {
  return isSameAddress(user.user_name, emailAddress) || isSameAddress(user.email_address, emailAddress);
}

/** Whether two people are one: on the platform, in the quiz account, or by an address of the platform that is the other’s quiz user. */
export function isSamePerson(a: Actor, b: Actor): boolean {
  const reaches = ({ emailAddress }: Actor, user: User | undefined) =>
    user !== undefined && emailAddress !== undefined && hasAddress(user, emailAddress);
  const isSameUser = a.user !== undefined && a.user.user_id === b.user?.user_id;
  const haveSameAddress =
    a.emailAddress !== undefined && b.emailAddress !== undefined && isSameAddress(a.emailAddress, b.emailAddress);
  return a.personId === b.personId || isSameUser || haveSameAddress || reaches(a, b.user) || reaches(b, a.user);
}
