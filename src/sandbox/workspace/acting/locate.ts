import type { What, Where } from './actor.ts';
import { actionIdOf, elementsOf } from '../block-elements.ts';
import type { Core } from '../core.ts';
import type { Block } from '../block-kit/blocks.ts';
import type { InteractiveElement } from '../block-kit/elements.ts';
import type { Source } from '../delivery/payloads.ts';
import { initialValues } from '../inputs.ts';
import { findMessage } from '../messages.ts';
import type { Channel, InputValues, Message, Person, View } from '../model.ts';
import { directMessages } from '../state.ts';
import { findView } from '../view-stacks.ts';

export function personOf(core: Core, userId: string): Person {
  const person = core.state.people.get(userId);
  if (person === undefined) throw new Error(`nobody here has the id ${userId}`);
  return person;
}

function channelOf(core: Core, channelId: string): Channel {
  const channel = core.state.channels.get(channelId);
  if (channel === undefined) throw new Error(`no channel has the id ${channelId}`);
  return channel;
}

/** A channel the person is in; their direct messages with the bot are made when first needed. */
export function visibleChannel(core: Core, person: Person, channelId: string): Channel {
  const direct = directMessages(core.state, person.id);
  if (channelId === direct.id) return direct;
  const channel = channelOf(core, channelId);
  if (!channel.members.includes(person.id)) throw new Error(`${person.name} is not in ${channel.name}`);
  return channel;
}

export function viewOf(core: Core, view: View | string): View {
  const id = typeof view === 'string' ? view : view.id;
  const found = findView(core.state, { id });
  if (found === undefined) throw new Error(`the view ${id} is not open`);
  return found;
}

export const inputsKey = (message: Message, userId: string): string => `${message.channel}:${message.ts}:${userId}`;

/** What the inputs of a message hold for one person. */
export function messageInputs(core: Core, message: Message, userId: string): InputValues {
  return initialValues(message.blocks ?? [], core.state.messageInputs.get(inputsKey(message, userId)));
}

export function sourceOf(core: Core, where: Where, userId: string): Source & { blocks: readonly Block[] } {
  if ('view' in where) {
    const view = viewOf(core, where.view);
    return { view, blocks: view.blocks };
  }
  const message = findMessage(core.state, where.channel, where.ts);
  if (message === undefined || (message.onlyFor ?? userId) !== userId)
    throw new Error(`${userId} sees no message ${where.ts} in ${where.channel}`);
  return {
    message,
    channel: channelOf(core, where.channel),
    values: messageInputs(core, message, userId),
    blocks: message.blocks ?? [],
  };
}

export interface Found {
  block: Block;
  element: InteractiveElement;
}

/** The element somebody means; throws when the blocks hold none or several. */
export function findElement(blocks: readonly Block[], what: What): Found {
  const wanted = typeof what === 'string' ? { action: what } : what;
  const all = blocks.flatMap((block): Found[] => elementsOf(block).map((element) => ({ block, element })));
  const found = all.filter(
    ({ block, element }) =>
      ('block' in wanted ? wanted.block === undefined || block.block_id === wanted.block : true) &&
      (wanted.action === undefined || actionIdOf(element) === wanted.action),
  );
  const [first] = found;
  if (first === undefined || found.length > 1) {
    const there = all.map(({ block, element }) => `${block.block_id}/${actionIdOf(element)}`).join(', ');
    throw new Error(`${found.length} elements are ${JSON.stringify(what)}; there are ${there || 'none'}`);
  }
  return first;
}
