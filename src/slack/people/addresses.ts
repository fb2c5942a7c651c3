import { failedFor } from '../../quiz-api/errors.ts';
import { createHash } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import type { NamedList } from '../../directory/directory.ts';
import type { Identity } from '../../directory/identity.ts';
import { foldAddress, isFullAddress, isSameAddress } from '../../domain/address.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { FindRecipient, IsMember } from '../../features/delivery/person-view.ts';
import { createPace } from '../../time/timers.ts';
import { rightsOf } from '../../governance/rights/rights.ts';
import type { Log } from '../../observability/log.ts';
import type { Right } from '../../operations/context.ts';
import type { Reach, ReachedPerson } from '../../operations/services/people.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { User } from '../../quiz-api/records.ts';
import { knownTimeZone } from '../../time/wall-clock.ts';
import { callSlack } from '../errors.ts';
import { knownFrom, type Known, type OwnWorkspace, type People } from './people.ts';

export interface Colleague {
  personId: string;
  /** As they set it in Slack; undefined where Slack does not tell. */
  timeZone: string | undefined;
}

/** Colleagues by workspace and e-mail address, hashed; null for addresses without a colleague. */
type KeptColleagues = Pick<Keyv<{ colleague: Colleague | null }>, 'get' | 'set'>;

/**
 * Finds the colleague with an e-mail address. In a shared channel, a person of another company can have such an address.
 *
 * @returns undefined where there is none
 * @throws {PlatformError} where Slack fails
 */
interface FindColleague {
  (emailAddress: string): Promise<Colleague | undefined>;
  /** Whether the answer is at hand, without a call of Slack. */
  knows(emailAddress: string): Promise<boolean>;
  /**
   * Finds out about many addresses at once from the list of the workspace's people. Addresses that are known already cost nothing.
   * @throws {PlatformError} where Slack fails
   */
  learn(emailAddresses: readonly string[]): Promise<void>;
}

const colleagueTtlMs = 3_600_000;
const keptAtOnce = 200;

export function createFindColleague(deps: {
  client: WebClient;
  colleagues: KeptColleagues;
  teamId: () => string | undefined;
  own: () => Promise<OwnWorkspace>;
  people: Pick<People, 'everyone' | 'note'>;
}): FindColleague {
  const { client, colleagues } = deps;
  // Hashed, since the bot keeps no address of a respondent.
  const keyOf = (address: string) =>
    `${deps.teamId() ?? ''}:${createHash('sha256').update(foldAddress(address)).digest('base64url')}`;
  const knows = async (address: string) => (await colleagues.get(keyOf(address))) !== undefined;
  const keep = async (address: string, colleague: Colleague | null) =>
    colleagues.set(keyOf(address), { colleague }, colleagueTtlMs);
  let reading: Promise<void> = Promise.resolve();

  async function find(address: string): Promise<Colleague | undefined> {
    const known = await colleagues.get(keyOf(address));
    if (known !== undefined) return known.colleague ?? undefined;
    const found = await lookUp(address);
    await keep(address, found ?? null);
    return found;
  }

  async function lookUp(email: string): Promise<Colleague | undefined> {
    try {
      const { user } = await callSlack(async () => client.users.lookupByEmail({ email }));
      if (user?.id === undefined) return undefined;
      const known = knownFrom(user, await deps.own());
      return isColleague(known) && isSameAddress(known.emailAddress, email) ? colleagueIn(known) : undefined;
    } catch (error) {
      // https://docs.slack.dev/reference/methods/users.lookupByEmail#errors
      if (error instanceof PlatformError && error.code === 'users_not_found') return undefined;
      throw error;
    }
  }

  async function learn(addresses: readonly string[]): Promise<void> {
    // The list that is being read may answer everything.
    const earlier = reading;
    const own = (async () => {
      await earlier.catch(() => {});
      const unknown = new Map<string, string>();
      for (const address of addresses) if (!(await knows(address))) unknown.set(foldAddress(address), address);
      if (unknown.size > 0) await readList(unknown);
    })();
    reading = own;
    return own;
  }

  /** @param unknown addresses by themselves without their case */
  async function readList(unknown: Map<string, string>): Promise<void> {
    for await (const page of deps.people.everyone()) {
      const found = page.flatMap((known): [string, Known][] => {
        const address = isColleague(known) ? unknown.get(foldAddress(known.emailAddress)) : undefined;
        if (address === undefined) return [];
        unknown.delete(foldAddress(address));
        return [[address, known]];
      });
      await keepAll(found.map(([address, known]) => [address, colleagueIn(known)]));
      await deps.people.note(found.map(([, known]) => known));
    }
    await keepAll([...unknown.values()].map((address) => [address, null]));
  }

  /** Some at a time: together they cost the store as much as one. */
  async function keepAll(found: readonly (readonly [string, Colleague | null])[]): Promise<void> {
    for (let from = 0; from < found.length; from += keptAtOnce)
      await Promise.all(found.slice(from, from + keptAtOnce).map(([address, colleague]) => keep(address, colleague)));
  }

  return Object.assign(find, { knows, learn });
}

function isColleague(known: Known): known is Known & { emailAddress: string } {
  return known.outsider === undefined && known.emailAddress !== undefined;
}

function colleagueIn({ personId, timeZone }: Known): Colleague {
  return { personId, timeZone };
}

/** Below the 50 a minute of `users.lookupByEmail`: https://docs.slack.dev/apis/web-api/rate-limits */
const lookupPace = { everyMs: 1_500, burst: 10 };
/** With a longer queue for lookups, the list of the workspace's people answers sooner. */
const longestQueueMs = 15_000;
const looksAgainAfterMs = 2_000;
/** After the list could not be read, people are looked up one by one. */
const listRestsMs = 10 * 60_000;

/**
 * Finds the person in Slack who is a user of the quiz account: a colleague with an address of the user whom the bot takes
 * for that user, too. So a result never goes to somebody who merely shares an address.
 */
export function createFindRecipient(deps: {
  users: Pick<NamedList<User>, 'names' | 'read' | 'get'>;
  api: Pick<QuizApi['users'], 'get'>;
  identity: Pick<Identity, 'userWithAddress'>;
  findColleague: FindColleague;
  /** The zone of people whose zone Slack does not tell. */
  timeZone: string;
  log: Log;
  now: () => number;
}): FindRecipient {
  const { findColleague, now } = deps;
  const pace = createPace({ ...lookupPace, now });
  const call = { priority: 'background' } as const;
  let isLearning = false;
  let listRestsUntil = -Infinity;

  return async (userId) => {
    const user = (await deps.users.names(call)).byId(userId) ?? (await userNow(userId));
    if (user === undefined) return { kind: 'nobody', reason: 'no_user' };
    if (user.suspended) return { kind: 'nobody', reason: 'suspended' };
    for (const address of addressesOf(user)) {
      const at = (await findColleague.knows(address)) ? undefined : lookupTurn(address);
      if (at !== undefined) return { kind: 'later', at };
      const colleague = await findColleague(address);
      if (colleague === undefined) continue;
      const theirs = await deps.identity.userWithAddress(address, call);
      if (theirs === undefined && (await userNow(userId)) === undefined) return { kind: 'nobody', reason: 'no_user' };
      if (theirs?.user_id !== userId) return { kind: 'nobody', reason: 'another_user' };
      return {
        kind: 'found',
        personId: colleague.personId,
        timeZone: knownTimeZone(colleague.timeZone) ?? deps.timeZone,
      };
    }
    return { kind: 'nobody', reason: 'no_person' };
  };

  /** @returns when to ask again; undefined: the address may be looked up now */
  function lookupTurn(address: string): number | undefined {
    const isCrowd = isLearning || pace.nextAt() > now() + longestQueueMs;
    if (!isCrowd || now() < listRestsUntil) return pace.turn(address);
    if (!isLearning) learnAll().catch(() => {});
    return now() + looksAgainAfterMs;
  }

  async function learnAll(): Promise<void> {
    isLearning = true;
    try {
      const users = await deps.users.get(call);
      await findColleague.learn(users.flatMap(addressesOf));
    } catch (error) {
      listRestsUntil = now() + listRestsMs;
      deps.log.warn({ error }, 'the list of people in Slack could not be read; they are looked up one by one');
    } finally {
      isLearning = false;
    }
  }

  /** The list can be older than a user, and can still have one who is deleted. */
  async function userNow(userId: string): Promise<User | undefined> {
    try {
      return await deps.users.read(userId, () => deps.api.get(userId, call));
    } catch (error) {
      if (failedFor(error, 'gone')) return undefined;
      throw error;
    }
  }
}

/** The addresses by which a user is looked for in Slack. */
export function addressesOf({ user_name, email_address }: Pick<User, 'user_name' | 'email_address'>): string[] {
  return [...new Set([user_name, email_address])].filter(isFullAddress);
}

/** Reads the list of users again where it is older than the question; people who are asked about together share a request. */
export function createIsMember({ users, now }: { users: Pick<NamedList<User>, 'fresh'>; now: () => number }): IsMember {
  return async (userId, groupId, since) => {
    const listed = await users.fresh({ priority: 'background' }, now() - since);
    return listed.some(
      ({ user_id, groups }) => user_id === userId && groups.some(({ group_id }) => group_id === groupId),
    );
  };
}

/** With more unknown addresses, the list of the workspace's people costs fewer calls than a lookup of each. */
const lookedUpAtMost = 20;

/**
 * Finds the people in Slack who are users of the account, by the addresses of the users.
 *
 * @param deps.timeZone of people whose zone Slack does not tell
 */
export function createReach(deps: {
  findColleague: FindColleague;
  identity: Pick<Identity, 'userWithAddress'>;
  timeZone: string;
}): Reach {
  const { findColleague, identity } = deps;

  return async (users, { call }) => {
    const unknown: string[] = [];
    for (const address of users.flatMap(addressesOf)) if (!(await findColleague.knows(address))) unknown.push(address);
    if (unknown.length > lookedUpAtMost) await findColleague.learn(unknown);
    const reached = new Map<string, ReachedPerson>();
    for (const user of users) {
      const person = await reachedAs(user, call);
      if (person) reached.set(user.user_id, person);
    }
    return reached;
  };

  /** The first colleague with an address of the user counts; where it is another user's, the user has no person. */
  async function reachedAs(user: User, call: CallOptions): Promise<ReachedPerson | undefined> {
    for (const address of addressesOf(user)) {
      const colleague = await findColleague(address);
      if (colleague === undefined) continue;
      const theirs = await identity.userWithAddress(address, call);
      return theirs?.user_id === user.user_id
        ? { personId: colleague.personId, timeZone: knownTimeZone(colleague.timeZone) ?? deps.timeZone }
        : undefined;
    }
    return undefined;
  }
}

/**
 * Finds people in Slack: given a right, with that right too.
 *
 * @throws {PlatformError} where Slack fails
 */
export type FindAdministrators = (right?: Right) => Promise<string[]>;

/**
 * Finds the administrators of the quiz account: the owners, and every colleague with the address of an administrator who
 * has an identity there.
 */
export function createFindAdministrators(deps: {
  users: Pick<NamedList<User>, 'get'>;
  owners: readonly string[];
  findColleague: (emailAddress: string) => Promise<{ personId: string } | undefined>;
}): FindAdministrators {
  const { users, owners } = deps;

  return async (right = 'administrator') => {
    const isMeant = (user: User) =>
      user.user_type === 'administrator' &&
      rightsOf({ personId: '', isOwner: false, user, nobody: undefined }).has(right);
    const administrators = (await users.get({ priority: 'background' })).filter(isMeant);
    const found = await Promise.all(administrators.map(personIdOf));
    return [...new Set([...owners, ...found.filter((personId) => personId !== undefined)])];
  };

  async function personIdOf({ user_name, email_address }: User): Promise<string | undefined> {
    const address = user_name.includes('@') ? user_name : email_address;
    return address === '' ? undefined : (await deps.findColleague(address))?.personId;
  }
}
