import type { OneAtATime } from '../../storage/leases.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { AgentToken, AgentTokens } from '../../operations/services/people.ts';
import type { IncomingMessage } from 'node:http';
import type { OperationRequest, ExecutionResult } from '../../governance/perform/execute.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';

const ttlMs = 30 * 24 * 60 * 60_000;
const tokensAtMost = 10;

export interface StoredToken extends AgentToken {
  /** SHA-256 of the token, in hexadecimal. The token itself has 256 random bits, so a slower hash would protect nothing more. */
  hash: string;
}

/** @returns the person whose token it is; undefined for a token that is unknown, expired or revoked */
export type CheckToken = (token: string) => Promise<Pick<Caller, 'personId' | 'teamId' | 'tokenName'> | undefined>;

/**
 * Keeps the tokens of people. A token names its person, so all that is known of a person’s tokens is one record: revoking
 * takes effect with one write, on every instance.
 */
export function createAgentTokens(deps: {
  store: Pick<Keyv<StoredToken[]>, 'get' | 'set'>;
  oneAtATime: OneAtATime;
  newSecret: () => string;
  now: () => number;
}): { of: (teamId: string) => AgentTokens; check: CheckToken } {
  const { store, now } = deps;
  const keyOf = (teamId: string, personId: string) => `${teamId}:${personId}`;
  const currentOf = async (teamId: string, personId: string) =>
    ((await store.get(keyOf(teamId, personId))) ?? []).filter(({ expiresAt }) => expiresAt > now());

  async function change<Value>(
    teamId: string,
    personId: string,
    how: (tokens: readonly StoredToken[]) => { tokens: readonly StoredToken[]; value: Value },
  ): Promise<Value | 'busy'> {
    const changed = await deps.oneAtATime.unlessBusy(`agent-tokens/${keyOf(teamId, personId)}`, async () => {
      const { tokens, value } = how(await currentOf(teamId, personId));
      await store.set(keyOf(teamId, personId), [...tokens], ttlMs);
      return value;
    });
    return changed.isBusy ? 'busy' : changed.value;
  }

  return {
    of: (teamId) => ({
      async all(personId) {
        return (await currentOf(teamId, personId)).map(({ name, createdAt, expiresAt }) => ({
          name,
          createdAt,
          expiresAt,
        }));
      },
      async make(personId, name) {
        const secret = `inv_${teamId}_${personId}_${deps.newSecret()}`;
        const token = { name, createdAt: now(), expiresAt: now() + ttlMs };
        return change<(AgentToken & { secret: string }) | 'taken' | 'too many'>(teamId, personId, (tokens) => {
          if (tokens.some((other) => other.name === name)) return { tokens, value: 'taken' };
          if (tokens.length >= tokensAtMost) return { tokens, value: 'too many' };
          return { tokens: [...tokens, { ...token, hash: hashOf(secret) }], value: { ...token, secret } };
        });
      },
      async revoke(personId, name) {
        return change(teamId, personId, (tokens) => ({
          tokens: tokens.filter((token) => token.name !== name),
          value: tokens.some((token) => token.name === name),
        }));
      },
    }),
    async check(token) {
      const [, teamId, personId] = /^inv_([A-Z0-9]{1,30})_([A-Z0-9]{1,30})_[\w-]{43}$/.exec(token) ?? [];
      if (teamId === undefined || personId === undefined) return undefined;
      const hash = Buffer.from(hashOf(token), 'hex');
      const found = (await currentOf(teamId, personId)).find((stored) =>
        timingSafeEqual(Buffer.from(stored.hash, 'hex'), hash),
      );
      return found && { teamId, personId, tokenName: found.name };
    },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Who calls a tool: a person, through the platform’s assistant or through an agent that has a token of theirs. */
export interface Caller {
  personId: string;
  teamId: string;
  through: Extract<OperationRequest['through'], 'assistant' | 'agent'>;
  /** The name of the token; undefined for the assistant. */
  tokenName?: string;
}

/** The assistant of the platform, whose requests are signed. */
export interface AssistantDoor {
  /** Whether a request claims to come from the platform. */
  isClaimed(request: IncomingMessage): boolean;
  /** Why the head of a request is refused, before its body is read. */
  refusalByHead(request: IncomingMessage): string | undefined;
  refusalByBody(request: IncomingMessage, body: string): string | undefined;
  /** The person in whose name a signed message came; undefined for messages that name nobody. A sentence where the person is not served. */
  callerIn(message: unknown): Promise<Caller | { refused: string } | undefined>;
}

/** What the platform does for tools. */
export interface AgentPlatform {
  /** What goes into the `_meta` of a result for the assistant, which draws the outcome. */
  pictureOf(
    operation: Operation,
    input: TextInput,
    outcome: Exclude<ExecutionResult, { kind: 'incomplete' }>,
  ): Readonly<Record<string, unknown>>;
  /** Puts the bot’s names in the workspace into a sentence. */
  inOwnNames(sentence: string): string;
  /** Reads mentions and IDs in an argument, as the core writes them. */
  readText(text: string): string;
  /** Sends the person what only they can press, such as a confirmation, in a direct message. @throws {PlatformError} */
  sendToPress(
    caller: Caller,
    operation: Operation,
    input: TextInput,
    outcome: Exclude<ExecutionResult, { kind: 'incomplete' }>,
  ): Promise<void>;
  /** What goes into the `_meta` of each tool. */
  toolMeta: Readonly<Record<string, unknown>>;
}
