import { filePayload, isShared, uncheckedFile } from './uploads.ts';
import type { Channel, Message } from './model.ts';
import { appId, botId, botUserId, slackbot } from './people.ts';
import type { State } from './state.ts';

/** Escapes `&`, `<` and `>`, as Slack does in every text it sends. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

type NewMessage = Omit<Message, 'ts'>;

export function postMessage(state: State, message: NewMessage): Message {
  const posted: Message = { ...message, ts: state.newTs() };
  if (posted.onlyFor === undefined) state.messages.push(posted);
  else state.ephemerals.show(posted);
  state.changes.emit();
  return posted;
}

/** Posts a message as the bot. */
export function postAsBot(state: State, message: Omit<NewMessage, 'user' | 'botId'>): Message {
  return postMessage(state, { ...message, user: botUserId, botId });
}

/** Posts a message of the workspace itself that one person sees, for example about a failed command. */
export function postEphemeral(state: State, userId: string, channel: string, text: string): Message {
  return postMessage(state, { channel, user: slackbot.id, text, onlyFor: userId });
}

/** Shows a person a temporary notice of the workspace itself. Keeps the last 100. */
export function notify(state: State, user: string, text: string): void {
  state.notices.push({ id: state.newId('N'), user, text });
  if (state.notices.length > 100) state.notices.shift();
  state.changes.emit();
}

export function findMessage(state: State, channel: string, ts: string): Message | undefined {
  const isWanted = (message: Message): boolean => message.channel === channel && message.ts === ts;
  return state.messages.findLast(isWanted) ?? state.ephemerals.all().find(isWanted);
}

/** Applies a change. A change without blocks removes the blocks. */
export function changeMessage(state: State, message: Message, change: Pick<Message, 'text'> & Partial<Message>): void {
  Object.assign(message, change);
  if (change.blocks === undefined) delete message.blocks;
  state.changes.emit();
}

/** Lists the messages of a channel that a person sees on a page, replies in threads included, oldest first. */
export function visibleTo(state: State, userId: string, channel: string, clientId: string): Message[] {
  const ephemeral = state.ephemerals.on(clientId).filter((message) => message.onlyFor === userId);
  return [...state.messages, ...ephemeral]
    .filter((message) => message.channel === channel)
    .toSorted((a, b) => Number(a.ts) - Number(b.ts));
}

/** The message object of Slack's API and payloads. @param channel of the message; files of shared channels need a look at `files.info` */
export function messagePayload(
  message: Message,
  teamId: string,
  withMetadata = false,
  channel?: Channel,
): Record<string, unknown> {
  const describe = channel !== undefined && isShared(channel) ? uncheckedFile : filePayload;
  return {
    type: 'message',
    ...(message.files !== undefined && message.botId === undefined && { subtype: 'file_share', upload: false }),
    ...(message.isBroadcast === true && { subtype: 'thread_broadcast' }),
    ...(message.botId !== undefined && { bot_id: message.botId, app_id: appId }),
    user: message.user,
    ts: message.ts,
    team: teamId,
    text: message.text,
    ...(message.blocks !== undefined && { blocks: message.blocks }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(message.editedTs !== undefined && { edited: { user: message.user, ts: message.editedTs } }),
    ...(message.files !== undefined && {
      files: message.files.map(describe),
    }),
    ...(message.metadata !== undefined && {
      metadata: withMetadata ? message.metadata : { event_type: message.metadata.event_type },
    }),
  };
}
