import { ApiError, type Arguments, type Method, missingScope, page } from '../method.ts';
import { organizationOf, type Core } from '../../core.ts';
import { usualLocale } from '../../locales.ts';
import type { Person } from '../../model.ts';
import { botId, botUserId, teamId } from '../../people.ts';

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
export function isListedIn(core: Core, person: Person, team: string | undefined): boolean {
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

export const users: Record<string, Method> = {
  'users.info': {
    tier: 4,
    scopes: ['users:read'],
    run(core, args) {
      const person = core.state.people.get(args.required('user'));
      if (person === undefined) throw new ApiError('user_not_found');
      return { user: withLocale(core, person, args) };
    },
  },
  'users.list': {
    tier: 2,
    isPerWorkspace: true,
    scopes: ['users:read'],
    run(core, args) {
      const everyone = [...core.state.people.values()].filter((person) =>
        isListedIn(core, person, args.text('team_id')),
      );
      const { items, ...paging } = page(everyone, args, listPageSize(everyone.length));
      return {
        members: items.map((person) => withLocale(core, person, args)),
        cache_ts: Math.floor(core.clock.now() / 1000),
        ...paging,
      };
    },
  },
  'users.lookupByEmail': {
    tier: 3,
    scopes: ['users:read.email'],
    run(core, args) {
      const granted = core.manifest.oauth_config.scopes.bot;
      if (!granted.includes('users:read')) throw missingScope('users:read', granted);
      const email = args.required('email').toLowerCase();
      const person = [...core.state.people.values()].find(
        (candidate) =>
          candidate.isBot !== true && candidate.isDeleted !== true && candidate.email.toLowerCase() === email,
      );
      if (person === undefined) throw new ApiError('users_not_found');
      return { user: userPayload(core, person) };
    },
  },
};
