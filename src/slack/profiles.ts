import type { WebClient } from '@slack/web-api';
import type { Profile, ProfilesOf } from '../operations/context.ts';
import { callSlack } from './errors.ts';
import { infoOf, personIn, type OwnWorkspace, type SlackUser } from './people.ts';

/** More people are found in the list of all: it has 200 on a page, and Slack allows 20 pages a minute. */
const askedEachAtMost = 20;
const askedAtOnce = 4;
const pageSize = 200;
/** Slack lists workspaces of any size; a larger one has its people asked for one by one. */
const pagesAtMost = 20;

/** Reads the names and addresses of people in Slack. Names come from the profile, where people keep them in parts or as a whole. */
export function createProfilesOf({ client, own }: { client: WebClient; own: () => Promise<OwnWorkspace> }): ProfilesOf {
  return async (personIds) => {
    const workspace = await own();
    const listed = personIds.length > askedEachAtMost ? await listedUsers(new Set(personIds)) : new Map<string, SlackUser>();
    const asked = await eachOf(personIds.filter((personId) => !listed.has(personId)));
    const users = new Map([...listed, ...asked]);
    return personIds.flatMap((personId) => {
      const user = users.get(personId);
      return user ? [profileOf(personId, user, workspace)] : [];
    });
  };

  async function listedUsers(wanted: ReadonlySet<string>): Promise<Map<string, SlackUser>> {
    const found = new Map<string, SlackUser>();
    let cursor: string | undefined;
    for (let page = 0; page < pagesAtMost && found.size < wanted.size; page += 1) {
      const answer = await callSlack(async () => client.users.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }));
      for (const user of answer.members ?? []) if (user.id !== undefined && wanted.has(user.id)) found.set(user.id, user);
      cursor = answer.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) break;
    }
    return found;
  }

  async function eachOf(personIds: readonly string[]): Promise<Map<string, SlackUser>> {
    const found = new Map<string, SlackUser>();
    const left = [...personIds];
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        const user = await infoOf(client, id);
        if (user) found.set(id, user);
      }
    };
    await Promise.all(Array.from({ length: askedAtOnce }, work));
    return found;
  }
}

/** A whole name is split at its first space, as on the command line. */
function profileOf(personId: string, user: SlackUser, workspace: OwnWorkspace): Profile {
  const { emailAddress, outsider } = personIn(user, workspace);
  const { first_name: first = '', last_name: last = '', real_name: real = user.real_name ?? '' } = user.profile ?? {};
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(real.trim()) ?? [];
  const hasParts = first.trim() !== '' || last.trim() !== '';
  return { personId, firstName: hasParts ? first.trim() : word, lastName: hasParts ? last.trim() : rest, emailAddress, outsider };
}
