import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import type { NamedList } from '../directory/directory.ts';
import type { Person } from '../directory/identity.ts';
import { foldAddress } from '../domain/address.ts';
import { PlatformError } from '../domain/errors.ts';
import type { User } from '../quiz-api/users.ts';
import type { BotIdentity } from './connection.ts';
import { callSlack } from './errors.ts';

export type OwnWorkspace = Pick<BotIdentity, 'teamId' | 'enterpriseId'>;

/**
 * Looks a person up in Slack. Only people of the bot's own workspace, or of its Enterprise organization, are no strangers, and
 * an address that its owner has not confirmed is none: anybody can enter somebody else's.
 * https://docs.slack.dev/reference/objects/user-object
 *
 * @throws {PlatformError}
 */
export async function lookUpPerson(client: WebClient, personId: string, own: () => Promise<OwnWorkspace>): Promise<Person> {
  const [{ user }, { teamId, enterpriseId }] = await callSlack(async () => Promise.all([client.users.info({ user: personId }), own()]));
  const isColleague = enterpriseId !== undefined && user?.enterprise_user?.enterprise_id === enterpriseId;
  const isElsewhere = user?.team_id !== teamId && !isColleague;
  return {
    emailAddress: user?.is_email_confirmed === false ? undefined : user?.profile?.email,
    timeZone: user?.tz,
    outsider: user?.deleted
      ? 'deactivated'
      : user?.is_bot
        ? 'bot'
        : user?.is_restricted || user?.is_ultra_restricted
          ? 'guest'
          : user?.is_stranger || isElsewhere
            ? 'stranger'
            : undefined,
  };
}

/** Ids of people by workspace and e-mail address; empty for unknown addresses. */
export type PersonIds = Keyv<string>;

const personIdTtlMs = 3_600_000;

/**
 * Finds the people in Slack who are administrators of the quiz account: the owners, and everyone with the address of an
 * administrator. Its result throws `PlatformError` where Slack fails.
 */
export function createFindAdministrators(deps: {
  client: WebClient;
  users: Pick<NamedList<User>, 'get'>;
  owners: readonly string[];
  personIds: PersonIds;
  teamId: () => string | undefined;
}): () => Promise<string[]> {
  const { client, users, owners, personIds } = deps;

  return async () => {
    const administrators = (await users.get({ priority: 'background' })).filter((user) => user.user_type === 'administrator' && !user.suspended);
    const found = await Promise.all(administrators.map(personIdOf));
    return [...new Set([...owners, ...found.filter((personId) => personId !== '')])];
  };

  async function personIdOf({ user_name, email_address }: User): Promise<string> {
    const address = user_name.includes('@') ? user_name : email_address;
    if (address === '') return '';
    const key = `${deps.teamId() ?? ''}:${foldAddress(address)}`;
    const known = await personIds.get(key);
    if (known !== undefined) return known;
    const personId = await lookUp(address);
    await personIds.set(key, personId, personIdTtlMs);
    return personId;
  }

  async function lookUp(email: string): Promise<string> {
    try {
      const { user } = await callSlack(async () => client.users.lookupByEmail({ email }));
      return user?.id ?? '';
    } catch (error) {
      // https://docs.slack.dev/reference/methods/users.lookupByEmail#errors
      if (error instanceof PlatformError && error.code === 'users_not_found') return '';
      throw error;
    }
  }
}
