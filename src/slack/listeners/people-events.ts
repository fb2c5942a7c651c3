import type { App } from '@slack/bolt';
import type { Departures } from '../../features/departures/departures.ts';
import type { Managers } from '../people/managers.ts';
import type { People } from '../people/people.ts';

export interface PeopleEventDeps {
  people: Pick<People, 'changed'>;
  managers: Pick<Managers, 'forget'>;
  /** Tells the campaigns of a workspace which parts of their audiences have changed: `channel:ID`, `usergroup:ID`, `person:ID`. */
  audienceChanged: (teamId: string, parts: readonly string[]) => Promise<void>;
  departures: Pick<Departures, 'personChanged'>;
  /** Of the bot, in whose name campaigns and departures are kept. */
  teamId: () => Promise<string>;
}

/**
 * Takes what Slack says about people, and about who is in channels and user groups. Slack loses events and sends them late, and
 * says nothing of channels without the bot: an event only has the bot look.
 */
export function registerPeopleEvents(app: App, deps: PeopleEventDeps): void {
  const { people, managers, departures, teamId } = deps;
  const changed = async (part: string) => deps.audienceChanged(await teamId(), [part]);

  app.event('member_joined_channel', async ({ event }) => changed(`channel:${event.channel}`));
  app.event('member_left_channel', async ({ event }) => changed(`channel:${event.channel}`));
  app.event('subteam_members_changed', async ({ event }) => changed(`usergroup:${event.subteam_id}`));
  app.event('subteam_updated', async ({ event }) => changed(`usergroup:${event.subteam.id}`));
  app.event('team_join', async ({ event: { user } }) => {
    await people.changed(user.id);
    await changed(`person:${user.id}`);
  });
  // A person who was deactivated, is active again, or has another address, is asked about at once. Slack sends it for every
  // status that somebody sets.
  app.event('user_change', async ({ event: { user } }) => {
    await Promise.all([people.changed(user.id, user.locale), managers.forget(user.id)]);
    await departures.personChanged(await teamId(), { personId: user.id, isDeactivated: user.deleted });
    await changed(`person:${user.id}`);
  });
}
