import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import { collectGarbage } from '../support/measurements.ts';
import { createOpenBudget } from '../support/mock-service.ts';

/**
 * The bot in a process of its own, which tells whoever started it what it holds in memory and what nobody caught. The
 * request budget is open, or a hundred thousand payloads would wait for days.
 */
export type Told = { kind: 'up'; url: string } | { kind: 'memory'; bytes: number } | { kind: 'fault'; what: string };

const tell = (told: Told) => process.send?.(told);
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error: unknown) => tell({ kind: 'fault', what: `${event}: ${error instanceof Error ? error.stack : String(error)}` }));
}

const log = createLog({
  level: 'error',
  secrets: [],
  write(line) {
    if (line.includes('"request failed"')) tell({ kind: 'fault', what: line });
  },
});
const app = await createApp({ config: readConfig(), log, budget: createOpenBudget() });

process.on('message', () => {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  tell({ kind: 'memory', bytes: heapUsed + external });
});
process.on('disconnect', () => process.exit());
tell({ kind: 'up', url: `http://127.0.0.1:${await app.start()}` });
