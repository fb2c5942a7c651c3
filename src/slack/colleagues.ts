import { createHash } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import { createPace } from '../alerts/direct-messages/pace.ts';
import type { Person } from '../directory/identity.ts';
import { foldAddress, isSameAddress } from '../domain/address.ts';
import { PlatformError } from '../domain/errors.ts';
import { callSlack } from './errors.ts';
import { personIn, type OwnWorkspace } from './people.ts';

/** Ids of people by workspace and e-mail address, hashed; empty for addresses without a colleague. */
export type PersonIds = Pick<Keyv<string>, 'get' | 'set'>;

/**
 * Finds the colleague with an e-mail address. In a shared channel, a person of another company can have such an address.
 *
 * @returns the person's id; undefined where there is none
 * @throws {PlatformError} where Slack fails
 */
export interface FindColleague {
  (emailAddress: string): Promise<string | undefined>;
  /** Whether the answer is at hand, without a call of Slack. */
  knows(emailAddress: string): Promise<boolean>;
  /**
   * Finds out about many addresses at once from the list of the workspace's people. Addresses that are known already cost nothing.
   * @throws {PlatformError} where Slack fails
   */
  learn(emailAddresses: readonly string[]): Promise<void>;
}

const personIdTtlMs = 3_600_000;
/** As long as `Identity` keeps a person. */
const personTtlMs = 10 * 60_000;
/** Slack recommends no more than 200: https://docs.slack.dev/reference/methods/users.list */
const pageSize = 200;
const triesAtMost = 5;
/** The 20 pages a minute of `users.list`: https://docs.slack.dev/apis/web-api/rate-limits */
const pagePace = { everyMs: 3_000, burst: 15 };

export function createFindColleague(deps: {
  client: WebClient;
  personIds: PersonIds;
  /** What `Identity` keeps of people, by workspace and person. */
  people: Pick<Keyv<Person>, 'set'>;
  teamId: () => string | undefined;
  own: () => Promise<OwnWorkspace>;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
}): FindColleague {
  const { client, personIds, sleep, now } = deps;
  const pace = createPace({ ...pagePace, now });
  const ofTeam = (key: string) => `${deps.teamId() ?? ''}:${key}`;
  // Hashed, since the bot keeps no address of a respondent.
  const keyOf = (address: string) => ofTeam(createHash('sha256').update(foldAddress(address)).digest('base64url'));
  const knows = async (address: string) => (await personIds.get(keyOf(address))) !== undefined;
  let reading: Promise<void> = Promise.resolve();

  async function find(address: string): Promise<string | undefined> {
    const known = await personIds.get(keyOf(address));
    const personId = known ?? (await lookUp(address));
    if (known === undefined) await personIds.set(keyOf(address), personId, personIdTtlMs);
    return personId === '' ? undefined : personId;
  }

  async function lookUp(email: string): Promise<string> {
    try {
      const { user } = await callSlack(async () => client.users.lookupByEmail({ email }));
      if (user?.id === undefined) return '';
      const person = personIn(user, await deps.own());
      if (!isColleague(person) || !isSameAddress(person.emailAddress, email)) return '';
      await keepPerson(user.id, person);
      return user.id;
    } catch (error) {
      // https://docs.slack.dev/reference/methods/users.lookupByEmail#errors
      if (error instanceof PlatformError && error.code === 'users_not_found') return '';
      throw error;
    }
  }

  /** Spares a call of `users.info`. */
  async function keepPerson(personId: string, person: Person): Promise<void> {
    await deps.people.set(ofTeam(personId), person, personTtlMs).catch(() => {});
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
    let cursor: string | undefined;
    do {
      const { members = [], response_metadata } = await readPage(cursor);
      for (const member of members) {
        const person = personIn(member, own);
        const address = isColleague(person) ? unknown.get(foldAddress(person.emailAddress)) : undefined;
        if (address === undefined || member.id === undefined) continue;
        unknown.delete(foldAddress(address));
        await keepPerson(member.id, person);
        await personIds.set(keyOf(address), member.id, personIdTtlMs);
      }
      cursor = response_metadata?.next_cursor || undefined;
    } while (cursor !== undefined);
    for (const address of unknown.values()) await personIds.set(keyOf(address), '', personIdTtlMs);
  }

  /** Waits for the turn of a page, and as long as Slack asks for. */
  async function readPage(cursor: string | undefined) {
    for (let tried = 1; ; tried += 1) {
      for (let at = pace.turn('page'); at !== undefined; at = pace.turn('page')) await sleep(at - now());
      try {
        return await callSlack(async () => client.users.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }));
      } catch (error) {
        if (tried === triesAtMost || !(error instanceof PlatformError) || error.kind !== 'rate_limited') throw error;
        await sleep(error.retryAfterMs ?? 0);
      }
    }
  }

  return Object.assign(find, { knows, learn });
}

function isColleague(person: Person): person is Person & { emailAddress: string } {
  return person.outsider === undefined && person.emailAddress !== undefined;
}
