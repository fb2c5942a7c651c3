import type { Channel, InputValues, Message, Person, View } from '../model.ts';
import { messagePayload } from '../messages.ts';
import { appId, teamDomain, teamId } from '../people.ts';
import { viewPayload } from '../view-stacks.ts';

// Payload shapes: https://docs.slack.dev/reference/interaction-payloads and the types of @slack/bolt.

/** Slack still sends this deprecated field. Bots verify the signature instead. */
export const verificationToken = 'retired-verification-token';

/** The channel name that payloads show. */
function shownName(channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}

export const channelRef = (channel: Channel) => ({ id: channel.id, name: shownName(channel) });

export const commandPayload = (
  person: Person,
  channel: Channel,
  typed: { command: string; text: string; response_url: string; trigger_id: string },
): Record<string, string> => ({
  token: verificationToken,
  team_id: person.teamId ?? teamId,
  team_domain: teamDomain,
  channel_id: channel.id,
  channel_name: shownName(channel),
  user_id: person.id,
  user_name: person.name,
  api_app_id: appId,
  is_enterprise_install: 'false',
  ...typed,
});

/** A payload of an interaction: what all carry, and what this one is about. */
export const interaction = (type: string, person: Person, about: object): Record<string, unknown> => ({
  type,
  team: { id: person.teamId ?? teamId, domain: teamDomain },
  enterprise: null,
  is_enterprise_install: false,
  user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId ?? teamId },
  api_app_id: appId,
  token: verificationToken,
  ...about,
});

export type Source = { message: Message; channel: Channel; values: InputValues } | { view: View };

/** What an interaction with an element says of the message or view that contains it. */
export function sourcePayload(source: Source): object {
  if ('view' in source) return { container: { type: 'view', view_id: source.view.id }, view: viewPayload(source.view) };
  const { message, channel, values } = source;
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: message.onlyFor !== undefined,
      ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    },
    channel: channelRef(channel),
    ...(message.onlyFor === undefined && { message: messagePayload(message, teamId, true) }),
    state: { values },
  };
}
