import type { Channel, InputValues, Message, Person, View } from '../model.ts';
import { messagePayload } from '../messages.ts';
import { appId, teamDomain, teamId } from '../people.ts';
import { viewPayload } from '../view-stacks.ts';

// Payload shapes: https://docs.slack.dev/reference/interaction-payloads and the types of @slack/bolt.

/** Slack still sends this deprecated field. Bots verify the signature instead. */
const verificationToken = 'retired-verification-token';

const common = (person: Person) => ({
  team: { id: person.teamId ?? teamId, domain: teamDomain },
  enterprise: null,
  is_enterprise_install: false,
  user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId ?? teamId },
  api_app_id: appId,
  token: verificationToken,
});

/** The channel name that payloads show. */
function shownName(channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}

const channelRef = (channel: Channel) => ({ id: channel.id, name: shownName(channel) });

export function commandPayload(input: {
  person: Person;
  channel: Channel;
  command: string;
  text: string;
  triggerId: string;
  responseUrl: string;
}): Record<string, string> {
  return {
    token: verificationToken,
    team_id: input.person.teamId ?? teamId,
    team_domain: teamDomain,
    channel_id: input.channel.id,
    channel_name: shownName(input.channel),
    user_id: input.person.id,
    user_name: input.person.name,
    command: input.command,
    text: input.text,
    api_app_id: appId,
    is_enterprise_install: 'false',
    response_url: input.responseUrl,
    trigger_id: input.triggerId,
  };
}

export function shortcutPayload(input: {
  person: Person;
  callbackId: string;
  triggerId: string;
  actionTs: string;
}): Record<string, unknown> {
  return {
    type: 'shortcut',
    ...common(input.person),
    action_ts: input.actionTs,
    callback_id: input.callbackId,
    trigger_id: input.triggerId,
  };
}

export function messageShortcutPayload(input: {
  person: Person;
  callbackId: string;
  triggerId: string;
  actionTs: string;
  responseUrl: string;
  channel: Channel;
  message: Message;
}): Record<string, unknown> {
  return {
    type: 'message_action',
    ...common(input.person),
    action_ts: input.actionTs,
    callback_id: input.callbackId,
    trigger_id: input.triggerId,
    response_url: input.responseUrl,
    message_ts: input.message.ts,
    channel: channelRef(input.channel),
    message: messagePayload(input.message, teamId, true, input.channel),
  };
}

export type Source = { message: Message; channel: Channel; values: InputValues } | { view: View };

const container = (source: Source) =>
  'view' in source
    ? { type: 'view', view_id: source.view.id }
    : {
        type: 'message',
        message_ts: source.message.ts,
        channel_id: source.channel.id,
        is_ephemeral: source.message.onlyFor !== undefined,
        ...(source.message.threadTs !== undefined && { thread_ts: source.message.threadTs }),
      };

export function blockActionsPayload(input: {
  person: Person;
  source: Source;
  action: Record<string, unknown>;
  triggerId: string;
  responseUrl?: string;
}): Record<string, unknown> {
  const { source } = input;
  return {
    type: 'block_actions',
    ...common(input.person),
    container: container(source),
    trigger_id: input.triggerId,
    ...('view' in source
      ? { view: viewPayload(source.view) }
      : {
          channel: channelRef(source.channel),
          ...(source.message.onlyFor === undefined && { message: messagePayload(source.message, teamId, true) }),
          state: { values: source.values },
          response_url: input.responseUrl,
        }),
    actions: [input.action],
  };
}

export function suggestionPayload(input: {
  person: Person;
  source: Source;
  blockId: string;
  actionId: string;
  query: string;
}): Record<string, unknown> {
  const { source } = input;
  return {
    type: 'block_suggestion',
    ...common(input.person),
    container: container(source),
    action_id: input.actionId,
    block_id: input.blockId,
    value: input.query,
    ...('view' in source
      ? { view: viewPayload(source.view) }
      : { channel: channelRef(source.channel), message: messagePayload(source.message, teamId) }),
  };
}

export function submissionPayload(input: { person: Person; view: View; triggerId: string }): Record<string, unknown> {
  return {
    type: 'view_submission',
    ...common(input.person),
    trigger_id: input.triggerId,
    view: viewPayload(input.view),
    response_urls: [],
  };
}

/** Wraps an event in the envelope of the Events API: https://docs.slack.dev/apis/events-api/ */
export function eventPayload(input: {
  event: Record<string, unknown>;
  eventId: string;
  nowMs: number;
  botUserId: string;
}): Record<string, unknown> {
  return {
    token: verificationToken,
    team_id: teamId,
    api_app_id: appId,
    event: input.event,
    type: 'event_callback',
    event_id: input.eventId,
    event_time: Math.floor(input.nowMs / 1000),
    authorizations: [
      { enterprise_id: null, team_id: teamId, user_id: input.botUserId, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
  };
}
