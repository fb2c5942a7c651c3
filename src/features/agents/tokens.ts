import type { OneAtATime } from '../../storage/leases.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { AgentToken, AgentTokens } from '../../operations/services/people.ts';
import type { Caller } from './caller.ts';

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
