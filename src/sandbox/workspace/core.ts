import type { Clock } from './clock.ts';
import type { Dispatcher } from './delivery/dispatcher.ts';
import type { Sockets } from './delivery/sockets.ts';
import type { Faults } from './faults.ts';
import type { Manifest } from './manifest.ts';
import type { ResponseUrls, Triggers } from './expiring-handles.ts';
import type { State } from './state.ts';
import type { Uploads } from './uploads.ts';

export interface Strictness {
  /** Tiers of the Web API and one message a second a channel. Default: true. */
  rateLimits: boolean;
  /** A workspace that does not know data_table, data_visualization, card, carousel and alert yet. Default: false. */
  legacy: boolean;
  /** Messages a minute over all channels. Slack says "several hundred". Default: 600. */
  messagesPerMinute: number;
}

/** What the parts of the workspace share. */
export interface Core {
  readonly clock: Clock;
  readonly state: State;
  readonly manifest: Manifest;
  readonly strictness: Strictness;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly faults: Faults;
  readonly dispatcher: Dispatcher;
  readonly sockets: Sockets;
  readonly uploads: Uploads;
  readonly baseUrl: () => string;
}

const newBlocks: ReadonlySet<string> = new Set(['data_table', 'data_visualization', 'card', 'carousel', 'alert']);

/** The block types that this workspace is too old to know. */
export const unknownTypes = (core: Pick<Core, 'strictness'>): ReadonlySet<string> =>
  core.strictness.legacy ? newBlocks : new Set();
