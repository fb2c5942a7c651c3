import { fork, type ChildProcess } from 'node:child_process';
import { Pool } from 'undici';
import { programEnv } from '../support/child-process.ts';
import type { BotMessage, BotOrder } from './bot.ts';

/**
 * A process with bots, which can be killed and started again.
 *
 * @param on.fault called for uncaught errors and unexpected exits
 * @param on.log called with some lines of the log
 */
export function createBotChild(
  env: Record<string, string>,
  on: { fault: (what: string) => void; log: (lines: string) => void },
) {
  const expected = new WeakSet<ChildProcess>();
  let child: ChildProcess | undefined;
  let pool: Pool | undefined;
  let aheadMs = 0;
  let answered = (_: BotMessage) => {};
  let url = '';

  async function ask(order: BotOrder): Promise<BotMessage> {
    const answer = new Promise<BotMessage>((resolve) => (answered = resolve));
    child?.send(order);
    return answer;
  }

  return {
    url: () => url,
    /** By its own clock, in milliseconds. */
    now: () => Date.now() + aheadMs,
    async start(): Promise<void> {
      const started = fork('test/judges/bot.ts', [String(aheadMs)], {
        env: { ...programEnv, ...env, HOST: '127.0.0.1', PORT: '0' },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      child = started;
      let said = '';
      const fault = (what: string) => {
        said = what;
        on.fault(what);
      };
      started.once('exit', () => expected.has(started) || fault('the process of the bot exited'));
      url = await new Promise<string>((resolve, reject) => {
        started.on('message', (received) => {
          const message = received as BotMessage;
          if (message.kind === 'up') resolve(message.url);
          else if (message.kind === 'fault') fault(message.what);
          else if (message.kind === 'log') on.log(message.lines);
          else answered(message);
        });
        started.once('error', reject);
        started.once('exit', () => reject(new Error(`the bot did not start: ${said}`)));
      });
      pool = new Pool(url, { connections: 64, headersTimeout: 30_000, bodyTimeout: 30_000 });
    },
    /** @returns whether it ran */
    async kill(): Promise<boolean> {
      const ending = child;
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return false;
      expected.add(ending);
      const gone = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill('SIGKILL');
      await gone;
      await pool?.destroy();
      return true;
    },
    /** @returns the status and the body of the answer; undefined where it is down */
    async post(path: string, { headers, body }: { headers: Record<string, string>; body: string }) {
      try {
        const { statusCode, body: answer } = await pool!.request({ method: 'POST', path, headers, body });
        return { status: statusCode, body: await answer.text() };
      } catch {
        return undefined;
      }
    },
    /** Puts its clock ahead. */
    async leap(ms: number): Promise<void> {
      aheadMs += ms;
      await ask({ aheadMs });
    },
    /** After a forced garbage collection, in MiB. */
    async memory(): Promise<number> {
      const answer = await ask('memory');
      return answer.kind === 'memory' ? answer.bytes / 1024 ** 2 : NaN;
    },
  };
}
