import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import { createPace } from '../../time/timers.ts';
import { callSlack } from '../errors.ts';

/** Finds the conversation of the bot with a person. */
export interface OpenDirectMessages {
  /** @returns the id of the conversation @throws {PlatformError} */
  (personId: string): Promise<string>;
  /** Whether the id is at hand, without a call of Slack. */
  knows(personId: string): Promise<boolean>;
}

/** @returns the person of a conversation that the bot opened, also before a restart; undefined for others */
type PersonOfDirectMessages = (conversationId: string) => Promise<string | undefined>;

/** IDs of people and conversations that are remembered in memory. The id of a conversation never changes. */
const knownAtMost = 20_000;

/**
 * Finds conversations with `conversations.open`. `chat.postMessage` also takes the person's id, but then the message can end
 * up with Slackbot: https://docs.slack.dev/reference/methods/chat.postMessage#channels
 *
 * @param deps.conversations ids of conversations, by workspace and person, and the reverse; without it, they are remembered in memory alone
 */
export function createOpenDirectMessages(deps: {
  client: WebClient;
  conversations?: Pick<Keyv<string>, 'get' | 'set'>;
  teamId?: () => string | undefined;
}): OpenDirectMessages & { personOf: PersonOfDirectMessages } {
  const { client, conversations } = deps;
  const keyOf = (id: string) => `${deps.teamId?.() ?? ''}:${id}`;
  /** The other of a person and a conversation, by the id of either. */
  const known = new Map<string, string>();

  async function openFor(personId: string): Promise<string> {
    const id = (await otherOf(personId)) ?? (await open(personId));
    if ((await otherOf(id)) === undefined) await Promise.all([keep(personId, id), keep(id, personId)]);
    return id;
  }

  /** Without a store, the conversation is looked up again after a start. */
  async function otherOf(id: string): Promise<string | undefined> {
    const other = known.get(id) ?? (await conversations?.get(keyOf(id)).catch(() => undefined));
    if (other !== undefined) remember(id, other);
    return other;
  }

  function remember(id: string, other: string): void {
    if (known.size >= knownAtMost) known.clear();
    known.set(id, other);
  }

  async function keep(id: string, other: string): Promise<void> {
    remember(id, other);
    await conversations?.set(keyOf(id), other).catch(() => {});
  }

  async function open(personId: string): Promise<string> {
    const { channel } = await callSlack(async () => client.conversations.open({ users: personId }));
    if (!channel?.id) throw new Error('Slack opened a conversation without an id');
    return channel.id;
  }

  return Object.assign(openFor, {
    knows: async (personId: string) => (await otherOf(personId)) !== undefined,
    personOf: otherOf,
  });
}

/** Below the 50 a minute of `conversations.open`, which people need, too: https://docs.slack.dev/apis/web-api/rate-limits */
const openingPace = { everyMs: 1_500, burst: 10 };

/**
 * Spaces out how the conversations of many people are opened.
 * @returns when to ask again (milliseconds since the epoch); undefined: the conversation is known, or may be opened now
 */
export function createOpeningTurn({
  knows,
  now,
}: {
  knows: OpenDirectMessages['knows'];
  now: () => number;
}): (personId: string) => Promise<number | undefined> {
  const pace = createPace({ ...openingPace, now });
  return async (personId) => ((await knows(personId)) ? undefined : pace.turn(personId));
}
