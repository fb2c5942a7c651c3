import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import { createPace } from '../../time/timers.ts';
import { callSlack } from '../errors.ts';
import type { QuietUntil } from '../../features/delivery/person-view.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { Log } from '../../observability/log.ts';

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

/** In milliseconds since the epoch; `askedAt`: when Slack said so. */
interface QuietTime {
  from: number;
  until: number;
  askedAt: number;
}

/** `dnd.teamInfo` answers for 50 people, 20 times a minute: https://docs.slack.dev/reference/methods/dnd.teamInfo */
const peopleAtMost = 50;
const callPace = { everyMs: 3_000, burst: 5 };
const believedForMs = 5 * 60_000;
const rememberedAtMost = 10_000;
/** How long messages go out without asking, after Slack failed or refused. */
const failedForMs = 60_000;
const refusedForMs = 3_600_000;

/**
 * Which people are in do-not-disturb. Asks Slack about many people at once: `dnd.info` answers for one, 50 times a minute. Where Slack does not answer, or the
 * scope `dnd:read` is missing, nobody counts as in do-not-disturb.
 */
export function createDoNotDisturb({ client, log, now }: { client: WebClient; log: Log; now: () => number }) {
  const pace = createPace({ ...callPace, now });
  const known = new Map<string, QuietTime>();
  const waiting = new Set<string>();
  let isVisible: boolean | undefined;
  let blindUntil = -Infinity;
  let batch: { personIds: ReadonlySet<string>; read: Promise<void> } | undefined;

  return {
    /** Whether Slack lets the bot see it; undefined before the first call. */
    isVisible: () => isVisible,
    async quietUntil(personId: string): ReturnType<QuietUntil> {
      if (now() < blindUntil) return undefined;
      const fresh = freshFor(personId);
      if (fresh) return quietEnd(fresh);
      if (!batch?.personIds.has(personId)) {
        waiting.add(personId);
        const at = batch ? now() + callPace.everyMs : pace.turn('');
        if (at !== undefined) return at + placeOf(personId);
        startBatch();
      }
      await batch?.read;
      return quietEnd(freshFor(personId));
    },
  };

  function freshFor(personId: string): QuietTime | undefined {
    const time = known.get(personId);
    return time && time.askedAt <= now() && now() < time.askedAt + believedForMs ? time : undefined;
  }

  function quietEnd(time: QuietTime | undefined): number | undefined {
    return time && time.from <= now() && now() < time.until ? time.until : undefined;
  }

  /** How much later the batch of a person is, in milliseconds. */
  function placeOf(personId: string): number {
    return Math.floor([...waiting].indexOf(personId) / peopleAtMost) * callPace.everyMs;
  }

  function startBatch(): void {
    const personIds = new Set([...waiting].slice(0, peopleAtMost));
    for (const personId of personIds) waiting.delete(personId);
    const read = readTimes([...personIds]).finally(() => {
      batch = undefined;
    });
    batch = { personIds, read };
  }

  async function readTimes(personIds: readonly string[]): Promise<void> {
    try {
      const { users = {} } = await callSlack(async () => client.dnd.teamInfo({ users: personIds.join(',') }));
      isVisible = true;
      if (known.size + personIds.length > rememberedAtMost) known.clear();
      for (const personId of personIds) known.set(personId, quietTimeIn(users[personId], now()));
    } catch (error) {
      const isRefused = error instanceof PlatformError && error.code === 'missing_scope';
      if (isRefused) isVisible = false;
      else log.warn({ error }, 'Slack does not say who is in do-not-disturb; messages go out all the same');
      blindUntil = now() + (isRefused ? refusedForMs : failedForMs);
    }
  }
}

/** Slack's times are in seconds, and of the next or the present period. */
function quietTimeIn(
  status: { dnd_enabled?: boolean; next_dnd_start_ts?: number; next_dnd_end_ts?: number } | undefined,
  askedAt: number,
): QuietTime {
  const { dnd_enabled: isEnabled = false, next_dnd_start_ts: from = 0, next_dnd_end_ts: until = 0 } = status ?? {};
  return isEnabled ? { from: from * 1_000, until: until * 1_000, askedAt } : { from: 0, until: 0, askedAt };
}
