import { applyMessageResponse } from './message-response.ts';
import { visibleChannel } from './locate.ts';
import { type Outcome, outcomeOf, showDeliveryError, watch } from './outcome.ts';
import { directoryOf, resolveText } from './typed-text.ts';
import type { Core } from '../core.ts';
import { commandPayload, messageShortcutPayload, shortcutPayload } from '../delivery/payloads.ts';
import type { ResponseTarget } from '../expiring-handles.ts';
import { findMessage, postEphemeral } from '../messages.ts';
import type { Person } from '../model.ts';

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
  const triggerId = core.triggers.issue({ user: person.id });
  const delivery = await core.dispatcher.deliver(
    'command',
    commandPayload({ person, channel, command: name, text, triggerId, responseUrl: core.responseUrls.issue(target) }),
  );
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
  const payload = shortcutPayload({
    person,
    callbackId,
    triggerId: core.triggers.issue({ user: person.id }),
    actionTs: core.state.newTs(),
  });
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
  const responseUrl = core.responseUrls.issue({ user: person.id, channel: channelId, originalTs: ts });
  const payload = messageShortcutPayload({
    person,
    callbackId,
    triggerId: core.triggers.issue({ user: person.id }),
    actionTs: core.state.newTs(),
    responseUrl,
    channel,
    message,
  });
  return outcomeOf(watched, showDeliveryError(core, person, await core.dispatcher.deliver('message_action', payload)));
}

function requireShortcut(core: Core, callbackId: string, type: 'global' | 'message'): void {
  const known = core.manifest.features.shortcuts
    .filter((shortcut) => shortcut.type === type)
    .map((shortcut) => shortcut.callback_id);
  if (!known.includes(callbackId))
    throw new Error(`the manifest has no ${type} shortcut ${callbackId}, but ${known.join(', ') || 'none'}`);
}
