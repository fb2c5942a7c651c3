import type { WebClient } from '@slack/web-api';
import type { Profile, ProfilesOf } from '../../operations/services/people.ts';
import { infoOf, listedUsers, personIn, type OwnWorkspace, type SlackUser } from './people.ts';

/** More people are found in the list of all: it has 200 on a page, and Slack allows 20 pages a minute. */
const askedEachAtMost = 20;
const askedAtOnce = 4;

/** Reads the names and addresses of people in Slack. Names come from the profile, where people keep them in parts or as a whole. */
export function createProfilesOf({ client, own }: { client: WebClient; own: () => Promise<OwnWorkspace> }): ProfilesOf {
  return async (personIds) => {
    const workspace = await own();
    const listed =
      personIds.length > askedEachAtMost ? await listedUsers(client, new Set(personIds)) : new Map<string, SlackUser>();
    const asked = await eachOf(personIds.filter((personId) => !listed.has(personId)));
    const users = new Map([...listed, ...asked]);
    return personIds.flatMap((personId) => {
      const user = users.get(personId);
      return user ? [profileOf(personId, user, workspace)] : [];
    });
  };

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
  return {
    personId,
    firstName: hasParts ? first.trim() : word,
    lastName: hasParts ? last.trim() : rest,
    emailAddress,
    outsider,
  };
}
