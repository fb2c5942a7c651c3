import { flushCompileCache } from 'node:module';
import { createApp } from '../../src/app.ts';
import { servicePace } from '../../src/features/batches/batch-machine.ts';
import { readConfig, readProcessConfig, secretsOf, variablesOf } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import { slackSecretPatterns } from '../../src/slack/errors.ts';
import { createTenantsApp } from '../../src/tenants/tenants.ts';
import { systemClock, type Clock } from '../../src/time/clock.ts';
import { collectGarbage } from '../support/measurements.ts';
import { createOpenBudget } from '../support/mock-service.ts';

/** A message from the process to its parent. Its bots run without a request budget, which what judges send would exceed. */
export type BotMessage =
  | { kind: 'up'; url: string }
  | { kind: 'fault'; what: string }
  | { kind: 'log'; lines: string }
  /** The bot’s clock is so far ahead as its parent wants. */
  | { kind: 'ahead' }
  | { kind: 'memory'; bytes: number };

/** What its parent wants: a clock so many milliseconds ahead, or to know its memory. */
export type BotOrder = { aheadMs: number } | 'memory';

/** How much shorter the bot sleeps than it says. */
const haste = 4;

const send = (message: BotMessage) => process.send?.(message);
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error: unknown) =>
    send({ kind: 'fault', what: `${event}: ${error instanceof Error ? error.stack : String(error)}` }),
  );
}

let lines = '';
const flush = () => {
  if (lines !== '') send({ kind: 'log', lines });
  lines = '';
};
const logFor = (of: Parameters<typeof secretsOf>[0]) =>
  createLog({
    level: of.logLevel,
    secrets: secretsOf(of),
    secretPatterns: slackSecretPatterns,
    write(line) {
      if (lines === '') setTimeout(flush, 50);
      lines += line;
    },
  });
// A batch spends a minute on some 60 rows, which no sequence waits for.
Object.assign(servicePace, { atOnce: 1_000_000 });
/** How far its clock is ahead, in milliseconds. */
let aheadMs = Number(process.argv[2]);
process.on('message', (order: BotOrder) => {
  if (order === 'memory') {
    flush();
    collectGarbage();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    send({ kind: 'memory', bytes: heapUsed + external });
    return;
  }
  ({ aheadMs } = order);
  send({ kind: 'ahead' });
});
const clock: Clock = {
  ...systemClock,
  now: () => Date.now() + aheadMs,
  sleep: (ms, signal) => systemClock.sleep(ms / haste, signal),
};
const app = await openApp();
process.on('disconnect', () => process.exit());
send({ kind: 'up', url: `http://127.0.0.1:${await app.start()}` });
// It ends with SIGKILL, which would lose what it compiled.
flushCompileCache();

/** One bot, or those of a file of tenants. */
async function openApp() {
  const variables = variablesOf();
  if (!('TENANTS_FILE' in variables)) {
    const config = readConfig();
    return createApp({ config, log: logFor(config), clock, budget: createOpenBudget() });
  }
  const config = readProcessConfig();
  return createTenantsApp({
    config,
    log: logFor(config),
    logFor: (of, fields) => logFor(of).child(fields),
    steadyFor: () => undefined,
    budgetFor: createOpenBudget,
    clock,
    path: config.tenantsFile ?? '',
    variables,
  });
}
