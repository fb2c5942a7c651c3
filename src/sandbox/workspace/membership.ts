import type { Core } from './core.ts';
import type { Channel, Person, UserGroup } from './model.ts';
import { botUserId, teamId } from './people.ts';
import { localeOf, userGroupPayload, userPayload } from './web-api/methods/team.ts';

/**
 * What Slack sends a bot about people who come and go: of channels, about those that it is a member of.
 * https://docs.slack.dev/reference/events/member_joined_channel
 */
export async function publishMembers(
  core: Core,
  channel: Channel,
  before: readonly string[],
  inviter?: string,
): Promise<void> {
  if (channel.kind === 'im') return;
  const { members } = channel;
  const joined = members.filter((id) => !before.includes(id));
  const left = before.filter((id) => !members.includes(id));
  if (!members.includes(botUserId)) return;
  const publish = async (type: 'member_joined_channel' | 'member_left_channel', user: string) =>
    core.dispatcher.publish(type, {
      user,
      channel: channel.id,
      channel_type: channel.kind === 'private' ? 'G' : 'C',
      team: teamId,
      ...(inviter !== undefined && { inviter }),
    });
  await Promise.all([
    ...joined.map(async (user) => publish('member_joined_channel', user)),
    ...left.map(async (user) => publish('member_left_channel', user)),
  ]);
}

/** Of the companies with which a channel is shared from now on. https://docs.slack.dev/reference/events/channel_shared */
export async function publishSharing(
  core: Core,
  { id, members, sharedWith = [] }: Channel,
  before: Channel['sharedWith'] = [],
): Promise<void> {
  const added = sharedWith.filter((team) => before.every((known) => known.id !== team.id));
  if (!members.includes(botUserId)) return;
  for (const team of added)
    await core.dispatcher.publish('channel_shared', { connected_team_id: team.id, channel: id });
}

/** https://docs.slack.dev/reference/events/subteam_members_changed and https://docs.slack.dev/reference/events/subteam_updated */
export async function publishUserGroup(core: Core, group: UserGroup, before: UserGroup | undefined): Promise<void> {
  const known = before?.members ?? [];
  const added = group.members.filter((id) => !known.includes(id));
  const removed = known.filter((id) => !group.members.includes(id));
  if (before === undefined) return;
  const at = Math.floor(core.clock.now() / 1000);
  await Promise.all([
    core.dispatcher.publish('subteam_updated', { subteam: userGroupPayload(group) }),
    added.length + removed.length === 0
      ? undefined
      : core.dispatcher.publish('subteam_members_changed', {
          subteam_id: group.id,
          team_id: group.teamId ?? teamId,
          date_previous_update: at,
          date_update: at,
          added_users: added,
          added_users_count: added.length,
          removed_users: removed,
          removed_users_count: removed.length,
        }),
  ]);
}

/**
 * Adds or replaces a person. Resolves when the app has the event.
 * https://docs.slack.dev/reference/events/team_join and https://docs.slack.dev/reference/events/user_change
 */
export async function changePerson(core: Core, person: Person): Promise<void> {
  const { state, clock } = core;
  const type = state.people.has(person.id) ? 'user_change' : 'team_join';
  const changed = { ...person, updatedAt: clock.now() };
  state.people.set(person.id, changed);
  state.changes.emit();
  await core.dispatcher.publish(type, {
    user: { ...userPayload(core, changed), locale: localeOf(changed) },
    cache_ts: Math.floor(clock.now() / 1000),
  });
}

/** Deactivates a person or activates them again. @throws Error where there is nobody with the ID */
export async function setActive(core: Core, userId: string, isActive: boolean): Promise<void> {
  await changePerson(core, { ...personWith(core, userId), isDeleted: !isActive });
}

/** Changes the language in a person’s preferences. @throws Error where there is nobody with the ID */
export async function setLocale(core: Core, userId: string, locale: string): Promise<void> {
  await changePerson(core, { ...personWith(core, userId), locale });
}

function personWith(core: Core, userId: string): Person {
  const person = core.state.people.get(userId);
  if (person === undefined) throw new Error(`nobody has the ID ${userId}`);
  return person;
}

/** Adds people to a channel, or takes them out. @throws Error where there is no such channel */
export async function changeMembers(
  core: Core,
  channelId: string,
  change: (members: readonly string[]) => readonly string[],
): Promise<void> {
  const channel = core.state.channels.get(channelId);
  if (channel === undefined) throw new Error(`there is no channel ${channelId}`);
  const before = channel.members;
  channel.members = [...new Set(change(before))];
  core.state.changes.emit();
  await publishMembers(core, channel, before);
}
