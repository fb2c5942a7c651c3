import { createApp } from '../../src/app.ts';
import { readConfig, secretsOf } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import { slackSecretPatterns } from '../../src/slack/secret-patterns.ts';
import { createOpenBudget } from '../support/mock-service.ts';

/** A message from the bot to its parent process. The bot runs without a request budget, which thousands of sequences would exceed. */
export type BotMessage = { kind: 'up'; url: string } | { kind: 'fault'; what: string } | { kind: 'log'; lines: string };

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
const config = readConfig();
const log = createLog({
  level: config.logLevel,
  secrets: secretsOf(config),
  secretPatterns: slackSecretPatterns,
  write(line) {
    if (lines === '') setTimeout(flush, 50);
    lines += line;
  },
});
const app = await createApp({ config, log, budget: createOpenBudget() });
process.on('disconnect', () => process.exit());
send({ kind: 'up', url: `http://127.0.0.1:${await app.start()}` });
