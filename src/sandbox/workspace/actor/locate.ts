import { actionIdOf, elementsOf, initialValues } from '../interactive-elements.ts';
import type { Core } from '../core.ts';
import type { Block } from '../block-kit/blocks.ts';
import type { InteractiveElement } from '../block-kit/elements.ts';
import type { Source } from '../delivery/payloads.ts';
import { findMessage } from '../messages.ts';
import type { Channel, InputValues, Message, Person, View } from '../model.ts';
import type { OwnApp } from '../own-apps.ts';
import { slackbot } from '../people.ts';
import { directMessages } from '../state.ts';
import { findView } from '../view-stacks.ts';

/** Names a message, or a view by itself or by its id. */
export type ContainerRef = { channel: string; ts: string } | { view: View | string };

/** Names an element by its action id, or by block id, action id or both. */
export type ElementRef = string | { block?: string; action?: string };

/** @throws Error when no person has this id */
export function requirePerson(core: Core, userId: string): Person {
  const person = core.state.people.get(userId);
  if (person === undefined) throw new Error(`nobody here has the id ${userId}`);
  return person;
}

function requireChannel(core: Core, channelId: string): Channel {
  const channel = core.state.channels.get(channelId);
  if (channel === undefined) throw new Error(`no channel has the id ${channelId}`);
  return channel;
}

/**
 * Finds a channel that the person is a member of. Creates the direct messages with the bot on first use.
 * @throws Error when the channel does not exist or the person is not a member
 */
export function visibleChannel(core: Core, person: Person, channelId: string): Channel {
  const direct = directMessages(core.state, person.id);
  if (channelId === direct.id) return direct;
  const channel = requireChannel(core, channelId);
  if (!channel.members.includes(person.id)) throw new Error(`${person.name} is not in ${channel.name}`);
  return channel;
}

/** @throws Error when the view is not open */
export function requireView(core: Core, view: View | string): View {
  const id = typeof view === 'string' ? view : view.id;
  const found = findView(core.state, id);
  if (found === undefined) throw new Error(`the view ${id} is not open`);
  return found;
}

export const inputsKey = (message: Message, userId: string): string => `${message.channel}:${message.ts}:${userId}`;

/** The input state of a message. Each person has a state of their own. */
function messageInputs(core: Core, message: Message, userId: string): InputValues {
  return initialValues(message.blocks ?? [], core.state.messageInputs.get(inputsKey(message, userId)));
}

/** @throws Error when the view is not open or the person cannot see the message */
export function findSource(core: Core, container: ContainerRef, userId: string): Source & { blocks: readonly Block[] } {
  if ('view' in container) {
    const view = requireView(core, container.view);
    return { view, blocks: view.blocks };
  }
  const message = findMessage(core.state, container.channel, container.ts);
  if (message === undefined || (message.onlyFor ?? userId) !== userId)
    throw new Error(`${userId} sees no message ${container.ts} in ${container.channel}`);
  return {
    message,
    channel: requireChannel(core, container.channel),
    values: messageInputs(core, message, userId),
    blocks: message.blocks ?? [],
  };
}

/** The app of Slack’s own that shows this, if any. */
export function ownAppOf(core: Core, source: Source): OwnApp | undefined {
  const name = 'view' in source ? source.view.callback_id : source.message.user === slackbot.id ? 'slackbot' : '';
  if (name === 'slackbot') return core.slackbot;
  return name === 'workflow' ? core.workflowBuilder : undefined;
}

export interface LocatedElement {
  block: Block;
  element: InteractiveElement;
}

/** @throws Error when no element or more than one matches */
export function findElement(blocks: readonly Block[], ref: ElementRef): LocatedElement {
  const wanted = typeof ref === 'string' ? { action: ref } : ref;
  const all = blocks.flatMap((block): LocatedElement[] => elementsOf(block).map((element) => ({ block, element })));
  const found = all.filter(
    ({ block, element }) =>
      ('block' in wanted ? wanted.block === undefined || block.block_id === wanted.block : true) &&
      (wanted.action === undefined || actionIdOf(element) === wanted.action),
  );
  const [first] = found;
  if (first === undefined || found.length > 1) {
    const available = all.map(({ block, element }) => `${block.block_id}/${actionIdOf(element)}`).join(', ');
    throw new Error(`${found.length} elements are ${JSON.stringify(ref)}; there are ${available || 'none'}`);
  }
  return first;
}
