import { appendFileSync, readFileSync } from 'node:fs';
import { createApp } from '../../src/app.ts';
import { readConfig, secretsOf } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import type { SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { slackSecretPatterns } from '../../src/slack/secret-patterns.ts';
import type { Clock } from '../../src/time/clock.ts';
import type { KillableBot } from './killable-bot.ts';
import { findFreePort } from './loopback.ts';
import { createOpenBudget } from './mock-service.ts';
import type { ProcessTestBedOptions } from './process-test-bed.ts';
import { settle, sleepBy, workCount } from './settle.ts';

/** Makes bots in the process of the test, which start in a tenth of the time of a program. They cannot be killed. */
export function botsHere(clock: SandboxClock): NonNullable<ProcessTestBedOptions['createBot']> {
  const follower = followHere(clock);
  return (options) => createBotHere(options, follower);
}

async function createBotHere(
  { env, logFile }: { env: Record<string, string>; logFile: string },
  follower: ReturnType<typeof followHere>,
): Promise<KillableBot> {
  const port = await findFreePort();
  const config = readConfig({ ...env, HOST: '127.0.0.1', PORT: String(port) });
  const log = createLog({
    level: config.logLevel,
    secrets: secretsOf(config),
    secretPatterns: slackSecretPatterns,
    hasOwnLine: () => false,
    // What was being read when it stopped fails afterwards.
    write: (line) => isUp && appendFileSync(logFile, line),
  });
  let isUp = false;
  let stop = async (): Promise<void> => {};

  const no = (): never => {
    throw new Error('the bot shares the process of the test');
  };
  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => process.pid,
    async start() {
      isUp = true;
      const { clock, end } = follower();
      const app = await createApp({ config, log, clock, budget: createOpenBudget() });
      await app.start();
      stop = async () => {
        await app.stop();
        end();
        isUp = false;
      };
    },
    stop: () => stop(),
    kill: no,
    freeze: no,
    thaw: no,
    lastLogLines: () => readFileSync(logFile, 'utf8'),
  };
}

const secondMs = 1_000;
/** Longer than any step of a bot that sends no request. */
const mostSettleMs = 2 * secondMs;

/**
 * Has skips of the sandbox’s clock go second by second while bots in this process work.
 *
 * @returns makes the clock of a bot: when it ends, its timers never fire
 */
function followHere(sandbox: SandboxClock): () => { clock: Clock; end(): void } {
  const moments = new Set<number>();
  let [knownWork, stepMs] = [workCount(), secondMs];

  sandbox.onChange(() => {
    const late = new Promise((resolve) => void setTimeout(resolve, mostSettleMs).unref());
    void sandbox.hold(() => Promise.race([settle(), late]));
  });
  sandbox.stopAt(() => {
    stepMs = workCount() === knownWork ? stepMs * 8 : secondMs;
    knownWork = workCount();
    const now = sandbox.now();
    return Math.min(now + stepMs, ...[...moments].map((at) => Math.max(at, now + 1)));
  });

  return () => {
    const cancels = new Set<() => void>();
    function setTimer(callback: () => void, ms: number): () => void {
      const at = sandbox.now() + ms;
      if (ms >= sandbox.longDelayMs) moments.add(at);
      const forget = (): void => {
        moments.delete(at);
        cancels.delete(cancel);
      };
      const stopWaiting = sandbox.after(ms, () => {
        forget();
        callback();
      });
      const cancel = (): void => {
        forget();
        stopWaiting();
      };
      cancels.add(cancel);
      return cancel;
    }
    return {
      clock: { now: sandbox.now, setTimer, sleep: sleepBy(setTimer) },
      end() {
        for (const cancel of cancels) cancel();
      },
    };
  };
}
