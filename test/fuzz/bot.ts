import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import { collectGarbage } from '../support/measurements.ts';
import { createOpenBudget } from '../support/mock-service.ts';

/**
 * A message from the fuzzed bot to its parent process: its URL, its memory or an uncaught error. The bot runs without a
 * request budget, because a hundred thousand payloads would wait for days.
 */
export type BotMessage =
  { kind: 'up'; url: string } | { kind: 'memory'; bytes: number } | { kind: 'fault'; what: string };

const send = (message: BotMessage) => process.send?.(message);
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error: unknown) =>
    send({ kind: 'fault', what: `${event}: ${error instanceof Error ? error.stack : String(error)}` }),
  );
}

const log = createLog({
  level: 'error',
  secrets: [],
  write(line) {
    if (line.includes('"request failed"')) send({ kind: 'fault', what: line });
  },
});
const app = await createApp({ config: readConfig(), log, budget: createOpenBudget() });

process.on('message', () => {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  send({ kind: 'memory', bytes: heapUsed + external });
});
process.on('disconnect', () => process.exit());
send({ kind: 'up', url: `http://127.0.0.1:${await app.start()}` });
