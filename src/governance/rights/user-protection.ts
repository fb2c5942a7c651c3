import type { OneAtATime } from '../../storage/leases.ts';
import { hasAddress, isSamePerson, type Actor, type Identity } from '../../directory/identity.ts';
import { namedUser } from '../../directory/names.ts';
import { InvigilatorError } from '../../domain/errors.ts';
import type { Operation, UserChange } from '../../operations/operation.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import { rightFlags, type User } from '../../quiz-api/records.ts';
import type { OperationInput } from '../perform/meaning.ts';
import { say } from '../../domain/said.ts';
import { createHash } from 'node:crypto';
import type { Keyv } from 'keyv';
import { foldAddress } from '../../domain/address.ts';

export type CallsOfTurn = Pick<CallOptions, 'beforeChange'>;

/** Other changes of users kept this one waiting for too long. */
export class UsersBusyError extends InvigilatorError {
  readonly code = 'users_busy';

  constructor() {
    super('other changes of users are being made');
  }
}

/**
 * Whether it decides who can sign in, as whom, and with which rights. Then the users it names, and the people who have it
 * done, are read from the service right before, also in the background.
 */
export function concernsRights(operation: Operation, input: OperationInput): boolean {
  const change = operation.onUser?.(input);
  return change !== undefined && (change.user !== null || givesRights(change));
}

export type UserProtection = ReturnType<typeof createUserProtection>;

/** Keeps an administrator in the account, whatever people do at the same time. */
export function createUserProtection(deps: {
  api: QuizApi;
  identity: Identity;
  owners: readonly string[];
  oneAtATime: OneAtATime;
}) {
  const { api, identity, owners } = deps;

  /** Whether an administrator who can give rights is left besides the user. */
  async function isOtherLeft(target: User, actor: Actor, call: CallOptions): Promise<boolean> {
    const isOther = (user: User | undefined): user is User =>
      user !== undefined && !user.suspended && user.user_id !== target.user_id;
    if (isOther(actor.user) && (actor.isOwner || canGiveRights(actor.user))) return true;
    // Not the directory’s list: a load of it that is in progress can be older than this turn.
    const users = await api.users.list(call);
    if (users.some((user) => isOther(user) && canGiveRights(user))) return true;
    const known = await Promise.all(owners.map((personId) => identity.actorOf(personId, { fresh: false, call })));
    return known.some(({ user }) => isOther(users.find(({ user_id }) => user_id === user?.user_id)));
  }

  return {
    /**
     * Runs work that may create a user or take rights from one, while no other such work runs in the workspace. What the work
     * reads about users stays true until it changes them, as far as the bot changes them. Other operations run at once.
     *
     * @param work makes its calls with these options: they send no change once the turn is lost, which throws {@link UsersBusyError}
     * @throws {UsersBusyError} after 10 seconds of waiting
     */
    async inTurn<Value>(operation: Operation, teamId: string, work: (turn: CallsOfTurn) => Promise<Value>) {
      if (!operation.takesTurn) return work({});
      const turn = await deps.oneAtATime.inTurn(`users:${teamId}`, async ({ isHeld }) =>
        work({
          beforeChange() {
            if (!isHeld()) throw new UsersBusyError();
          },
        }),
      );
      if (turn.isBusy) throw new UsersBusyError();
      return turn.value;
    },

    /** Whether an active administrator who can give rights, or an owner, is there besides the person. Asks the service. */
    async isOtherAdministrator(person: Actor, call: CallOptions): Promise<boolean> {
      const known = await Promise.all(
        owners
          .filter((personId) => personId !== person.personId)
          .map((personId) => identity.actorOf(personId, { fresh: false, call })),
      );
      if (known.some((owner) => !isSamePerson(owner, person))) return true;
      const users = await api.users.list(call);
      return users.some((user) => !user.suspended && canGiveRights(user) && user.user_id !== person.user?.user_id);
    },

    /**
     * Why the operation must not run because no administrator would be left; undefined where it may. Asks the
     * service only if the actor cannot be the administrator who is left.
     *
     * @param actor read from the service in the same turn
     */
    async refusal(operation: Operation, input: OperationInput, actor: Actor, call: CallOptions) {
      const change = operation.onUser?.(input);
      const target = change?.user;
      if (!target || !losesAdministrator(target, change) || (await isOtherLeft(target, actor, call))) return undefined;
      return say`${namedUser(target)} is the last active administrator who can manage users, so nobody can suspend or delete them, remove their rights or change an address of theirs: the bot recognizes them by it. Make someone else an administrator first.`;
    },
  };
}

/** The user who loses rights, or the way in; undefined where nobody does. */
export function userLosingRights({ user, to }: UserChange = nothing): User | undefined {
  if (!user) return undefined;
  if (to === 'deleted' || to.suspended) return user;
  const isLower =
    to.user_type !== undefined && typesUpwards.indexOf(to.user_type) < typesUpwards.indexOf(user.user_type);
  return isLower || rightFlags.some((flag) => user[flag] && to[flag] === false) ? user : undefined;
}

/** Whether somebody gains rights, or gets the way in to theirs. Another address of a user with rights makes them another person. */
function givesRights(change: UserChange): boolean {
  const { user, to } = change;
  if (to === 'deleted') return false;
  const isRaised = to.user_type !== undefined && ![user?.user_type, 'respondent'].includes(to.user_type);
  const isWayIn = to.suspended === false || addressesIn(change).length > 0;
  return (
    isRaised ||
    rightFlags.some((flag) => to[flag] && !user?.[flag]) ||
    (user !== null && user.user_type !== 'respondent' && isWayIn)
  );
}

/** The addresses that a user is given. */
function addressesIn({ to }: UserChange): string[] {
  return to === 'deleted' ? [] : [to.user_name ?? '', to.email_address ?? ''].filter((text) => text !== '');
}

/**
 * Whether the user would no longer have the address that the platform tells of the person, by which alone the bot recognizes
 * them. Where it tells none, any address that goes counts.
 */
export function losesAddress({ user, to }: UserChange, emailAddress: string | undefined): boolean {
  if (!user || to === 'deleted') return false;
  const { user_name = user.user_name, email_address = user.email_address } = to;
  const after = { ...user, user_name, email_address };
  const needed = emailAddress === undefined ? [user.user_name, user.email_address] : [emailAddress];
  return needed.some((address) => address !== '' && hasAddress(user, address) && !hasAddress(after, address));
}

/** Whether the account, or the bot, would have one administrator less who can manage users. */
function losesAdministrator({ suspended, user_type }: User, change: UserChange): boolean {
  const { to } = change;
  if (suspended || user_type !== 'administrator') return false;
  if (to === 'deleted' || to.suspended || losesAddress(change, undefined)) return true;
  return (to.user_type !== undefined && to.user_type !== 'administrator') || to.manage_users === false;
}

function canGiveRights({ user_type, manage_users }: User): boolean {
  return user_type === 'administrator' && manage_users;
}

const typesUpwards: readonly string[] = ['respondent', 'trainer', 'administrator'];
const nothing: UserChange = { user: null, to: {} };

/** Who gave rights to a user, or made a user of staff known by another address. */
export interface RightsGiver {
  personId: string;
  /** What the giver’s own user is kept by; none of an owner without one. */
  keys: readonly string[];
}

export type GainedRights = ReturnType<typeof createGainedRights>;

const keptForMs = 30 * 24 * 60 * 60_000;
/** Of a user, and steps from one to the next. */
const [giversAtMost, stepsAtMost] = [20, 10];

/**
 * Knows through whom users have their rights. A second mailbox of a requester must not decide on what they ask for.
 *
 * @param deps.store by workspace, and ID of a user or hash of an address
 */
export function createGainedRights({ store }: { store: Pick<Keyv<RightsGiver[]>, 'get' | 'set'> }) {
  async function giversOf(teamId: string, keys: readonly string[]): Promise<RightsGiver[]> {
    const found = await Promise.all(keys.map((key) => store.get(`${teamId}:${key}`)));
    return found.flatMap((givers) => givers ?? []);
  }

  async function isReached(teamId: string, keys: readonly string[], giver: Actor): Promise<boolean> {
    let next = [...keys];
    const seen = new Set<string>();
    for (let step = 0; step < stepsAtMost && next.length > 0; step += 1) {
      for (const key of next) seen.add(key);
      const givers = await giversOf(teamId, next);
      if (givers.some((one) => isGiver(giver, one))) return true;
      next = givers.flatMap((one) => one.keys.filter((key) => !seen.has(key)));
    }
    return false;
  }

  return {
    /** Keeps who gives rights, where the operation gives any. Called right before it runs. */
    async note(teamId: string, operation: Operation, input: OperationInput, { personId, user }: Actor): Promise<void> {
      for (const key of keysOfGain(operation.onUser?.(input))) {
        const known = (await store.get(`${teamId}:${key}`)) ?? [];
        const giver = { personId, keys: user ? keysOf(user) : [] };
        const others = known.filter((other) => other.personId !== personId);
        await store.set(`${teamId}:${key}`, [...others, giver].slice(-giversAtMost), keptForMs);
      }
    },
    /** Whether a person has rights through another one, directly or through people in between. Never for owners. */
    async isThrough(teamId: string, person: Actor, giver: Actor): Promise<boolean> {
      if (person.isOwner || person.user === undefined || isSamePerson(person, giver)) return false;
      return isReached(teamId, keysOf(person.user), giver);
    },
  };
}

function isGiver({ personId, user }: Actor, giver: RightsGiver): boolean {
  return personId === giver.personId || (user !== undefined && giver.keys.includes(user.user_id));
}

function keysOf({ user_id, user_name, email_address }: User): string[] {
  return [user_id, ...[user_name, email_address].filter((text) => text !== '').map(keyOfAddress)];
}

/** A new user has no ID yet. */
function keyOfAddress(address: string): string {
  return createHash('sha256').update(foldAddress(address)).digest('hex');
}

/** By what the user will be known who gains rights; nothing where nobody does. */
function keysOfGain(change: UserChange | undefined): string[] {
  if (change === undefined || !givesRights(change)) return [];
  return change.user === null ? addressesIn(change).map(keyOfAddress) : [change.user.user_id];
}
