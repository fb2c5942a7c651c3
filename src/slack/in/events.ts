import { z } from 'zod';
import type { Departures } from '../../features/departures/departures.ts';
import type { Log } from '../../observability/log.ts';
import type { Home } from '../home.ts';
import type { Managers } from '../people/managers.ts';
import type { FindCompanies } from '../people/members.ts';
import type { People } from '../people/people.ts';

export interface EventParts {
  home: Home;
  people: Pick<People, 'changed'>;
  managers: Pick<Managers, 'forget'>;
  /** Tells the campaigns of a workspace which parts of their audiences have changed: `channel:ID`, `usergroup:ID`, `person:ID`. */
  audienceChanged: (teamId: string, parts: readonly string[]) => Promise<void>;
  departures: Pick<Departures, 'personChanged'>;
  findCompanies: FindCompanies;
  /** Another company reads a channel from now on. */
  channelShared: (teamId: string, channelId: string) => Promise<void>;
  /** Of the bot, in whose name campaigns and departures are kept. */
  teamId: () => Promise<string>;
  /** Asks Slack, and rejects where it refuses the token. */
  confirmToken: () => Promise<unknown>;
  log: Log;
}

const userSchema = z.object({
  user: z.object({ id: z.string(), deleted: z.boolean().default(false), locale: z.string().optional() }),
});
const channelSchema = z.object({ channel: z.string() });

/**
 * What events of Slack do, by their name. Slack loses events and sends them late, and says nothing of people in channels without
 * the bot: an event only has the bot look.
 *
 * A workspace that removed the app is asked again like one that is away: an administrator can install the app again.
 * https://docs.slack.dev/reference/events/app_uninstalled
 */
export const events: Readonly<Record<string, (parts: EventParts, event: unknown) => Promise<void>>> = {
  async app_home_opened({ home }, event) {
    const { user, tab } = z.object({ user: z.string(), tab: z.string() }).parse(event);
    if (tab === 'home') await home.open(user);
  },
  app_uninstalled: async (parts) => askWhether(parts, 'the workspace has removed the app'),
  async tokens_revoked(parts, event) {
    const { tokens } = z.object({ tokens: z.object({ bot: z.array(z.string()).default([]) }) }).parse(event);
    if (tokens.bot.length > 0) await askWhether(parts, 'Slack has revoked the bot token');
  },
  /** Who subscribed the channel, or shows a board there, did so for the people of this workspace. https://docs.slack.dev/reference/events/channel_shared */
  async channel_shared({ findCompanies, channelShared, teamId }, event) {
    const { channel } = channelSchema.parse(event);
    if ((await findCompanies(channel)).length > 0) await channelShared(await teamId(), channel);
  },
  member_joined_channel: async (parts, event) => changed(parts, `channel:${channelSchema.parse(event).channel}`),
  member_left_channel: async (parts, event) => changed(parts, `channel:${channelSchema.parse(event).channel}`),
  subteam_members_changed: async (parts, event) =>
    changed(parts, `usergroup:${z.object({ subteam_id: z.string() }).parse(event).subteam_id}`),
  subteam_updated: async (parts, event) =>
    changed(parts, `usergroup:${z.object({ subteam: z.object({ id: z.string() }) }).parse(event).subteam.id}`),
  async team_join(parts, event) {
    const { user } = userSchema.parse(event);
    await parts.people.changed(user.id);
    await changed(parts, `person:${user.id}`);
  },
  /** Who was deactivated, is active again, or has another address, is asked about at once. Slack sends it for every status that somebody sets. */
  async user_change(parts, event) {
    const { user } = userSchema.parse(event);
    const { people, managers, departures, teamId } = parts;
    await Promise.all([people.changed(user.id, user.locale), managers.forget(user.id)]);
    await departures.personChanged(await teamId(), { personId: user.id, isDeactivated: user.deleted });
    await changed(parts, `person:${user.id}`);
  },
};

async function changed({ audienceChanged, teamId }: EventParts, part: string): Promise<void> {
  await audienceChanged(await teamId(), [part]);
}

/** Events come late, so Slack is asked whether the token works. */
async function askWhether({ confirmToken, log }: EventParts, what: string): Promise<void> {
  try {
    await confirmToken();
  } catch (error) {
    log.error({ error }, `${what}: install the app again and set its token, or remove the bot`);
  }
}
