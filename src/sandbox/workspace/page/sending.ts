import type { Act } from '../page-contract.ts';
import type { Source, Spot } from './scene.ts';
import { server } from './server.ts';
import type { Store } from './store.ts';

const problemMs = 8000;

/** Sends what somebody does. */
export interface Sender {
  /** Resolves with the answer, once the page has the state it led to; with nothing when it failed, which is told. */
  act<T extends object>(deed: Act): Promise<T | undefined>;
  /** Tells for a while what went wrong. */
  complain(error: unknown): void;
}

export function createSender(store: Store, refresh: () => Promise<void>): Sender {
  const ui = () => store.state.ui;

  const complain = (error: unknown): void => {
    const problem = error instanceof Error ? error.message : String(error);
    store.change({ problem });
    setTimeout(() => {
      if (ui().problem === problem) store.change({ problem: null });
    }, problemMs);
  };

  return {
    complain,
    async act<T extends object>(deed: Act): Promise<T | undefined> {
      store.change({ pending: ui().pending + 1, problem: null });
      try {
        const answer = await server.act<T>(ui().person, deed);
        await refresh();
        return answer;
      } catch (error) {
        complain(error);
        return undefined;
      } finally {
        store.change({ pending: ui().pending - 1 });
      }
    },
  };
}

/** Where somebody acts, and on what, as the workspace is told. */
export const whereOf = (source: Source) =>
  source.kind === 'view' ? { view: source.id } : { channel: source.channel, ts: source.ts };
export const whatOf = (spot: Spot) => ({ block: spot.block.block_id ?? '', action: spot.actionId });
