import type { Arguments } from './arguments.ts';
import type { Core } from '../core.ts';
import type { Channel } from '../model.ts';

/** https://docs.slack.dev/apis/web-api/rate-limits; `special` methods have rules of their own. */
export type Tier = 1 | 2 | 3 | 4 | 'special';

/** A Web API method as data. */
export interface Method {
  tier: Tier;
  /** Scopes the token must hold: one of them is enough. */
  scopes: readonly string[];
  /** Which token may call it. Default: the bot's. */
  token?: 'bot' | 'app';
  run(core: Core, args: Arguments): Record<string, unknown>;
}

/** An answer with `ok: false`. */
export class ApiError extends Error {
  readonly error: string;
  readonly extra: Record<string, unknown>;

  constructor(error: string, extra: Record<string, unknown> = {}) {
    super(error);
    this.error = error;
    this.extra = extra;
  }
}

export const missingScope = (needed: string, granted: readonly string[]): ApiError =>
  new ApiError('missing_scope', { needed, provided: granted.join(',') });

/** Scopes of conversations.* depend on the kind of conversation. */
export function requireScopeFor(core: Core, channel: Channel, action: 'read' | 'history' | 'write'): void {
  const family = { public: 'channels', private: 'groups', im: 'im' }[channel.kind];
  const needed = `${family}:${action}`;
  const granted = core.manifest.oauth_config.scopes.bot;
  if (!granted.includes(needed)) throw missingScope(needed, granted);
}
