import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openProcessTestBed, type ProcessTestBed, type ProcessTestBedOptions } from '../process-test-bed.ts';
import { startHoldingProxy, type HoldingProxy, type HoldPoint } from '../proxy.ts';
import { untilReady } from './wait-meter.ts';

/** A request of the bot at which it is killed: before its target receives it, or after the target has answered. */
export interface KillPoint {
  target: 'service' | 'slack';
  matches: (request: string) => boolean;
  point: HoldPoint;
}

interface KillAtTestBed extends Pick<ProcessTestBed, 'workspace' | 'quizService'> {
  /** The requests that the quiz service has answered. */
  passed: readonly string[];
  /**
   * Acts, kills the bot at the request to which that leads, and starts it again.
   *
   * @param options.isAnswered whether the bot answers the person before it is killed
   * @param options.whileDown what happens before the bot starts again
   */
  killAt(
    killPoint: KillPoint,
    act: () => Promise<unknown>,
    options?: { isAnswered?: boolean; whileDown?: () => void },
  ): Promise<void>;
  /** What the bot has logged since it was last killed. */
  log(): string;
  /** Stops the bot with SIGTERM. */
  stop(): Promise<void>;
}

/** One bot in its own process, between a workspace and a quiz service whose requests can be held. It ends with the test. */
export async function openKillAt(
  options: Pick<ProcessTestBedOptions, 'store' | 'env' | 'clock'> = { store: 'sqlite' },
): Promise<KillAtTestBed> {
  const proxies = new Map<KillPoint['target'], HoldingProxy>();
  const through = (target: KillPoint['target']) => async (url: string) => {
    const proxy = await startHoldingProxy(url);
    onTestFinished(() => proxy.close());
    proxies.set(target, proxy);
    return proxy.url;
  };
  const testBed = await openProcessTestBed({
    ...options,
    serviceUrl: through('service'),
    slackUrl: through('slack'),
  });
  onTestFinished(() => testBed.close());
  const bot = testBed.bots[0]!;
  const wholeLog = () => readFileSync(join(testBed.folder, 'bot-1.log'), 'utf8');
  let logged = 0;
  return {
    workspace: testBed.workspace,
    quizService: testBed.quizService,
    passed: proxies.get('service')!.passed,
    async killAt({ target, matches, point }, act, { isAnswered = false, whileDown } = {}) {
      const held = proxies.get(target)!.hold(matches, point);
      const acting = act();
      const ended = acting.catch(() => {});
      await (isAnswered ? Promise.all([held, acting]) : held);
      await bot.kill();
      await ended;
      logged = wholeLog().length;
      whileDown?.();
      await bot.start();
      await untilReady(bot);
    },
    log: () => wholeLog().slice(logged),
    stop: () => bot.stop(),
  };
}
