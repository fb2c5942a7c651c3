import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Identity } from '../../directory/identity.ts';
import { foldAddress } from '../../domain/address.ts';
import type { WhoHasLeft } from '../../features/departures/departures.ts';
import type { UserStanding } from '../../features/departures/departures-state.ts';
import type { User } from '../../quiz-api/records.ts';
import { addressesOf } from './addresses.ts';
import type { Known, People } from './people.ts';

/** `other`: a guest, a bot or a stranger. `at`: in milliseconds since the epoch; undefined where Slack does not tell. */
interface Listed {
  personId: string;
  is: 'here' | 'left' | 'other';
  address: string | undefined;
  at: number | undefined;
}

const call = { priority: 'background' } as const;

/** Other work has its turn after so many users: to find out whose an address is takes up to a fifth of a millisecond. */
const usersInSlice = 100;

/**
 * Finds out which users of the account have left Slack. `users.lookupByEmail` knows no deactivated person, but `users.list` has
 * them, with `deleted`: https://docs.slack.dev/reference/methods/users.list
 *
 * Nobody has left whom Slack does not call deactivated, or whose address another colleague or another user of the account has.
 */
export function createWhoHasLeft({
  people,
  identity,
}: {
  people: Pick<People, 'of' | 'everyone'>;
  identity: Pick<Identity, 'userWithAddress'>;
}): WhoHasLeft {
  return {
    async everyone(users, known) {
      const listed: Listed[] = [];
      for await (const page of people.everyone()) listed.push(...page.map(listedAs));
      return standingsOf(users, known, listed);
    },
    async these(users, known) {
      const found: Listed[] = [];
      for (const { user_id: userId } of users) {
        const person = await people.of(known.get(userId) ?? '', { maxAgeMs: 0 });
        if (!person.isUnknown) found.push(listedAs(person));
      }
      return standingsOf(users, known, found);
    },
  };

  async function standingsOf(users: readonly User[], known: ReadonlyMap<string, string>, listed: readonly Listed[]) {
    const byId = new Map<string, Listed>();
    // An organization lists a person for each of their workspaces.
    for (const person of listed) if (byId.get(person.personId)?.is !== 'here') byId.set(person.personId, person);
    const byAddress = { here: new Map<string, Listed>(), left: new Map<string, Listed>() };
    for (const person of byId.values())
      if (person.is !== 'other' && person.address !== undefined) byAddress[person.is].set(person.address, person);
    const standings = new Map<string, UserStanding>();
    for (const [index, user] of users.entries()) {
      if (index % usersInSlice === usersInSlice - 1) await nextTurn();
      const standing = await standingOf(user, byId.get(known.get(user.user_id) ?? ''), byAddress);
      if (standing) standings.set(user.user_id, standing);
    }
    return standings;
  }

  /** @param known the person who the user was when the bot looked before, if Slack lists them */
  async function standingOf(
    user: User,
    known: Listed | undefined,
    byAddress: Readonly<Record<'here' | 'left', ReadonlyMap<string, Listed>>>,
  ): Promise<UserStanding | undefined> {
    const addresses = addressesOf(user).map(foldAddress);
    const isListed = addresses.some((address) => byAddress.here.has(address) || byAddress.left.has(address));
    if (!known && !isListed) return undefined;
    const theirs: string[] = [];
    for (const address of addresses)
      if ((await identity.userWithAddress(address, call))?.user_id === user.user_id) theirs.push(address);
    const colleague = theirs.map((address) => byAddress.here.get(address)).find((person) => person !== undefined);
    if (colleague) return { kind: 'here', personId: colleague.personId };
    if (known && known.is !== 'left') return { kind: 'nobody' };
    const gone = known ?? theirs.map((address) => byAddress.left.get(address)).find((person) => person !== undefined);
    const isClear = theirs.length > 0 && theirs.length === addresses.length;
    return gone && isClear ? { kind: 'left', personId: gone.personId, at: gone.at } : undefined;
  }
}

function listedAs({ personId, emailAddress, outsider, left }: Known): Listed {
  const isOther = (left === undefined ? outsider : left.outsider) !== undefined;
  return {
    personId,
    is: isOther ? 'other' : left === undefined ? 'here' : 'left',
    address: emailAddress === undefined ? undefined : foldAddress(emailAddress),
    at: left?.at,
  };
}
