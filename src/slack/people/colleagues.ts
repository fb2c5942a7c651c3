import { createHash } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import type { Person } from '../../directory/identity.ts';
import { foldAddress, isSameAddress } from '../../domain/address.ts';
import { PlatformError } from '../../domain/errors.ts';
import { callSlack } from '../errors.ts';
import type { ListedPeople } from './listed-people.ts';
import { personIn, type NoteUsers, type OwnWorkspace } from './people.ts';

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
export interface FindColleague {
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
  listedPeople: ListedPeople;
  /** Called with those whose addresses were asked for. */
  note?: NoteUsers;
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
      const person = personIn(user, await deps.own());
      return isColleague(person) && isSameAddress(person.emailAddress, email)
        ? { personId: user.id, timeZone: person.timeZone }
        : undefined;
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
    const own = await deps.own();
    for await (const members of deps.listedPeople()) {
      const found = members.flatMap((member): [string, Colleague][] => {
        const person = personIn(member, own);
        const address = isColleague(person) ? unknown.get(foldAddress(person.emailAddress)) : undefined;
        if (address === undefined || member.id === undefined) return [];
        unknown.delete(foldAddress(address));
        return [[address, { personId: member.id, timeZone: person.timeZone }]];
      });
      await keepAll(found);
      const foundIds = new Set(found.map(([, { personId }]) => personId));
      await deps.note?.(members.filter(({ id }) => id !== undefined && foundIds.has(id)));
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

function isColleague(person: Person): person is Person & { emailAddress: string } {
  return person.outsider === undefined && person.emailAddress !== undefined;
}
