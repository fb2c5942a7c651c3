import { visibleChannel } from './locate.ts';
import { resolveText } from './typed-text.ts';
import type { Core } from '../core.ts';
import { publishEvent } from '../delivery/events.ts';
import { messagePayload, postAsBot, postMessage } from '../messages.ts';
import type { Channel, Message, Person, View } from '../model.ts';
import { botUserId, teamId } from '../people.ts';
import { directMessages } from '../state.ts';
import { viewPayload } from '../view-stacks.ts';

const subscriptions = {
  im: { event: 'message.im', type: 'im' },
  public: { event: 'message.channels', type: 'channel' },
  private: { event: 'message.groups', type: 'group' },
} as const;

/** Says something where the person can see it; the bot hears of it when it is there and listens. */
export async function say(
  core: Core,
  person: Person,
  channelId: string,
  typed: string,
  threadTs?: string,
): Promise<Message> {
  const { state } = core;
  const channel = visibleChannel(core, person, channelId);
  const named = resolveText(typed, { people: state.people.values(), channels: state.channels.values() });
  const text = named.replaceAll(/<@([A-Z0-9]+)\|[^>]*>/g, '<@$1>');
  const message = postMessage(state, {
    channel: channel.id,
    user: person.id,
    text,
    ...(threadTs !== undefined && { threadTs }),
  });
  if (channel.members.includes(botUserId)) await publishMessage(core, channel, message);
  return message;
}

async function publishMessage(core: Core, channel: Channel, message: Message): Promise<void> {
  const { event, type } = subscriptions[channel.kind];
  const shown = { ...messagePayload(message, teamId), channel: channel.id, channel_type: type, event_ts: message.ts };
  const isMention = message.text.includes(`<@${botUserId}>`);
  await Promise.all([
    publishEvent(core, event, shown),
    isMention ? publishEvent(core, 'app_mention', { ...shown, type: 'app_mention' }) : undefined,
  ]);
}

export async function openHome(core: Core, person: Person): Promise<View | undefined> {
  const { state } = core;
  const view = state.homes.get(person.id);
  await publishEvent(core, 'app_home_opened', {
    type: 'app_home_opened',
    user: person.id,
    channel: directMessages(state, person.id).id,
    tab: 'home',
    event_ts: state.newTs(),
    ...(view !== undefined && { view: viewPayload(view) }),
  });
  return state.homes.get(person.id);
}

export async function inviteBot(core: Core, person: Person, channelId: string): Promise<void> {
  const channel = visibleChannel(core, person, channelId);
  if (channel.members.includes(botUserId)) return;
  channel.members.push(botUserId);
  postAsBot(core.state, { channel: channelId, text: `_was added to #${channel.name} by ${person.realName}_` });
  await publishEvent(core, 'member_joined_channel', {
    type: 'member_joined_channel',
    user: botUserId,
    channel: channelId,
    channel_type: channelId.slice(0, 1),
    team: teamId,
    inviter: person.id,
    event_ts: core.state.newTs(),
  });
}

export async function removeBot(core: Core, person: Person, channelId: string): Promise<void> {
  const channel = visibleChannel(core, person, channelId);
  channel.members = channel.members.filter((member) => member !== botUserId);
  core.state.changes.emit();
  const event = channel.kind === 'private' ? 'group_left' : 'channel_left';
  await publishEvent(core, event, {
    type: event,
    channel: channelId,
    actor_id: person.id,
    event_ts: core.state.newTs(),
  });
}
