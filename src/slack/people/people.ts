import type { WebClient } from '@slack/web-api';
import type { NamedList } from '../../directory/directory.ts';
import type { Person } from '../../directory/identity.ts';
import { PlatformError } from '../../domain/errors.ts';
import { rightsOf } from '../../governance/rights/rights.ts';
import type { Right } from '../../operations/context.ts';
import type { User } from '../../quiz-api/users.ts';
import type { BotIdentity } from '../connection/connection.ts';
import { callSlack } from '../errors.ts';

/** Takes what Slack says of people whom the bot asks about, for other uses. Never throws. */
export type NoteUsers = (users: readonly SlackUser[]) => Promise<void>;

export type OwnWorkspace = Pick<BotIdentity, 'teamId' | 'enterpriseId'>;

/**
 * Looks a person up in Slack. Only people of the bot's own workspace, or of its Enterprise organization, are no strangers, and
 * an address that its owner has not confirmed is none: anybody can enter somebody else's.
 * https://docs.slack.dev/reference/objects/user-object
 *
 * @param note is called with what Slack says
 * @throws {PlatformError}
 */
export async function lookUpPerson(
  client: WebClient,
  personId: string,
  own: () => Promise<OwnWorkspace>,
  note?: NoteUsers,
): Promise<Person> {
  const [user, workspace] = await Promise.all([infoOf(client, personId), own()]);
  if (user !== undefined) await note?.([user]);
  return user === undefined ? { emailAddress: undefined, outsider: 'stranger' } : personIn(user, workspace);
}

export type SlackUser = NonNullable<Awaited<ReturnType<WebClient['users']['info']>>['user']>;

/** What the bot keeps of a user object. */
export function personIn(user: SlackUser, { teamId, enterpriseId }: OwnWorkspace): Person {
  const isColleague = enterpriseId !== undefined && user.enterprise_user?.enterprise_id === enterpriseId;
  const isElsewhere = user.team_id !== teamId && !isColleague;
  const isUnconfirmed = user.is_email_confirmed === false;
  return {
    emailAddress: isUnconfirmed ? undefined : user.profile?.email,
    ...(isUnconfirmed && { isUnconfirmed }),
    name: user.profile?.real_name ?? user.real_name ?? user.name,
    timeZone: user.tz,
    outsider: user.deleted
      ? 'deactivated'
      : user.is_bot
        ? 'bot'
        : user.is_restricted || user.is_ultra_restricted
          ? 'guest'
          : user.is_stranger || isElsewhere
            ? 'stranger'
            : undefined,
  };
}

/** @returns undefined for a person whom Slack does not know here, or not any more */
export async function infoOf(client: WebClient, personId: string): Promise<SlackUser | undefined> {
  try {
    return (await callSlack(async () => client.users.info({ user: personId, include_locale: true }))).user;
  } catch (error) {
    // https://docs.slack.dev/reference/methods/users.info#errors
    if (error instanceof PlatformError && (error.code === 'user_not_found' || error.code === 'user_not_visible'))
      return undefined;
    throw error;
  }
}

const pageSize = 200;
/** Slack lists workspaces of any size; a larger one has its people asked for one by one. */
const pagesAtMost = 20;

/**
 * Finds these people in the list of the workspace’s people. Slack allows 20 pages a minute.
 *
 * @throws {PlatformError}
 */
export async function listedUsers(client: WebClient, wanted: ReadonlySet<string>): Promise<Map<string, SlackUser>> {
  const found = new Map<string, SlackUser>();
  let cursor: string | undefined;
  for (let page = 0; page < pagesAtMost && found.size < wanted.size; page += 1) {
    const answer = await callSlack(async () =>
      client.users.list({ limit: pageSize, include_locale: true, ...(cursor !== undefined && { cursor }) }),
    );
    for (const user of answer.members ?? []) if (user.id !== undefined && wanted.has(user.id)) found.set(user.id, user);
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) break;
  }
  return found;
}

/** As `lookUpPerson`, of many people; those whom Slack does not list are left out. */
export async function listPeople(
  client: WebClient,
  personIds: readonly string[],
  own: () => Promise<OwnWorkspace>,
  note?: NoteUsers,
): Promise<Map<string, Person>> {
  const [users, workspace] = await Promise.all([listedUsers(client, new Set(personIds)), own()]);
  await note?.([...users.values()]);
  return new Map([...users].map(([personId, user]) => [personId, personIn(user, workspace)]));
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
