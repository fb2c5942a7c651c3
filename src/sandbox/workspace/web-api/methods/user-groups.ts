import { organizationOf, type Core } from '../../core.ts';
import { ApiError, type Arguments, type Method } from '../method.ts';
import type { UserGroup } from '../../model.ts';
import { people, teamId } from '../../people.ts';

/** A user group object. `user_count` is a string: https://docs.slack.dev/reference/methods/usergroups.list */
export const userGroupPayload = (group: UserGroup): Record<string, unknown> => ({
  id: group.id,
  team_id: group.teamId ?? teamId,
  is_usergroup: true,
  is_subteam: true,
  name: group.name,
  description: '',
  handle: group.handle,
  is_external: false,
  date_create: 0,
  date_update: 0,
  date_delete: group.isDisabled === true ? 1 : 0,
  auto_type: null,
  created_by: people.ada.id,
  updated_by: people.ada.id,
  deleted_by: group.isDisabled === true ? people.ada.id : null,
  prefs: { channels: [], groups: [] },
  user_count: String(group.members.length),
  users: group.members,
});

/** The token of an organization sees the groups of the workspace that it names. */
const isIn = (core: Core, group: UserGroup, args: Arguments): boolean =>
  organizationOf(core) === undefined || (group.teamId ?? teamId) === args.text('team_id');

export const userGroups: Record<string, Method> = {
  'usergroups.users.list': {
    tier: 2,
    isPerWorkspace: true,
    scopes: ['usergroups:read'],
    run(core, args) {
      const group = core.state.userGroups.get(args.required('usergroup'));
      if (
        group === undefined ||
        !isIn(core, group, args) ||
        (group.isDisabled === true && !args.flag('include_disabled'))
      )
        throw new ApiError('no_such_subteam');
      return { users: group.members };
    },
  },
};
