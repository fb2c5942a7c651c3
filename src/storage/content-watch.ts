import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import type { ChainHead } from '../domain/audit-chain.ts';
import { later, type SetTimer } from '../time/clock.ts';
import type { SteadyClock } from '../time/steady-clock.ts';
import {
  contentLoss,
  readKnownContent,
  type ContentLoss,
  type KnownContent,
  type StoreIdentity,
} from './known-content.ts';

/** Of webhooks that waited to be stored, and of submissions without a webhook, the bot does not know until then. */
const graceMs = 15 * 60_000;

/** A killed bot forgets the last entries that it appended to the audit trail within this time. */
const headsKeptAfterMs = 1_000;

export type ContentWatch = ReturnType<typeof createContentWatch>;

/**
 * Notices a store that lost its content: while the bot runs, and at its start, since the last look is also kept in a file.
 *
 * @param options.path undefined: nothing is kept
 * @param options.settledUntil what the bot took before this time is posted; Infinity where nothing waits
 * @param options.onError called once where the file cannot be read or written
 */
export function createContentWatch(options: {
  path: string | undefined;
  settledUntil: () => Promise<number>;
  now: () => number;
  /** Continues from the last look. */
  steady?: Pick<SteadyClock, 'resumeFrom'> | undefined;
  onError: (error: unknown) => void;
  setTimer?: SetTimer | undefined;
}) {
  const { path, now, setTimer = later } = options;
  // Instances may share the folder.
  const newPath = `${path}.${randomUUID().slice(0, 8)}.new`;
  const listeners = new Set<(loss: ContentLoss) => void>();
  let hasFailed = false;
  let cancelWrite: (() => void) | undefined;
  let known = read();
  let loss: ContentLoss | undefined;
  if (known) options.steady?.resumeFrom(known.at);
  const heads = new Map(Object.entries(known?.heads ?? {}));

  function fail(error: unknown): void {
    if (!hasFailed)
      options.onError(
        new Error(`${path} cannot be used: a store that loses its content while the bot is stopped goes unnoticed`, {
          cause: error,
        }),
      );
    hasFailed = true;
  }

  function read(): KnownContent | undefined {
    if (path === undefined) return undefined;
    try {
      return readKnownContent(path);
    } catch (error) {
      fail(error);
      return undefined;
    }
  }

  function write(): void {
    cancelWrite?.();
    cancelWrite = undefined;
    if (path === undefined || known === undefined) return;
    try {
      writeFileSync(newPath, JSON.stringify({ ...known, heads: Object.fromEntries(heads) }), { mode: 0o600 });
      renameSync(newPath, path);
    } catch (error) {
      fail(error);
    }
  }

  return {
    /** The last known entry of each workspace's audit trail. Kept within a second, and when the watch is closed. */
    heads: {
      get: (teamId: string) => heads.get(teamId),
      set(teamId: string, head: ChainHead): void {
        heads.set(teamId, head);
        cancelWrite ??= setTimer(write, headsKeptAfterMs);
      },
    },
    /** Undefined while the store has the content that the bot knew. A loss remains until the bot restarts. */
    loss: () => loss,
    /** Calls back with a loss that was found, and with each that is found. */
    onLoss(listener: (loss: ContentLoss) => void): void {
      listeners.add(listener);
      if (loss) listener(loss);
    },
    /** Compares the identity that the store has now, after a look made its generation greater, with the known one, and keeps it. */
    async look(found: StoreIdentity): Promise<void> {
      const before = { id: found.id, generation: found.generation - 1 };
      const lost = known && contentLoss(known, before);
      const settledUntil =
        lost === undefined ? Math.min(now(), await options.settledUntil()) - graceMs : now() - graceMs;
      known = { id: found.id, generation: found.generation, at: now(), settledUntil, heads: {} };
      if (lost) {
        loss = { ...lost, found };
        for (const listener of listeners) listener(loss);
      }
      write();
    },
    /** Keeps what waits to be kept. */
    close(): void {
      if (cancelWrite) write();
    },
  };
}
