import { z } from 'zod';
import { type ChosenFile, uploadFiles } from './entered-values.ts';
import { visibleChannel } from './locate.ts';
import { checkBlocks, identify } from '../block-kit/validate.ts';
import { type Core, unknownTypes } from '../core.ts';
import { limits } from '../limits.ts';
import {
  changeMessage,
  findMessage,
  messagePayload,
  postAsBot,
  postEphemeral,
  postMessage,
  escapeText,
} from '../messages.ts';
import { publishMembers } from '../membership.ts';
import type { Channel, Message, Person, View, UserGroup } from '../model.ts';
import { botUserId, teamId } from '../people.ts';
import { directMessages, type State } from '../state.ts';
import { viewPayload } from '../view-stacks.ts';
import type { ResponseTarget } from '../expiring-handles.ts';
import { type Outcome, outcomeOf, showDeliveryError, watch } from './outcome.ts';
import { channelRef, commandPayload, interaction } from '../delivery/payloads.ts';

const subscriptions = {
  im: { subscription: 'message.im', type: 'im' },
  mpim: { subscription: 'message.mpim', type: 'mpim' },
  public: { subscription: 'message.channels', type: 'channel' },
  private: { subscription: 'message.groups', type: 'group' },
} as const;

/**
 * Posts a message as the person. The bot receives a `message` event if it is a member and subscribes to the event.
 * @throws Error when the person is not a member of the channel
 */
export async function say(
  core: Core,
  person: Person,
  channelId: string,
  typed: string,
  threadTs?: string,
  chosen: readonly ChosenFile[] = [],
): Promise<Message> {
  const { state } = core;
  const channel = visibleChannel(core, person, channelId);
  if (chosen.length > 0 && channel.kind === 'im' && core.manifest.features.app_home.messages_tab_read_only_enabled)
    throw new Error('The manifest makes the conversation with the app read-only: `messages_tab_read_only_enabled`.');
  const files = uploadFiles(core, person, chosen);
  for (const file of files) file.channels.push(channel.id);
  const resolved = resolveText(typed, directoryOf(state));
  const text = resolved.replaceAll(/<@([A-Z0-9]+)\|[^>]*>/g, '<@$1>');
  const message = postMessage(state, {
    channel: channel.id,
    user: person.id,
    text,
    ...(threadTs !== undefined && { threadTs }),
    ...(files.length > 0 && { files }),
  });
  if (channel.members.includes(botUserId)) await publishMessage(core, channel, message);
  return message;
}

async function publishMessage(core: Core, channel: Channel, message: Message): Promise<void> {
  const { subscription, type } = subscriptions[channel.kind];
  const event = {
    ...messagePayload(message, teamId, false, channel),
    channel: channel.id,
    channel_type: type,
    event_ts: message.ts,
  };
  const isMention = message.text.includes(`<@${botUserId}>`);
  await Promise.all([
    core.dispatcher.publish(subscription, event),
    isMention ? core.dispatcher.publish('app_mention', { ...event, type: 'app_mention' }) : undefined,
  ]);
}

/** Opens the Home tab, which sends `app_home_opened`. @returns the published view, if any */
export async function openHome(core: Core, person: Person): Promise<View | undefined> {
  const { state } = core;
  const view = state.homes.get(person.id);
  await core.dispatcher.publish('app_home_opened', {
    user: person.id,
    channel: directMessages(state, person.id).id,
    tab: 'home',
    ...(view !== undefined && { view: viewPayload(view) }),
  });
  return state.homes.get(person.id);
}

/** Adds the bot to a channel and sends `member_joined_channel`. @throws Error when the person is not a member */
export async function inviteBot(core: Core, person: Person, channelId: string): Promise<void> {
  const channel = visibleChannel(core, person, channelId);
  if (channel.members.includes(botUserId)) return;
  const before = [...channel.members];
  channel.members.push(botUserId);
  postAsBot(core.state, { channel: channelId, text: `_was added to #${channel.name} by ${person.realName}_` });
  await publishMembers(core, channel, before, person.id);
}

/**
 * Removes the bot from a channel and sends `channel_left` or `group_left`.
 * @throws Error when the person is not a member
 */
export async function removeBot(core: Core, person: Person, channelId: string): Promise<void> {
  const channel = visibleChannel(core, person, channelId);
  channel.members = channel.members.filter((member) => member !== botUserId);
  core.state.changes.emit();
  const event = channel.kind === 'private' ? 'group_left' : 'channel_left';
  await core.dispatcher.publish(event, { channel: channelId, actor_id: person.id });
}

/**
 * Types a slash command in a channel. Errors reach the person as an ephemeral message, as in Slack.
 * @throws Error when the person is not a member of the channel
 */
export async function typeCommand(core: Core, person: Person, typed: string, channelId: string): Promise<Outcome> {
  const { state } = core;
  const channel = visibleChannel(core, person, channelId);
  const watched = watch(core, person.id, channel.id);
  const { name, rest } = splitCommand(typed);
  const known = core.manifest.features.slash_commands.find(({ command }) => command === name);
  if (known === undefined) {
    postEphemeral(state, person.id, channel.id, `${name} is not a valid command.`);
    return outcomeOf(watched, undefined, 'invalid_command');
  }
  const text = known.should_escape ? resolveText(rest, directoryOf(state)) : rest;
  const target = { user: person.id, channel: channel.id };
  const payload = commandPayload(person, channel, {
    command: name,
    text,
    response_url: core.responseUrls.issue(target),
    trigger_id: core.triggers.issue({ user: person.id }),
  });
  const delivery = await core.dispatcher.deliver('command', payload);
  const error = delivery.error ?? applyCommandResponse(core, target, delivery.answer);
  if (error !== undefined) postEphemeral(state, person.id, channel.id, `${name} failed with the error "${error}"`);
  return outcomeOf(watched, delivery, error);
}

function applyCommandResponse(core: Core, target: ResponseTarget, answer: unknown): string | undefined {
  return answer === undefined || answer === '' ? undefined : applyMessageResponse(core, target, answer).error;
}

function splitCommand(typed: string): { name: string; rest: string } {
  const [name = '', ...rest] = typed.trim().split(/\s/);
  return { name, rest: rest.join(' ').trim() };
}

/** @throws Error when the manifest has no such global shortcut */
export async function useShortcut(core: Core, person: Person, callbackId: string): Promise<Outcome> {
  requireShortcut(core, callbackId, 'global');
  const watched = watch(core, person.id);
  const payload = interaction('shortcut', person, handles(core, person, callbackId));
  return outcomeOf(watched, showDeliveryError(core, person, await core.dispatcher.deliver('shortcut', payload)));
}

/** @throws Error when the manifest has no such message shortcut or the message does not exist */
export async function useMessageShortcut(
  core: Core,
  person: Person,
  callbackId: string,
  channelId: string,
  ts: string,
): Promise<Outcome> {
  requireShortcut(core, callbackId, 'message');
  const channel = visibleChannel(core, person, channelId);
  const message = findMessage(core.state, channelId, ts);
  if (message === undefined) throw new Error(`there is no message ${ts} in ${channel.name}`);
  const watched = watch(core, person.id, channelId);
  const payload = interaction('message_action', person, {
    ...handles(core, person, callbackId),
    response_url: core.responseUrls.issue({ user: person.id, channel: channelId, originalTs: ts }),
    message_ts: ts,
    channel: channelRef(channel),
    message: messagePayload(message, teamId, true, channel),
  });
  return outcomeOf(watched, showDeliveryError(core, person, await core.dispatcher.deliver('message_action', payload)));
}

const handles = (core: Core, person: Person, callbackId: string) => ({
  action_ts: core.state.newTs(),
  callback_id: callbackId,
  trigger_id: core.triggers.issue({ user: person.id }),
});

function requireShortcut(core: Core, callbackId: string, type: 'global' | 'message'): void {
  const known = core.manifest.features.shortcuts
    .filter((shortcut) => shortcut.type === type)
    .map((shortcut) => shortcut.callback_id);
  if (!known.includes(callbackId))
    throw new Error(`the manifest has no ${type} shortcut ${callbackId}, but ${known.join(', ') || 'none'}`);
}

const parts =
  /(?<token><(?:[@#]|!subteam\^)[A-Z0-9]+(?:\|[^<>]*)?>)|(?<url>https?:\/\/[^\s<>]+)|(?<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?<![\w@])@(?<handle>[a-z0-9._-]*[a-z0-9])|(?<![\w#])#(?<channel>[a-z0-9_-]+)/gi;

interface Directory {
  people: Iterable<Person>;
  channels: Iterable<Channel>;
  userGroups: Iterable<UserGroup>;
}

const directoryOf = ({ people, channels, userGroups }: State): Directory => ({
  people: people.values(),
  channels: channels.values(),
  userGroups: userGroups.values(),
});

/**
 * Converts typed text to the form that Slack sends: mentions of people, user groups and channels, links and e-mail addresses in angle brackets, the rest
 * escaped. Commands need `should_escape` for it: https://docs.slack.dev/interactivity/implementing-slash-commands
 */
export function resolveText(typed: string, directory: Directory): string {
  const people = new Map([...directory.people].map((person) => [person.name, person]));
  const channels = new Map(
    [...directory.channels].filter((channel) => channel.kind !== 'im').map((channel) => [channel.name, channel]),
  );
  const groups = new Map(
    [...directory.userGroups].filter((group) => group.isDisabled !== true).map((group) => [group.handle, group]),
  );
  let resolved = '';
  let from = 0;
  for (const match of typed.matchAll(parts)) {
    const token = tokenFor(match.groups ?? {}, people, channels, groups);
    if (token === undefined) continue;
    resolved += escapeText(typed.slice(from, match.index)) + token;
    from = match.index + match[0].length;
  }
  return resolved + escapeText(typed.slice(from));
}

function tokenFor(
  groups: Record<string, string | undefined>,
  people: Map<string, Person>,
  channels: Map<string, Channel>,
  userGroups: Map<string, UserGroup>,
): string | undefined {
  // The pattern ignores case, but an id has capital letters only.
  if (groups['token'] !== undefined)
    return /^<(?:[@#]|!subteam\^)[A-Z0-9]+[|>]/.test(groups['token']) ? groups['token'] : undefined;
  if (groups['url'] !== undefined) return `<${escapeText(groups['url'])}>`;
  if (groups['email'] !== undefined) return `<mailto:${groups['email']}|${groups['email']}>`;
  const handle = groups['handle']?.toLowerCase() ?? '';
  const person = people.get(handle);
  if (person !== undefined) return `<@${person.id}|${person.name}>`;
  const group = userGroups.get(handle);
  if (group !== undefined) return `<!subteam^${group.id}|@${group.handle}>`;
  const channel = channels.get(groups['channel']?.toLowerCase() ?? '');
  return channel === undefined ? undefined : `<#${channel.id}|${channel.name}>`;
}

const messageResponseSchema = z.looseObject({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: z.union([z.boolean(), z.stringbool()]).optional(),
  thread_ts: z.string().optional(),
  metadata: z.object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) }).optional(),
});

type MessageResponseResult = { message?: Message; error?: undefined } | { error: string; details?: string[] };

/**
 * Ephemeral unless it says `in_channel`, and in the channel unless it names the thread:
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 *
 * Applies a message that the app sent in an acknowledgement or to a response URL: posts or replaces.
 * Writes the posted message to `target.originalTs`, so that a later `replace_original` finds it.
 */
export function applyMessageResponse(core: Core, target: ResponseTarget, answer: unknown): MessageResponseResult {
  const parsed = messageResponseSchema.safeParse(typeof answer === 'string' ? { text: answer } : answer);
  if (!parsed.success) return { error: 'invalid_payload' };
  const { data } = parsed;
  const original =
    target.originalTs === undefined ? undefined : findMessage(core.state, target.channel, target.originalTs);
  if ((data.text ?? '') === '' && data.blocks === undefined) return { error: 'no_text' };
  if ((data.text ?? '').length > limits.messageText.max) return { error: 'msg_too_long' };
  const blocks =
    data.blocks === undefined
      ? undefined
      : checkBlocks(data.blocks, { surface: 'message', unknownTypes: unknownTypes(core) });
  if (blocks?.errors !== undefined) return { error: 'invalid_blocks', details: blocks.errors };
  const content = {
    text: data.text ?? '',
    ...(blocks !== undefined && { blocks: identify(blocks.value, () => core.state.newId('b')) }),
    ...(data.metadata !== undefined && { metadata: data.metadata }),
  };
  // Without a word about it, a response to a click in a thread replaces the message with the button.
  const replaces = data.replace_original ?? (target.originalTs !== undefined && target.threadTs !== undefined);
  if (replaces && original !== undefined) {
    changeMessage(core.state, original, content);
    return { message: original };
  }
  const { thread_ts: threadTs } = data;
  const message = postAsBot(core.state, {
    channel: target.channel,
    ...content,
    ...(threadTs !== undefined && { threadTs }),
    ...(data.response_type !== 'in_channel' && { onlyFor: target.user }),
  });
  target.originalTs ??= message.ts;
  return { message };
}
