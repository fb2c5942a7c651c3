import { countOf, say, shortName } from '../../domain/said.ts';
import type { Page, Thing } from '../../operations/page.ts';
import type { Group } from '../../quiz-api/records.ts';
import { suspendedPart } from '../users/pages.ts';
import { nameFor } from '../../operations/fields/user.ts';
import { defineOperation } from '../../operations/operation.ts';
import { isIn } from '../../directory/quiz-groups.ts';

export const listGroups = defineOperation({
  name: 'list-groups',
  command: '/quiz-group list [filter]',
  synonyms: ['ls', 'groups'],
  summary: 'List all groups, or search by name',
  isCommon: true,
  access: 'read',
  right: 'manage_groups',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'Part of a name', maxLength: 250, optional: true } },
  async run({ directory, visibility, call }, { filter = '' }) {
    await directory.groups.fresh(call);
    const names = await directory.groups.names(call);
    const groups = names.search(filter, { limit: Infinity, accepts: visibility.group });
    return { kind: 'page', ...groupsPage(groups, filter) };
  },
});

export const showGroup = defineOperation({
  name: 'show-group',
  command: '/quiz-group show <group>',
  synonyms: ['members', 'info', 'view', 'who'],
  summary: 'Show a group and its members',
  isCommon: true,
  buttons: { group: [{ label: 'View', in: ['list'], position: 1 }] },
  access: 'read',
  right: 'manage_groups',
  submit: 'Show',
  fields: { group: { kind: 'group', label: 'Group' } },
  async run({ directory, visibility, call }, { group }) {
    const users = await directory.users.fresh(call);
    const members = users
      .filter((user) => isIn(user, [group]))
      .map((user) => ({ name: nameFor(user, visibility), isSuspended: user.suspended }));
    return { kind: 'page', ...groupPage(group, members) };
  },
});

/** A list of groups with what the reader may do with each. */
export function groupsPage(groups: readonly Group[], filter: string): Page {
  if (groups.length === 0)
    return {
      heading:
        filter === ''
          ? say`There are no groups for you to see yet.`
          : say`No group has “${shortName(filter)}” in its name. \`/quiz-group list\` shows all of them.`,
    };
  return {
    heading: say`*${countOf(groups.length, 'group', 'groups')}*`,
    parts: [
      {
        items: groups.map((group) => ({
          line: say`👥 *${shortName(group.group_name, 100)}*`,
          about: thing(group, 'list'),
        })),
        narrow: say`/quiz-group list`,
      },
    ],
  };
}

/** A group with the people in it, under the names that the reader may see, and what the reader may do with it. */
export function groupPage(group: Group, members: readonly { name: string; isSuspended: boolean }[]): Page {
  return {
    heading: say`👥 *${shortName(group.group_name)}* · ${members.length === 0 ? say`nobody in it yet` : countOf(members.length, 'person', 'people')}`,
    parts: [
      {
        lines: members.map(({ name, isSuspended }) => say`${shortName(name, 80)}${suspendedPart(isSuspended)}`),
        narrow: say`/quiz-user list in ${shortName(group.group_name, 60)}`,
      },
    ],
    about: thing(group, 'page'),
    notes: [say`ID ${group.group_id}`],
  };
}

const thing = (group: Group, place: Thing['in']): Thing => ({
  kind: 'group',
  of: group,
  name: group.group_name,
  in: place,
});
