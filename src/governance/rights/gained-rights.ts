import { createHash } from 'node:crypto';
import type { Keyv } from 'keyv';
import { foldAddress } from '../../domain/address.ts';
import { isSamePerson, type Actor } from '../../directory/identity.ts';
import type { Operation, UserChange } from '../../operations/operation.ts';
import type { User } from '../../quiz-api/users.ts';
import type { OperationInput } from '../perform/meaning.ts';
import { addressesIn, givesRights } from './user-protection.ts';

/** Who gave rights to a user, or made a user of staff known by another address. */
export interface RightsGiver {
  personId: string;
  /** What the giver’s own user is kept by; none of an owner without one. */
  keys: readonly string[];
}

/** Through whom users have their rights. A second mailbox of a requester must not decide on what they ask for. */
export interface GainedRights {
  /** Keeps who gives rights, where the operation gives any. Called right before it runs. */
  note(teamId: string, operation: Operation, input: OperationInput, giver: Actor): Promise<void>;
  /** Whether a person has rights through another one, directly or through people in between. Never for owners. */
  isThrough(teamId: string, person: Actor, giver: Actor): Promise<boolean>;
}

const keptForMs = 30 * 24 * 60 * 60_000;
/** Of a user, and steps from one to the next. */
const [giversAtMost, stepsAtMost] = [20, 10];

/** @param deps.store by workspace, and ID of a user or hash of an address */
export function createGainedRights({ store }: { store: Pick<Keyv<RightsGiver[]>, 'get' | 'set'> }): GainedRights {
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
    async note(teamId, operation, input, { personId, user }) {
      for (const key of keysOfGain(operation.onUser?.(input))) {
        const known = (await store.get(`${teamId}:${key}`)) ?? [];
        const giver = { personId, keys: user ? keysOf(user) : [] };
        const others = known.filter((other) => other.personId !== personId);
        await store.set(`${teamId}:${key}`, [...others, giver].slice(-giversAtMost), keptForMs);
      }
    },
    async isThrough(teamId, person, giver) {
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
