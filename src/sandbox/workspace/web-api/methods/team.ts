import { ApiError, type Arguments, type Method, method, missingScope, page } from '../method.ts';
import { type Core, organizationOf, workspacesOf } from '../../core.ts';
import type { Person, ProfileField, UserGroup } from '../../model.ts';
import { botId, botUserId, people, teamDomain, teamId, teamName } from '../../people.ts';
import { dailyStretch, usualLocale } from '../../locales.ts';

/** A user object: https://docs.slack.dev/reference/objects/user-object. The e-mail address needs a scope of its own. */
export function userPayload(core: Core, person: Person): Record<string, unknown> {
  const enterpriseId = person.enterpriseId ?? (person.teamId === undefined ? organizationOf(core)?.id : undefined);
  const showsEmail = core.manifest.oauth_config.scopes.bot.includes('users:read.email') && person.isBot !== true;
  return {
    id: person.id,
    team_id: person.teamId ?? teamId,
    name: person.name,
    real_name: person.realName,
    deleted: person.isDeleted === true,
    // Deactivated people have no time zone: https://docs.slack.dev/reference/objects/user-object
    ...(person.isDeleted !== true && {
      tz: person.timeZone,
      tz_label: person.timeZone,
      tz_offset: core.zoneOffsetMs(person.timeZone, core.clock.now()) / 1000,
    }),
    profile: {
      real_name: person.realName,
      real_name_normalized: person.realName,
      display_name: person.name,
      display_name_normalized: person.name,
      title: person.title,
      team: person.teamId ?? teamId,
      ...(showsEmail && { email: person.email }),
      ...(person.id === botUserId && { bot_id: botId }),
    },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: person.isGuest === true,
    is_ultra_restricted: false,
    is_bot: person.isBot === true,
    is_app_user: false,
    is_email_confirmed: person.isEmailConfirmed ?? true,
    is_stranger: isStranger(core, person),
    ...(enterpriseId !== undefined && { enterprise_user: enterpriseUser(person, enterpriseId) }),
    updated: Math.floor((person.updatedAt ?? 0) / 1000),
  };
}

/** People of other workspaces in the bot's own enterprise are no strangers. */
const isStranger = (core: Core, person: Person): boolean =>
  (person.teamId ?? teamId) !== teamId && (core.enterprise === undefined || person.enterpriseId !== core.enterprise.id);

/** Whether `users.list` has the person. The token of an organization names a workspace of it; outsiders are seen in the bot's own. */
function isListedIn(core: Core, person: Person, team: string | undefined): boolean {
  const organization = organizationOf(core);
  if (organization === undefined) return true;
  const isOutsider = person.enterpriseId !== undefined && person.enterpriseId !== organization.id;
  return (isOutsider ? teamId : (person.teamId ?? teamId)) === team;
}

/** https://docs.slack.dev/enterprise/developing-for-enterprise-orgs and the types of @slack/web-api. */
const enterpriseUser = (person: Person, enterpriseId: string) => ({
  id: person.id,
  enterprise_id: enterpriseId,
  teams: [person.teamId ?? teamId],
  is_admin: false,
  is_owner: false,
});

/**
 * Pages are shorter than any limit that bots ask for, or a tenth of a large workspace: “Fewer than the requested number of items may be returned, even if the
 * end of the users list hasn’t been reached” (https://docs.slack.dev/reference/methods/users.list).
 */
const listPageSize = (count: number): number => Math.max(10, Math.ceil(count / 10));

/**
 * A user object of `users.info` or `users.list`, which have the locale where it is asked for:
 * https://docs.slack.dev/reference/methods/users.info#arg_include_locale
 */
const withLocale = (core: Core, person: Person, args: Arguments): Record<string, unknown> => ({
  ...userPayload(core, person),
  ...(args.flag('include_locale') && { locale: localeOf(person) }),
});

export const localeOf = ({ locale = usualLocale }: Person): string => locale;

const profileScopes = ['users.profile:read'];

/** A field of all profiles. Fields without options have `null` in Slack's examples. */
function fieldPayload({ id, label, type, isProtected, isScim }: ProfileField, ordering: number) {
  const options = {
    ...(isProtected !== undefined && { is_protected: isProtected }),
    ...(isScim !== undefined && { is_scim: isScim }),
  };
  return {
    id,
    ordering,
    label,
    hint: '',
    type,
    possible_values: null,
    options: Object.keys(options).length === 0 ? null : options,
    is_hidden: false,
  };
}

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

const dndScopes = ['dnd:read'];

/** https://docs.slack.dev/reference/methods/dnd.teamInfo */
const mostPeople = 50;

/** The times are in seconds. A person without such hours has the times 1, as in Slack's examples. */
function statusOf(core: Core, person: Person) {
  if (person.doNotDisturb === undefined) return { dnd_enabled: false, next_dnd_start_ts: 1, next_dnd_end_ts: 1 };
  const { fromMs, toMs } = dailyStretch(person.doNotDisturb, person.timeZone, core.clock.now());
  return { dnd_enabled: true, next_dnd_start_ts: fromMs / 1000, next_dnd_end_ts: toMs / 1000 };
}

/** Methods about the app, its workspace and the people there. */
export const teamMethods: Record<string, Method> = {
  // The token of an organization names the organization where others name their workspace, as in the payloads of
  // slackapi's own samples and in https://github.com/lobu-ai/lobu/pull/3047.
  'auth.test': method('special', [], (core) => {
    const organization = organizationOf(core);
    return {
      url: `${core.baseUrl()}/`,
      team: organization?.name ?? teamName,
      user: 'invigilator',
      team_id: organization?.id ?? teamId,
      user_id: botUserId,
      bot_id: botId,
      ...(core.enterprise && { enterprise_id: core.enterprise.id }),
      is_enterprise_install: organization !== undefined,
    };
  }),
  'auth.teams.list': method(2, [], (core, args) => {
    const { items, response_metadata } = page(workspacesOf(core), args);
    return { teams: items, response_metadata };
  }),
  'team.info': method(3, ['team:read'], (core, args) => {
    const id = args.text('team') ?? teamId;
    if (id === teamId) return { team: { id, name: teamName, domain: teamDomain, email_domain: 'quiz.example' } };
    // Other workspaces are visible through the channels that they share.
    const partner = [...core.state.channels.values()]
      .flatMap(({ sharedWith = [] }) => sharedWith)
      .find((team) => team.id === id);
    if (partner === undefined) throw new ApiError('team_not_found');
    return { team: { ...partner, domain: partner.name.toLowerCase().replaceAll(/\W+/g, '-') } };
  }),
  'apps.connections.open': method(1, ['connections:write'], (core) => {
    const url = core.sockets.ticket(core.baseUrl());
    if (url === undefined) throw new ApiError('too_many_websockets');
    return { url };
  }),
  'users.info': method(4, ['users:read'], (core, args) => {
    const person = core.state.people.get(args.required('user'));
    if (person === undefined) throw new ApiError('user_not_found');
    return { user: withLocale(core, person, args) };
  }),
  'users.list': method(2, ['users:read'], (core, args) => {
    const everyone = [...core.state.people.values()].filter((person) => isListedIn(core, person, args.text('team_id')));
    const { items, ...paging } = page(everyone, args, listPageSize(everyone.length));
    return {
      members: items.map((person) => withLocale(core, person, args)),
      cache_ts: Math.floor(core.clock.now() / 1000),
      ...paging,
    };
  }),
  'users.lookupByEmail': method(3, ['users:read.email'], (core, args) => {
    const granted = core.manifest.oauth_config.scopes.bot;
    if (!granted.includes('users:read')) throw missingScope('users:read', granted);
    const email = args.required('email').toLowerCase();
    const person = [...core.state.people.values()].find(
      (candidate) =>
        candidate.isBot !== true && candidate.isDeleted !== true && candidate.email.toLowerCase() === email,
    );
    if (person === undefined) throw new ApiError('users_not_found');
    return { user: userPayload(core, person) };
  }),
  // Slack limits calls with `include_labels` far more, and says not by how much: they have no labels here.
  'users.profile.get': method(4, profileScopes, (core, args) => {
    const person = core.state.people.get(args.required('user'));
    if (person === undefined) throw new ApiError('user_not_found');
    const fields = Object.entries(person.fields ?? {}).filter(([id]) => core.state.profileFields.has(id));
    return {
      profile: {
        title: person.title,
        real_name: person.realName,
        display_name: person.name,
        // Nobody's fields are an empty list, as PHP writes an empty object.
        fields: fields.length === 0 ? [] : Object.fromEntries(fields.map(([id, value]) => [id, { value, alt: '' }])),
      },
    };
  }),
  'team.profile.get': method(3, profileScopes, (core) => ({
    profile: { fields: [...core.state.profileFields.values()].map(fieldPayload), sections: [] },
  })),
  'usergroups.users.list': method(2, ['usergroups:read'], (core, args) => {
    const group = core.state.userGroups.get(args.required('usergroup'));
    if (
      group === undefined ||
      !isIn(core, group, args) ||
      (group.isDisabled === true && !args.flag('include_disabled'))
    )
      throw new ApiError('no_such_subteam');
    return { users: group.members };
  }),
  'dnd.teamInfo': method(2, dndScopes, (core, args) => {
    const ids = (args.text('users') ?? '').split(',').filter((id) => id !== '');
    if (ids.length === 0) throw new ApiError('no_users_provided');
    if (ids.length > mostPeople) throw new ApiError('too_many_users');
    const known = ids
      .flatMap((id) => core.state.people.get(id) ?? [])
      .filter((person) => isListedIn(core, person, args.text('team_id')));
    return { users: Object.fromEntries(known.map((person) => [person.id, statusOf(core, person)])) };
  }),
};
