import type { App } from '@slack/bolt';
import type { Identity } from '../../directory/identity.ts';

export interface AudienceListenerDeps {
  /** Tells the campaigns of a workspace which parts of their audiences have changed: `channel:ID`, `usergroup:ID`, `person:ID`. */
  audienceChanged: (teamId: string, parts: readonly string[]) => Promise<void>;
  identity: Pick<Identity, 'forget'>;
}

/**
 * Takes what Slack says about who is in channels and user groups. Slack loses events and sends them late, and says nothing of
 * channels without the bot: an event only has campaigns look.
 */
export function registerAudienceEvents(app: App, { audienceChanged, identity }: AudienceListenerDeps): void {
  const changed = async ({ teamId = '' }: { teamId?: string | undefined }, ...parts: string[]) =>
    audienceChanged(teamId, parts);

  app.event('member_joined_channel', async ({ event, context }) => changed(context, `channel:${event.channel}`));
  app.event('member_left_channel', async ({ event, context }) => changed(context, `channel:${event.channel}`));
  app.event('subteam_members_changed', async ({ event, context }) => changed(context, `usergroup:${event.subteam_id}`));
  app.event('subteam_updated', async ({ event, context }) => changed(context, `usergroup:${event.subteam.id}`));
  app.event('team_join', async ({ event, context }) => {
    await identity.forget(event.user.id);
    await changed(context, `person:${event.user.id}`);
  });
  // A person who was deactivated, or has another address, is asked about at once.
  app.event('user_change', async ({ event, context }) => {
    await identity.forget(event.user.id);
    await changed(context, `person:${event.user.id}`);
  });
}
