import { onTestFinished } from 'vitest';
import { startProxy } from './proxy.ts';

/** Where in its course a request is held: before the other side sees it, or after it was done and before the answer. */
export type HoldPoint = 'before' | 'after';

export interface HoldingProxy {
  url: string;
  /** The requests the other side has seen, as `POST /api/v1/users/u-1 suspended=true`. */
  passed: string[];
  /** Holds the next request that fits, for good: whoever sent it has to die. Resolves when it is held. */
  hold(fits: (request: string) => boolean, point: HoldPoint): Promise<void>;
}

/** Stands between the bot and another program, so that a test can stop the bot at an exact place. */
export async function startHoldingProxy(targetUrl: string): Promise<HoldingProxy> {
  const passed: string[] = [];
  let holding: { fits: (request: string) => boolean; point: HoldPoint; held: () => void } | undefined;

  function isHeld(line: string, point: HoldPoint): boolean {
    if (holding?.point !== point || !holding.fits(line)) return false;
    holding.held();
    holding = undefined;
    return true;
  }

  const { url, close } = await startProxy(targetUrl, {
    before: ({ line }) => isHeld(line, 'before'),
    after({ line }) {
      passed.push(line);
      return isHeld(line, 'after');
    },
  });
  onTestFinished(close);
  return {
    url,
    passed,
    hold: (fits, point) => new Promise((resolve) => (holding = { fits, point, held: resolve })),
  };
}
