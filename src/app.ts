import type { BotOptions } from './assembly/parts.ts';
import {
  createProcessParts,
  createProcessServer,
  type InvigilatorApp,
  type ProcessOptions,
} from './assembly/process.ts';
import { createBot } from './assembly/bot.ts';
import { version } from './config.ts';
import { fixedRoutes } from './http/server.ts';
import type { RequestBudget } from './quiz-api/budget/request-budget.ts';

/**
 * A process with one bot.
 *
 * @param options.budget default: the limits of the quiz service
 */
export async function createApp(
  options: ProcessOptions & BotOptions & { budget?: RequestBudget },
): Promise<InvigilatorApp> {
  const parts = createProcessParts(options);
  const bot = await createBot(options, parts);
  const { log } = options;
  let isStopping = false;
  const server = createProcessServer(parts, { routeOf: fixedRoutes(bot.routes), scrapes: () => [bot.scrape] });

  return {
    async start() {
      // A store that does not answer yet must not keep the port closed.
      const port = await server.listen();
      await bot.start();
      if (!isStopping) log.info({ version, port }, 'the bot is up');
      return port;
    },
    async stop() {
      isStopping = true;
      bot.beginStop();
      await server.stop((end) => bot.stop(end));
    },
  };
}
