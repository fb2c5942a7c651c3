import { setTimeout as pause } from 'node:timers/promises';
import { untilSo } from '../watchdog.ts';
import type { KillableBot } from '../killable-bot.ts';
import type { Load } from './kill-test.ts';

const pollMs = 25;

/** Measures how long what is left to do waits after bots are ready again, by the clock of the test bed. */
export function createWaitMeter({ done, isWaiting }: Pick<Load, 'done' | 'isWaiting'>, now: () => number) {
  const waits: number[] = [];
  const measuring = new Map<KillableBot, AbortController>();
  let isOver = false;

  /** Undefined where the bot is killed again, or nothing is left to do. */
  async function measure(bot: KillableBot, doneBefore: number, killed: AbortSignal): Promise<number | undefined> {
    const isGoingOn = () => done() > doneBefore;
    const isCutOff = () => killed.aborted || isOver;
    for (; !(await isReady(bot)); await pause(pollMs)) if (isCutOff()) return undefined;
    const readyAt = now();
    if (isGoingOn()) return 0;
    for (; !isGoingOn(); await pause(pollMs)) if (isCutOff() || !isWaiting()) return undefined;
    return now() - readyAt;
  }

  return {
    /** Call when a bot is gone. */
    killed(bot: KillableBot): void {
      measuring.get(bot)?.abort();
      const next = new AbortController();
      measuring.set(bot, next);
      void measure(bot, done(), next.signal).then((ms) => ms !== undefined && waits.push(ms));
    },
    stop(): void {
      isOver = true;
    },
    /** How many waits were measured, and the longest of them. */
    longest: () => ({ measured: waits.length, ms: Math.max(0, ...waits) }),
  };
}

export async function untilReady(bot: Pick<KillableBot, 'url'>): Promise<void> {
  await untilSo(() => isReady(bot));
}

/** Whether the bot of a process is ready, or every bot of a file of tenants. */
async function isReady({ url }: Pick<KillableBot, 'url'>): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`);
    const { tenants = {} } = (await answer.json()) as { tenants?: Record<string, string> };
    return answer.ok && Object.values(tenants).every((state) => state === 'up');
  } catch {
    return false;
  }
}
