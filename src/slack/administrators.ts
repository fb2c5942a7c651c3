import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import type { NamedList } from '../directory/directory.ts';
import type { User } from '../quiz-api/users.ts';
import { slackCodeOf } from './slack-code.ts';

/** Slack ids by workspace and e-mail address; empty where nobody has the address. */
export type PersonIds = Keyv<string>;

const rememberedMs = 3_600_000;

/** The people of Slack who are administrators of the quiz account: the owners, and who has an administrator's address. */
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
    const key = `${deps.teamId() ?? ''}:${address.toLowerCase()}`;
    const known = await personIds.get(key);
    if (known !== undefined) return known;
    const personId = await lookUp(address);
    await personIds.set(key, personId, rememberedMs);
    return personId;
  }

  async function lookUp(email: string): Promise<string> {
    try {
      return (await client.users.lookupByEmail({ email })).user?.id ?? '';
    } catch (error) {
      if (slackCodeOf(error) === 'users_not_found') return '';
      throw error;
    }
  }
}
