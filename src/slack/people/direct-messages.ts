import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import { createPace } from '../../features/alerts/direct-messages/pace.ts';
import { callSlack } from '../errors.ts';

/** Finds the conversation of the bot with a person. */
export interface OpenDirectMessages {
  /** @returns the id of the conversation @throws {PlatformError} */
  (personId: string): Promise<string>;
  /** Whether the id is at hand, without a call of Slack. */
  knows(personId: string): Promise<boolean>;
}

/** People whose conversation is remembered in memory. The id of a conversation never changes. */
const knownAtMost = 10_000;

/**
 * Finds conversations with `conversations.open`. `chat.postMessage` also takes the person's id, but then the message can end
 * up with Slackbot: https://docs.slack.dev/reference/methods/chat.postMessage#channels
 *
 * @param deps.conversations ids of conversations, by workspace and person; without it, they are remembered in memory alone
 */
export function createOpenDirectMessages(deps: {
  client: WebClient;
  conversations?: Pick<Keyv<string>, 'get' | 'set'>;
  teamId?: () => string | undefined;
}): OpenDirectMessages {
  const { client, conversations } = deps;
  const keyOf = (personId: string) => `${deps.teamId?.() ?? ''}:${personId}`;
  const known = new Map<string, string>();

  async function openFor(personId: string): Promise<string> {
    const stored = await storedFor(personId);
    const id = stored ?? (await open(personId));
    if (known.size >= knownAtMost) known.clear();
    known.set(personId, id);
    // Without a store, the conversation is looked up again after a start.
    if (stored === undefined) await conversations?.set(keyOf(personId), id).catch(() => {});
    return id;
  }

  async function storedFor(personId: string): Promise<string | undefined> {
    return known.get(personId) ?? (await conversations?.get(keyOf(personId)).catch(() => undefined));
  }

  async function open(personId: string): Promise<string> {
    const { channel } = await callSlack(async () => client.conversations.open({ users: personId }));
    if (!channel?.id) throw new Error('Slack opened a conversation without an id');
    return channel.id;
  }

  return Object.assign(openFor, { knows: async (personId: string) => (await storedFor(personId)) !== undefined });
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
