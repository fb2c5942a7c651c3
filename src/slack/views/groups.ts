import { fullName } from '../../directory/names.ts';
import type { Group } from '../../quiz-api/groups.ts';
import type { User } from '../../quiz-api/users.ts';
import { countOf, listing } from './listing.ts';
import type { Message } from './message.ts';
import { md, section, shortName } from './mrkdwn.ts';

export function groupListMessage(groups: readonly Group[], filter: string): Message {
  if (groups.length === 0) {
    const nothing = filter === '' ? md`There are no groups yet.` : md`No group has “${shortName(filter)}” in its name.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing)] };
  }
  return listing(md`*${countOf(groups.length, 'group', 'groups')}*`, groups.map(({ group_name }) => md`👥 *${shortName(group_name, 100)}*`), '/quiz-group list');
}

/** A group and who is in it. */
export function groupMessage(group: Group, members: readonly User[]): Message {
  const heading = md`👥 *${shortName(group.group_name)}* · ${countOf(members.length, 'member', 'members')}`;
  return listing(heading, members.map((user) => md`${shortName(fullName(user), 80)}${user.suspended ? md` · ⛔ suspended` : md``}`), '/quiz-user list');
}
